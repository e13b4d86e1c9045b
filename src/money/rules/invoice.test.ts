import t from 'tap';

import type { Cancellation } from '../../stay/rules/reservation.ts';
import { reservation } from '../../testing/property-world.ts';
import { invoiceOf } from './invoice.ts';
import type { Payment } from './payment.ts';

const MORNING = Date.parse('2026-06-01T08:00:00Z');

/** In a property far in the west, where the day has not begun yet. */
const TODAY = 20_604;
const nights = [
  { day: 1, rate: 10_000, taxes: 1_000, fees: 300 },
  { day: 2, rate: 12_000, taxes: 1_200, fees: 300 },
];
const payment = (changed: Partial<Payment>): Payment => ({
  paymentId: 'p',
  type: 'CHARGE',
  amount: 24_800,
  method: 'CASH',
  status: 'COMPLETED',
  createdAt: 0,
  ...changed,
});
const ending = (penalty: number, refund: number): Cancellation => ({
  cancellationId: 'c',
  reason: 'GUEST_REQUEST',
  cancelledBy: 'guest',
  policyName: 'STANDARD',
  deadline: null,
  penalty,
  refundEligible: refund > 0,
  refund,
  refundId: 'r',
  cancelledAt: MORNING,
  day: TODAY,
});

void t.test('a stay to come is billed in full, its lines add up, and nothing is final', async (t) => {
  const { lines, ...made } = invoiceOf(reservation({ nights, paid: 24_800, payments: [payment({})] }));
  t.match(made, { status: 'PRO_FORMA', total: 24_800, paid: 24_800, refunded: 0, balance: 0, issuedAt: undefined });
  t.equal(
    lines.reduce((sum, { amount, taxes }) => sum + amount + taxes, 0),
    24_800,
  );
});

void t.test(
  'a late cancellation is invoiced with the penalty and no night, and shows refunds beside payments',
  async (t) => {
    const payments = [
      payment({}),
      payment({ type: 'REFUND', amount: 13_500, status: 'PROCESSING' }),
      payment({ type: 'REFUND', amount: 100, status: 'FAILED' }),
    ];
    const cancellation = ending(11_300, 13_500);
    const made = invoiceOf(reservation({ status: 'CANCELLED', nights, paid: 11_300, payments, cancellation }));
    t.match(made, { status: 'ISSUED', issuedAt: MORNING, total: 11_300, paid: 11_300, refunded: 13_500, balance: 0 });
    t.match(made.lines, [
      { day: TODAY, description: 'Cancellation, STANDARD', amount: 10_273, taxes: 1_027, code: 'PENALTY' },
    ]);
    t.equal(made.lines.length, 1);
    t.match(invoiceOf(reservation({ status: 'NO_SHOW', nights, paid: 11_300, cancellation })).lines, [
      { description: 'No-show, STANDARD' },
    ]);
  },
);

void t.test('a cancel that costs nothing leaves an empty invoice', async (t) => {
  const made = invoiceOf(reservation({ status: 'CANCELLED', nights, paid: 0, cancellation: ending(0, 24_800) }));
  t.match(made, { lines: [], total: 0, balance: 0 });
  t.equal(made.lines.length, 0);
});
