import t from 'tap';

import { assertMoney } from '../../../src/money/rules/money-fault.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  checkInCommand,
  DAY,
  endPaymentCommand,
  envelope,
  freshId,
  keyed,
  modifyCommand,
  paid,
  plainRoom,
  startPaymentCommand,
} from '../../../src/testing/property-world.ts';

const NIGHT = 11_400;

/** A stay of three nights that is paid in cash, and the refund that cancelling or shortening it orders. */
function paidInCash(method: 'CASH' | 'CREDIT_CARD' = 'CASH') {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 3 } })).reservation;
  const { attempt } = scene.accept(startPaymentCommand(id, { method }));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  const now = () => scene.state.reservations.get(id)!;
  const refund = () => now().payments.find(({ type }) => type === 'REFUND')!;
  const payOut = (refundId = refund().paymentId) => ({
    type: 'PAY_OUT_REFUND' as const,
    reservationId: id,
    refundId,
    method: 'BANK_TRANSFER' as const,
    reference: 'SEPA 17',
    by: 'cashier',
  });
  return { scene, id, now, refund, payOut };
}

t.test('a refund that was paid out by hand says by whom, when and how, and no cent moves', async (t) => {
  const { scene, id, now, refund, payOut } = paidInCash();
  scene.accept(cancelCommand(id));
  const { paid: before, status } = now();
  t.match(refund(), { status: 'PENDING', amount: 2 * NIGHT, method: 'CASH' });
  scene.pass(60_000);
  const { reservation } = scene.accept(payOut());
  t.match(refund(), {
    status: 'COMPLETED',
    amount: 2 * NIGHT,
    method: 'BANK_TRANSFER',
    processedAt: scene.now,
    paidOut: { by: 'cashier', reference: 'SEPA 17' },
  });
  t.match(reservation, { paid: before, status });
  t.match(reservation.timeline.at(-1), {
    event: 'REFUNDED',
    by: 'cashier',
    timestamp: scene.now,
    status: 'CANCELLED',
    notes: '228.00 EUR paid out by hand, BANK_TRANSFER, SEPA 17',
  });
  t.same([...scene.last.draft.payments.values()], [{ reservationId: id, payment: refund() }], 'its row is written');
  assertMoney(now());
});

t.test('a refund is paid out by hand once', async (t) => {
  const { scene, id, refund, payOut } = paidInCash();
  scene.accept(cancelCommand(id));
  scene.accept(payOut());
  t.match(scene.refuse(payOut()), { code: 'INVALID_STATE' });
  scene.accept({ type: 'SETTLE_REFUND', reservationId: id, payment: { ...refund(), paidOut: undefined } });
  t.match(refund(), { paidOut: { by: 'cashier' } }, 'nor does the provider take its place');
});

t.test('a repeat under its key keeps the answer', async (t) => {
  const { scene, id, payOut } = paidInCash();
  scene.accept(cancelCommand(id));
  const { outcomes, draft } = scene.batch(envelope(payOut(), keyed('pay-out', '')));
  t.match(outcomes, [{ kind: 'accepted' }]);
  t.match([...draft.keys.values()], [{ key: 'pay-out', phase: 'whole', answer: { result: { refund: {} } } }]);
});

t.test('what the provider sends, what is no refund and what is not there is not paid out by hand', async (t) => {
  const { scene, id, now, payOut } = paidInCash('CREDIT_CARD');
  scene.accept(cancelCommand(id));
  t.match(scene.refuse(payOut()), { code: 'INVALID_STATE', message: /provider/ });
  const [charge] = now().payments;
  for (const wrong of [charge!.paymentId, freshId()])
    t.match(scene.refuse(payOut(wrong)), { code: 'REFUND_NOT_FOUND' });
  t.match(scene.refuse({ ...payOut(), ifVersion: 1 }), { code: 'STALE_VERSION' });
});

t.test('what the provider does not give back waits for somebody to pay it out', async (t) => {
  const { scene, id, refund, payOut } = paidInCash('CREDIT_CARD');
  scene.accept(cancelCommand(id));
  const order = refund();
  t.equal(order.status, 'PROCESSING');
  const byHand = {
    type: 'SETTLE_REFUND' as const,
    reservationId: id,
    payment: { ...order, status: 'PENDING' as const },
  };
  scene.accept(byHand);
  t.equal(refund().status, 'PENDING');
  scene.accept(byHand);
  t.equal(scene.last.entries.length, 0, 'reported twice is recorded once');
  scene.accept(payOut());
  scene.accept(byHand);
  t.equal(refund().status, 'COMPLETED', 'and never opens it again');
});

t.test('a guest in house is paid out too', async (t) => {
  const { scene, id, now, refund, payOut } = paidInCash();
  scene.accept(checkInCommand(id));
  scene.accept(modifyCommand(id, { checkOut: DAY + 2 }));
  t.equal(refund().amount, NIGHT);
  scene.accept(payOut());
  t.match(now(), { status: 'CHECKED_IN', paid: 2 * NIGHT });
  assertMoney(now());
});
