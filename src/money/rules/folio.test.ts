import t from 'tap';

import type { Cancellation } from '../../stay/rules/reservation.ts';
import { reservation } from '../../testing/property-world.ts';
import { billedCharges, billOf, folioTotals, originalTotal, paymentStatus, received } from './folio.ts';
import { assertMoney, moneyFault } from './money-fault.ts';
import type { Payment } from './payment.ts';

const nights = [
  { day: 1, rate: 10_000, taxes: 1_000, fees: 300 },
  { day: 2, rate: 12_000, taxes: 1_200, fees: 300 },
];
const currency = 'EUR';
const charges = [
  { description: 'Minibar', amount: 1_250, day: 2 },
  { description: 'Complaint', amount: -500, day: 2 },
];
const payment = (changed: Partial<Payment>): Payment => ({
  paymentId: 'p',
  type: 'CHARGE',
  amount: 1_000,
  method: 'CASH',
  status: 'COMPLETED',
  createdAt: 0,
  ...changed,
});

void t.test('the bill is nights, taxes, fees and all that was charged besides', async (t) => {
  t.same(folioTotals({ currency, nights, charges }), { base: 22_000, taxes: 2_200, fees: 1_350, total: 25_550 });
  t.same(billOf({ currency, nights, charges, paid: 24_800 }), {
    roomCharges: 22_000,
    additionalCharges: 1_350,
    taxes: 2_200,
    total: 25_550,
    balance: 750,
  });
  t.equal(billOf({ currency, nights, paid: 30_000 }).balance, -5_200);
});

void t.test('money that is there is what was charged less what goes back', async (t) => {
  const all = [
    payment({}),
    payment({ status: 'PENDING' }),
    payment({ status: 'FAILED' }),
    payment({ status: 'REFUNDED' }),
    payment({ type: 'REFUND', amount: 300, status: 'PROCESSING' }),
    payment({ type: 'REFUND', amount: 50, status: 'FAILED' }),
  ];
  t.equal(received(all), 700);
  const stay = { checkIn: 1, checkOut: 3 };
  const sound = reservation({ paid: 700, payments: all, nights, stay });
  t.doesNotThrow(() => assertMoney(sound));
  t.throws(() => assertMoney({ ...sound, paid: 701 }), /701 is paid, its payments say 700/);
  t.throws(() => assertMoney({ ...sound, paid: -1, payments: [payment({ type: 'REFUND', amount: 1 })] }));
  for (const wrong of [[nights[0]!], [...nights, { ...nights[0]!, day: 3 }], nights.toReversed(), []])
    t.match(moneyFault({ ...sound, nights: wrong }), /its nights are not those of its stay/);
  t.match(moneyFault({ ...sound, nights: [nights[0]!, { ...nights[1]!, taxes: 0.5 }] }), /its nights/);
});

void t.test('the word for what was paid follows the amounts', async (t) => {
  const nights = [{ day: 1, rate: 1_000, taxes: 0, fees: 0 }];
  const charge = (status: 'FAILED' | 'COMPLETED', type: 'CHARGE' | 'REFUND' = 'CHARGE') => ({
    paymentId: 'p',
    amount: 1_000,
    method: null,
    createdAt: 0,
    status,
    type,
  });
  t.equal(paymentStatus(reservation({ nights, paid: 1_000 })), 'PAID');
  t.equal(paymentStatus(reservation({ nights, paid: 1 })), 'PARTIALLY_PAID');
  t.equal(paymentStatus(reservation({ nights, paid: 0 })), 'UNPAID');
  t.equal(paymentStatus(reservation({ nights, paid: 0, payments: [charge('FAILED')] })), 'FAILED');
  t.equal(
    paymentStatus(reservation({ nights, paid: 0, payments: [charge('COMPLETED'), charge('COMPLETED', 'REFUND')] })),
    'REFUNDED',
  );
  t.equal(paymentStatus(reservation({ nights: [{ day: 1, rate: 0, taxes: 0, fees: 0 }], paid: 0 })), 'PAID', 'free');
});

const ending = (changed: Partial<Cancellation> = {}): Cancellation => ({
  cancellationId: 'c',
  reason: 'GUEST_REQUEST',
  cancelledBy: 'guest',
  policyName: 'STANDARD',
  deadline: null,
  penalty: 11_000,
  refundEligible: true,
  refund: 0,
  refundId: null,
  cancelledAt: 0,
  day: 1,
  ...changed,
});

void t.test('a no-show costs the retained amount, which is never a debt', async (t) => {
  const cancellation = ending();
  t.same(folioTotals({ currency, nights, cancellation }), { base: 10_000, taxes: 1_000, fees: 0, total: 11_000 });
  t.equal(billOf({ currency, nights, cancellation, paid: 11_000 }).balance, 0);
  t.equal(
    billOf({ currency, nights, cancellation, paid: 24_800 }).balance,
    -13_800,
    'a credit that was not requested yet',
  );
  t.equal(folioTotals({ currency, nights, cancellation: ending({ penalty: 0 }) }).total, 0);
  t.equal(originalTotal({ nights, cancellation }), 24_800, 'of earlier releases, by its nights');
  t.equal(originalTotal({ nights, cancellation: ending({ originalTotal: 23_000 }) }), 23_000);
  t.equal(originalTotal({ nights }), undefined);
});

void t.test('the status of a retained amount: paid, or what became of the money', async (t) => {
  const of = (penalty: number, paid: number, payments: Payment[] = []) =>
    paymentStatus(reservation({ status: 'CANCELLED', nights, paid, payments, cancellation: ending({ penalty }) }));
  t.equal(of(11_000, 11_000), 'PAID');
  t.equal(of(11_000, 24_800), 'PAID');
  t.equal(of(0, 0, [payment({}), payment({ type: 'REFUND' })]), 'REFUNDED');
  t.equal(of(0, 0), 'UNPAID', 'nobody ever paid');
});

void t.test('goodwill comes to at most what the rest of a stay costs, as long as that may change', async (t) => {
  const given = (amount: number) => ({
    description: 'Goodwill',
    amount,
    day: 1,
    code: 'CREDIT',
    goodwill: true as const,
  });
  const bar = { description: 'Bar', amount: 500, day: 1 };
  const one = nights.slice(0, 1);
  t.same(billedCharges({ currency, nights: one, charges: [bar, given(-300)] }), [bar, given(-300)]);
  const charges = [given(-5_000), bar, given(-9_000)];
  t.same(billedCharges({ currency, nights: one, charges }), [given(-5_000), bar, given(-6_800)]);
  t.equal(folioTotals({ currency, nights: one, charges }).total, 0);
  t.equal(
    folioTotals({ currency, nights, charges }).total,
    24_800 + 500 - 14_000,
    'and counts again when the rest does',
  );
  t.same(billedCharges({ currency, nights: [], charges: [given(-5_000)] }), []);
  const complaint = { description: 'Complaint', amount: -600, day: 1 };
  t.equal(
    folioTotals({ currency, nights: [], charges: [complaint, given(-10)] }).total,
    -600,
    'what the desk says stays',
  );
});
