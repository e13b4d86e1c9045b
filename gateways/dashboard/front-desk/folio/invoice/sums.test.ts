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
    unnamed: 0,
  });
  const items = [night, item('FEES', 2), drink];
  t.same(sumsOf({ items, taxLines: [], totalAmount: 409.87 }), { items, subtotal: 373.2, unnamed: 36.67 });
});
