import t from 'tap';

import { charge, freshId, paid } from '../../testing/property-world.ts';
import { sharesOf, underWay } from './charges.ts';
import type { Payment } from './payment.ts';

const captured = (amount: number): Payment => paid(charge({ amount }));
const back = ({ paymentId: chargeId }: Payment, amount: number, status: Payment['status'] = 'PROCESSING'): Payment =>
  charge({ paymentId: freshId(), type: 'REFUND', amount, status, chargeId });

t.test('a refund goes to the newest charge first, to each at most what it has left', async (t) => {
  const [first, second, third] = [captured(100), captured(200), captured(50)];
  const payments = [first, second, charge({ amount: 999 }), third, back(third, 20), back(second, 10, 'FAILED')];
  t.same(sharesOf(payments, 30), [{ charge: third, amount: 30 }]);
  t.same(sharesOf(payments, 231), [
    { charge: third, amount: 30 },
    { charge: second, amount: 200 },
    { charge: first, amount: 1 },
  ]);
  t.same(sharesOf(payments, 0), []);
  t.throws(() => sharesOf(payments, 331), { message: /1 more than was paid/ });
});

t.test('under way is what has no end yet, and no refund', async (t) => {
  const open = charge({ amount: 7 });
  t.equal(underWay([captured(100), open, back(open, 3), charge({ amount: 5, status: 'PENDING' })]), 7);
});
