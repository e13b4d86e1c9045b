import t from 'tap';

import { reservation } from '../../testing/property-world.ts';
import { withOwed } from './stay-by-link.ts';

const bill = { total: 0, paid: 0, open: 0 };

void t.test('what the card on file is still charged for a cancel stands in the bill', async (t) => {
  t.strictSame(withOwed(bill, reservation({})), bill);
  const owed = { amount: 26_635, paymentId: 'p' };
  const cancelled = { cancellation: { penalty: 0, owed } } as Parameters<typeof withOwed>[1];
  t.strictSame(withOwed(bill, cancelled), { total: 26_635, paid: 0, open: 26_635 });
  const rest = { cancellation: { penalty: 5_000, owed } } as Parameters<typeof withOwed>[1];
  t.strictSame(withOwed({ total: 5_000, paid: 5_000, open: 0 }, rest), { total: 31_635, paid: 5_000, open: 26_635 });
});
