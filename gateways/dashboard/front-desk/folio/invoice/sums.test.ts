import t from 'tap';

import { sumsOf } from './sums.ts';

const line = (code: string, amount: number) => ({ code, amount, included: false });
const item = (code: string, amount: number, taxLines: ReturnType<typeof line>[] = []) => ({
  date: '2026-03-10',
  description: code,
  amount,
  taxes: 0,
  code,
  taxLines,
});

t.test('an invoice adds up as it is read: a fee stands above its subtotal or below, and once', async (t) => {
  const [night, drink] = [item('NIGHT', 366.7), item('MINIBAR', 4.5)];
  const named = item('FEES', 2, [line('CITY', 2)]);
  const taxLines = [line('VAT', 36.67), line('CITY', 2)];
  t.same(sumsOf({ items: [night, named, drink], taxLines, totalAmount: 409.87 }), {
    items: [night, drink],
    subtotal: 371.2,
    added: taxLines,
    within: [],
    unnamed: 0,
  });
  const items = [night, item('FEES', 2), drink];
  t.same(sumsOf({ items, taxLines: [], totalAmount: 409.87 }), {
    items,
    subtotal: 373.2,
    added: [],
    within: [],
    unnamed: 36.67,
  });
});

t.test('taxes in the price of an extra are not added to it, and not taken back either', async (t) => {
  const night = { ...item('NIGHT', 154, [line('TAX', 10.8)]), taxes: 10.8 };
  const inside = { ...line('TAX', 5.75), included: true };
  const spa = item('SPA', 30.75, [inside]);
  const read = { items: [night, spa], taxLines: [line('TAX', 10.8), inside], totalAmount: 195.55 };
  t.same(sumsOf(read), {
    items: [night, spa],
    subtotal: 184.75,
    added: [line('TAX', 10.8)],
    within: [inside],
    unnamed: 0,
  });
  // The nights have the same tax, in a price of their own.
  const named = { ...night, taxLines: [{ ...line('TAX', 10.8), included: true }] };
  const both = { ...inside, amount: 16.55 };
  t.match(sumsOf({ ...read, items: [named, spa], taxLines: [both] }), {
    added: [{ amount: 10.8 }],
    within: [{ amount: 5.75 }],
    unnamed: 0,
  });
});
