import { test } from 'tap';

import { holdsCardNumber } from './card-number.ts';

void test('a card number is found however it is written, and a slip number is none', (t) => {
  const cards = [
    '4242424242424242',
    '4242 4242 4242 4242',
    'slip 4242-4242-4242-4242',
    '378282246310005',
    'x6304000000000000',
  ];
  for (const text of cards) t.ok(holdsCardNumber(text), text);
  const slips = ['000123', 'TRM-7/004711', '4242424242424241', '424242424242', '42424242424242424242', '1 2 3', ''];
  for (const text of slips) t.notOk(holdsCardNumber(text), text);
  t.end();
});
