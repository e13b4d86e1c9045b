import t from 'tap';

import { assertMoney } from '../../../src/money/rules/money-fault.ts';
import type { PaymentMethod } from '../../../src/money/rules/payment.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  modifyCommand,
  paid,
  plainRoom,
  startPaymentCommand,
} from '../../../src/testing/property-world.ts';

const NIGHT = 11_400;

/** A reservation for three nights, paid in parts: the oldest first. */
function paidInParts(...parts: [PaymentMethod, number][]) {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 3 } })).reservation;
  const charges = parts.map(([method, amount]) => {
    const { attempt } = scene.accept(startPaymentCommand(id, { method, amount }));
    scene.accept(endPaymentCommand(id, paid(attempt)));
    return attempt.paymentId;
  });
  const now = () => scene.state.reservations.get(id)!;
  t.teardown(() => assertMoney(now()));
  return { scene, id, charges, now };
}

const refundsOf = ({ payments }: Reservation) =>
  payments
    .filter(({ type }) => type === 'REFUND')
    .map(({ chargeId, amount, method, status }) => [chargeId, amount, method, status]);

void t.test('a refund over several charges is a row for each, the newest first', async (t) => {
  const { scene, id, charges, now } = paidInParts(['CREDIT_CARD', 20_000], ['CARD_ON_FILE', 10_000], ['CASH', 4_200]);
  scene.accept(modifyCommand(id, { checkOut: DAY + 1 }, { modifiedBy: 'desk', reason: 'asked' }));
  t.same(refundsOf(now()), [
    [charges[2], 4_200, 'CASH', 'PENDING'],
    [charges[1], 10_000, 'CARD_ON_FILE', 'PROCESSING'],
    [charges[0], 8_600, 'CREDIT_CARD', 'PROCESSING'],
  ]);
  const ids = now().payments.map(({ paymentId }) => paymentId);
  t.equal(new Set(ids).size, 6, 'each has an id of its own');
  t.equal(scene.last.draft.payments.size, 3, 'and a row');
  const { reservation } = scene.accept(cancelCommand(id));
  t.same(refundsOf(reservation).slice(3), [], 'the first night is retained');
  t.match(reservation, { paid: NIGHT, cancellation: { penalty: NIGHT, refund: 0, refundId: null } });
});

void t.test('what was given back before is not given back again', async (t) => {
  const { scene, id, charges, now } = paidInParts(['CREDIT_CARD', 3 * NIGHT]);
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  scene.accept(checkInCommand(id));
  scene.accept(modifyCommand(id, { checkOut: DAY + 2 }));
  const { reservation } = scene.accept(checkOutCommand(id, { charges: [{ description: 'Noise', amount: -400 }] }));
  t.same(refundsOf(reservation), [
    [charges[0], NIGHT, 'CREDIT_CARD', 'PROCESSING'],
    [charges[0], NIGHT + 400, 'CREDIT_CARD', 'PROCESSING'],
  ]);
  t.equal(now().paid, NIGHT - 400);
});

void t.test('a refund is completed once, from whichever source', async (t) => {
  const { scene, id, now } = paidInParts(['CREDIT_CARD', 3 * NIGHT]);
  scene.accept(cancelCommand(id));
  const refund = now().payments.at(-1)!;
  for (let repeat = 0; repeat < 2; repeat++)
    scene.accept({ type: 'SETTLE_REFUND', reservationId: id, payment: { ...refund, status: 'COMPLETED' } });
  t.match(now(), { version: 6, payments: [{}, { status: 'COMPLETED' }] });
});

void t.test('a refund that is paid out by hand is not closed by what comes later', async (t) => {
  const scene = Scene.property();
  const { id } = scene.accept(bookCommand()).reservation;
  const { attempt } = scene.accept(startPaymentCommand(id, { amount: 5_000 }));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  scene.pass(900_101);
  scene.accept({ type: 'EXPIRE' });
  const expired = scene.state.reservations.get(id)!;
  t.match(expired, { status: 'CANCELLED', paid: 0, cancellation: { reason: 'HOLD_EXPIRED', refund: 5_000 } });
  t.match(expired.payments, [
    { status: 'CANCELLED', method: null },
    { status: 'COMPLETED' },
    { type: 'REFUND', status: 'PENDING', amount: 5_000, paymentId: expired.cancellation!.refundId },
  ]);
  assertMoney(expired);
});
