import t from 'tap';

import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { assertMoney } from '../../../src/money/rules/money-fault.ts';
import { codeOf, Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  endPaymentCommand,
  envelope,
  freshId,
  NOW,
  paid,
  startPaymentCommand,
} from '../../../src/testing/property-world.ts';

const TOTAL = 2 * 11_400;

/** A reservation for two nights that waits for a payment somebody outside takes. */
function waiting(depositPercent = 100) {
  const scene = Scene.property({ policies: { depositPercent } });
  const { id, payments } = scene.accept(bookCommand()).reservation;
  const { paymentId } = payments[0]!;
  const now = () => scene.state.reservations.get(id)!;
  const result = (other: Partial<CommandOf<'TAKE_PAYMENT_RESULT'>> = {}): CommandOf<'TAKE_PAYMENT_RESULT'> => ({
    type: 'TAKE_PAYMENT_RESULT',
    reservationId: id,
    paymentId,
    eventId: freshId(),
    status: 'SUCCESS',
    amount: TOTAL,
    currency: 'EUR',
    at: NOW - 1_000,
    refundId: freshId(),
    ...other,
  });
  t.teardown(() => assertMoney(now()));
  return { scene, id, now, result, paymentId };
}

const refunds = (of: { payments: readonly { type: string; amount: number }[] }) =>
  of.payments.filter(({ type }) => type === 'REFUND').map(({ amount }) => amount);
const events = (of: { timeline: readonly { event: string }[] }) => of.timeline.map(({ event }) => event);

void t.test('all of the money confirms, and ends the payment that was waited for', async (t) => {
  const { scene, now, result, paymentId } = waiting();
  t.same(scene.accept(result()), { taken: true, status: 'CONFIRMED' });
  t.match(now(), { paid: TOTAL, holdExpiresAt: undefined });
  t.match(now().payments, [{ paymentId, status: 'COMPLETED', amount: TOTAL, processedAt: NOW - 1_000 }]);
  t.same(events(now()), ['CREATED', 'PAYMENT_RECEIVED', 'CONFIRMED']);
  const { seq } = scene.state;
  t.same(scene.accept(result()), { taken: false, status: 'CONFIRMED' }, 'reported again');
  t.same(scene.accept(result({ status: 'FAILED' })), { taken: false, status: 'CONFIRMED' }, 'reported out of order');
  t.equal(scene.state.seq, seq, 'which leaves no trace');
});

void t.test('a part keeps the rooms waiting, and the rest confirms them', async (t) => {
  const { scene, now, result, paymentId } = waiting();
  const part = result({ amount: 10_000 });
  t.same(scene.accept(part), { taken: true, status: 'PENDING' });
  t.same(scene.accept(part), { taken: false, status: 'PENDING' }, 'the same event is taken once');
  t.match(now(), { status: 'PENDING', paid: 10_000 });
  t.match(
    now().payments.find((payment) => payment.paymentId === paymentId),
    { status: 'PENDING', amount: TOTAL - 10_000 },
  );
  t.same(scene.accept(result({ amount: TOTAL - 10_000 })), { taken: true, status: 'CONFIRMED' });
  t.equal(now().paid, TOTAL);
});

void t.test(
  'a deposit confirms, and what comes later under the same payment is taken as far as it is due',
  async (t) => {
    const { scene, now, result } = waiting(50);
    t.same(scene.accept(result({ amount: TOTAL / 2 })), { taken: true, status: 'CONFIRMED' });
    scene.accept(result({ amount: TOTAL / 2 }));
    t.match(now(), { status: 'CONFIRMED', paid: TOTAL });
    scene.accept(result({ amount: 700 }));
    t.match(now(), { status: 'CONFIRMED', paid: TOTAL });
    t.same(refunds(now()), [700], 'nothing is due any more');
  },
);

void t.test('more than what is due goes back', async (t) => {
  const { scene, now, result } = waiting();
  t.same(scene.accept(result({ amount: TOTAL + 500 })), { taken: true, status: 'CONFIRMED' });
  t.match(now(), { paid: TOTAL });
  t.same(refunds(now()), [500]);
});

void t.test('a failed payment is published, and may still come', async (t) => {
  const { scene, now, result } = waiting();
  t.same(scene.accept(result({ status: 'FAILED' })), { taken: true, status: 'PENDING' });
  t.same(events(now()), ['CREATED', 'PAYMENT_FAILED']);
  t.same(scene.accept(result()), { taken: true, status: 'CONFIRMED' });
});

void t.test('money for what has expired or was cancelled goes back whole, once', async (t) => {
  for (const [amount, end] of [
    [TOTAL, 'expired'],
    [5_000, 'run out'],
    [TOTAL, 'cancelled'],
  ] as const) {
    const { scene, id, now, result } = waiting();
    if (end === 'cancelled') scene.accept(cancelCommand(id));
    else scene.pass(901_000);
    if (end === 'expired') scene.accept({ type: 'EXPIRE' });
    const late = result({ amount });
    t.same(scene.accept(late), { taken: true, status: 'CANCELLED' }, end);
    scene.accept(late);
    t.match(now(), { status: 'CANCELLED', paid: 0 });
    t.same(refunds(now()), [amount]);
  }
});

void t.test('what the desk has taken meanwhile is not taken twice', async (t) => {
  const { scene, id, now, result } = waiting();
  const { attempt } = scene.accept(startPaymentCommand(id));
  t.same(
    scene.accept(result({ paymentId: attempt.paymentId })),
    { taken: false, status: 'PENDING' },
    'our own attempt',
  );
  scene.accept(endPaymentCommand(id, paid(attempt)));
  t.same(scene.accept(result()), { taken: true, status: 'CONFIRMED' });
  t.match(now(), { paid: TOTAL });
  t.same(refunds(now()), [TOTAL]);
});

void t.test('another currency and a payment that is not there are refused', async (t) => {
  const { scene, result } = waiting();
  t.equal(
    codeOf(() => scene.accept(result({ currency: 'USD' }))),
    'CURRENCY_MISMATCH',
  );
  t.equal(
    codeOf(() => scene.accept(result({ paymentId: freshId() }))),
    'HOLD_NOT_FOUND',
  );
});

void t.test('under its key an event is one row of the journal', async (t) => {
  const { scene, result } = waiting();
  const { seq } = scene.state;
  const eventId = freshId();
  const key = { key: eventId, fingerprint: 'payment.processed', ref: '' };
  const step = scene.batch(envelope(result({ eventId }), key));
  t.equal(scene.state.seq, seq + 1);
  t.match(step.entries, [
    { type: 'TAKE_PAYMENT_RESULT', facts: { payments: [[String, 'CHARGE', TOTAL, 'PENDING', 'COMPLETED']] } },
  ]);
  t.match(
    [...step.draft.keys.values()],
    [{ phase: 'whole', answer: { result: { taken: true, status: 'CONFIRMED' } } }],
  );
});
