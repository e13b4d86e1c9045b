import t from 'tap';

import { decimalText, MAX_AMOUNT } from '../../kernel/rules/money.ts';
import { isUuid, minorOf } from './row-values.ts';

t.test('every amount that a column holds comes back to the cent', async (t) => {
  const odd = [0, 1, 29, 57, 113, 1_009, 19_999, 435_655, 9_007_199, MAX_AMOUNT - 1, MAX_AMOUNT];
  for (const minor of [...odd, ...odd.map((each) => -each)]) t.equal(minorOf(decimalText(minor)), minor + 0);
});

t.test('only a UUID is taken for the id of a row', async (t) => {
  t.ok(isUuid('00000000-0000-4000-8000-00000000000A'));
  for (const text of ['', 'abc', '00000000-0000-4000-8000-00000000000', '00000000-0000-4000-8000-00000000000g']) {
    t.notOk(isUuid(text), text);
  }
});
