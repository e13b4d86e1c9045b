import t from 'tap';
import { z } from 'zod';

import { notes, optionalText, priceField, queryInt, text, textOr, withoutDuplicates } from './fields.ts';

const faults = (schema: z.ZodType, value: unknown): string[] =>
  (schema.safeParse(value).error?.issues ?? []).map(
    ({ path, message, ...issue }) =>
      `${path.join('/')} ${message} ${'params' in issue ? issue.params?.['field'] : ''}`,
  );

void t.test('a list that names a value twice has an error at each later one', async (t) => {
  const list = z.array(z.number()).superRefine(withoutDuplicates());
  t.same(faults(list, [1, 2, 3]), []);
  t.same(faults(list, [1, 2, 1, 1]), ['2 is named twice DUPLICATE', '3 is named twice DUPLICATE']);
});

void t.test('elements with the same member have the error at the member', async (t) => {
  const rate = z.object({ currency: z.string(), rate: z.number() });
  const body = z.object({ rates: z.array(rate).superRefine(withoutDuplicates('currency', 'is there already')) });
  const [usd, gbp] = [
    { currency: 'USD', rate: 1 },
    { currency: 'GBP', rate: 1 },
  ];
  t.same(faults(body, { rates: [usd, gbp] }), []);
  t.same(faults(body, { rates: [usd, gbp, usd] }), ['rates/2/currency is there already DUPLICATE']);
});

void t.test('a price is a cent at least: less would be stored as nothing', async (t) => {
  t.equal(priceField.parse(0.01), 1);
  for (const nothing of [0, 5e-324, 1e-9, -1]) t.same(faults(priceField, nothing).length, 1, String(nothing));
});

void t.test('a text that nobody sees is an empty one', async (t) => {
  for (const schema of [text(100), notes(100)]) {
    for (const unseen of ['\u202e', '\u200b', ' \u2060 '])
      t.same(faults(schema, unseen), [' has no character that people see INVISIBLE']);
    t.equal(faults(schema, '').length, 1);
    t.equal(schema.parse(' Ada '), 'Ada');
  }
  t.equal(optionalText(100).parse('\u200b'), undefined);
  t.equal(textOr(100, 'usual').parse('\u200b'), 'usual');
});

void t.test('a number of a query has as many digits as its schema takes', async (t) => {
  const serial = queryInt(z.int().min(1).max(2_147_483_647));
  t.equal(serial.parse('2147483647'), 2_147_483_647);
  t.same(faults(serial, '2147483648').length, 1);
  for (const none of ['1e3', '0x10', ' 1', '', '1.0']) t.same(faults(serial, none).length, 1, none);
});
