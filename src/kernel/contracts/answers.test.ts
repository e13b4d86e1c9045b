import { test } from 'tap';
import { z } from 'zod';

import type { Day } from '../rules/dates.ts';
import { dayOf } from '../rules/dates.ts';
import type { Minor } from '../rules/money.ts';
import type { Instant } from '../rules/property-time.ts';
import { at, count, dayField, figure, listOf, moneyField } from './answers.ts';

const night = z.object({
  date: dayField,
  rate: moneyField,
  tax: moneyField.nullable(),
  rooms: count,
  share: figure,
  at,
});
const [amount, day, moment]: [Minor, Day, Instant] = [
  19_900,
  dayOf('2027-02-03'),
  Date.parse('2027-02-03T10:00:00Z'),
];
const NIGHT = { date: day, rate: amount, tax: null, rooms: 3, share: 0.5, at: moment };

void test('amounts, days and moments are written by the schema', async (t) => {
  const text = JSON.stringify(z.encode(listOf(night), { items: [NIGHT], nextCursor: null }));
  t.equal(
    text,
    '{"items":[{"date":"2027-02-03","rate":199.00,"tax":null,"rooms":3,"share":0.5,' +
      '"at":"2027-02-03T10:00:00.000Z"}],"nextCursor":null}',
  );
  t.same(z.decode(night, JSON.parse(JSON.stringify(z.encode(night, NIGHT))) as never), NIGHT, 'and read back');
});

void test('what the schema does not name is not sent, and no fraction of a cent', async (t) => {
  t.notOk('secret' in z.encode(night, { ...NIGHT, secret: 1 } as never));
  t.throws(() => z.encode(night, { ...NIGHT, rate: 0.5 as Minor }));
});

void test('an amount, a day or a moment in the field of a plain number does not compile', async (t) => {
  // @ts-expect-error 25.00 would go out as 2500
  const rooms: z.output<typeof count> = amount;
  // @ts-expect-error nor does a day
  const share: z.output<typeof figure> = day;
  // @ts-expect-error or a moment
  const more: z.output<typeof figure> = moment;
  t.same([rooms, share, more], [amount, day, moment]);
});

void test('a bare number in the field of an amount, a day or a moment does not compile', async (t) => {
  const bare: number = 25.5;
  const orNone = (decimal: number): number | null => decimal;
  // @ts-expect-error 25.50 would go out as 0.25 or not at all
  const rate: z.output<typeof night> = { ...NIGHT, rate: bare };
  // @ts-expect-error nor where it may be null
  const tax: z.output<typeof night> = { ...NIGHT, tax: orNone(bare) };
  // @ts-expect-error a sum has no unit until it is given one
  const total: z.output<typeof moneyField> = amount + amount;
  // @ts-expect-error a length of stay is no day
  const date: z.output<typeof night> = { ...NIGHT, date: bare };
  // @ts-expect-error a duration is no moment
  const moved: z.output<typeof night> = { ...NIGHT, at: bare };
  const sum: Minor = amount + amount;
  const right: z.output<typeof moneyField> = sum;
  t.equal(right, total);
  t.ok([rate, tax, date, moved]);
});
