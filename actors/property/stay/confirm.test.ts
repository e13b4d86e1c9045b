import t from 'tap';

import { assertMoney } from '../../../src/money/rules/money-fault.ts';
import type { Policies } from '../../../src/properties/rules/property.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  charge,
  DAY,
  endPaymentCommand,
  modifyCommand,
  noShowCommand,
  paid,
  startBookingCommand,
  startPaymentCommand,
} from '../../../src/testing/property-world.ts';

const TOTAL = 2 * 11_400;

function property(policies: Partial<Policies> = {}) {
  const scene = Scene.property({ policies });
  const pay = (id: string, amount = 0) => {
    const { attempt } = scene.accept(startPaymentCommand(id, { amount, method: 'CREDIT_CARD' }));
    return scene.accept(endPaymentCommand(id, paid(attempt))).reservation;
  };
  const read = (id: string) => {
    const found = scene.state.reservations.get(id)!;
    assertMoney(found);
    return found;
  };
  const confirm = (reservationId: string) => ({ type: 'CONFIRM_RESERVATION' as const, reservationId });
  return { scene, pay, read, confirm };
}

void t.test('what is paid and was not confirmed by the roll after its arrival night goes back whole', async (t) => {
  const { scene, pay, read } = property({ autoConfirmation: false });
  const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 3 } })).reservation;
  const lapse = { type: 'LAPSE' as const, reservationId: id };
  t.equal(scene.refuse(lapse).code, 'TOO_EARLY');
  pay(id);
  t.equal(scene.refuse(lapse).code, 'TOO_EARLY', 'somebody may still confirm it');
  scene.pass(86_400_000);
  scene.accept({ type: 'TICK' });
  scene.accept(lapse);
  const refund = 3 * 11_400;
  t.match(read(id), { status: 'CANCELLED', paid: 0, cancellation: { reason: 'HOLD_EXPIRED', refund, penalty: 0 } });
  t.match(read(id).payments.at(-1), { type: 'REFUND', status: 'PROCESSING', amount: refund });
  t.match(scene.last.draft.history, [{ from: 'PENDING', to: 'CANCELLED', reason: 'HOLD_EXPIRED' }]);
  for (const day of [DAY + 1, DAY + 2]) t.match(scene.cell(day), { booked: 0 });
  t.equal(scene.state.unfinished, 0);
  t.equal(scene.refuse(lapse).code, 'INVALID_STATE', 'once');
});

void t.test('where nothing confirms itself, what is paid waits without expiry until somebody does', async (t) => {
  const { scene, pay, read, confirm } = property({ autoConfirmation: false });
  const command = startBookingCommand();
  const { attempt } = scene.accept(command);
  const byCard = scene.accept({
    type: 'CONFIRM_BOOKING',
    holdId: command.holdId,
    payment: paid(attempt),
  }).reservation;
  const { id } = scene.accept(bookCommand()).reservation;
  t.equal(scene.refuse(confirm(id)).code, 'INVALID_STATE', 'not paid yet');
  t.match(pay(id), { status: 'PENDING', holdExpiresAt: undefined, paid: TOTAL });
  t.match(scene.cell(DAY + 5), { booked: 2, held: 0 });
  scene.pass(10 * 900_000);
  scene.accept({ type: 'EXPIRE' });
  for (const one of [byCard.id, id]) {
    t.match(read(one), { status: 'PENDING', paid: TOTAL });
    t.match(scene.accept(confirm(one)).reservation, { status: 'CONFIRMED' });
    t.same(scene.last.draft.history, [
      { reservationId: one, from: 'PENDING', to: 'CONFIRMED', at: scene.now, by: 'tester', reason: 'DEPOSIT_PAID' },
    ]);
    t.equal(scene.refuse(confirm(one)).code, 'INVALID_STATE', 'once');
  }
  t.match(scene.cell(DAY + 5), { booked: 2, held: 0 });
});

void t.test(
  'the payment that is waited for is what is due: less after a part of it, more after a change',
  async (t) => {
    const { scene, pay, read } = property();
    const { id } = scene.accept(bookCommand()).reservation;
    pay(id, 1_000);
    t.match(read(id).payments[0], { status: 'PENDING', amount: TOTAL - 1_000 });
    scene.accept(modifyCommand(id, { nights: 3 }));
    t.match(read(id).payments[0], { status: 'PENDING', amount: 3 * 11_400 - 1_000 });
    t.match(scene.last.draft.payments.get(read(id).payments[0]!.paymentId), {
      payment: { amount: 3 * 11_400 - 1_000 },
    });
    pay(id, 11_400);
    const { reservation, refund } = scene.accept(modifyCommand(id, { nights: 1 }));
    t.match(reservation, { status: 'CONFIRMED', paid: 11_400, holdExpiresAt: undefined }, 'it is paid now');
    t.equal(refund, 1_000);
    t.match(read(id).payments[0], { status: 'CANCELLED' });
    t.same(
      [5, 6, 7].map((day) => [scene.cell(DAY + day).held, scene.cell(DAY + day).booked]),
      [
        [0, 1],
        [0, 0],
        [0, 0],
      ],
    );
  },
);

void t.test('money in the moment in which the hold runs out confirms nothing and goes back', async (t) => {
  const { scene, read } = property();
  const { id } = scene.accept(bookCommand()).reservation;
  const { attempt } = scene.accept(startPaymentCommand(id, { method: 'CREDIT_CARD' }));
  scene.pass(900_000 - 99);
  const { reservation } = scene.accept(endPaymentCommand(id, paid(attempt)));
  t.match(reservation, { status: 'CANCELLED', paid: 0, cancellation: { reason: 'HOLD_EXPIRED' } });
  t.match(read(id).payments.at(-1), { type: 'REFUND', amount: TOTAL, status: 'PROCESSING' });
  t.match(scene.cell(DAY + 5), { booked: 0, held: 0 });
});

void t.test('one is not paid twice at once, and not changed while it is paid', async (t) => {
  const { scene, read } = property();
  const { id } = scene.accept(bookCommand()).reservation;
  const { attempt } = scene.accept(startPaymentCommand(id, { amount: TOTAL - 100, method: 'CREDIT_CARD' }));
  t.equal(scene.refuse(startPaymentCommand(id, { amount: 101 })).code, 'VALIDATION_FAILED');
  const rest = scene.accept(startPaymentCommand(id)).attempt;
  t.equal(rest.amount, 100);
  t.equal(scene.refuse(startPaymentCommand(id)).code, 'INVALID_STATE');
  t.equal(scene.refuse(modifyCommand(id, { nights: 1 })).code, 'INVALID_STATE');
  scene.accept(endPaymentCommand(id, { ...attempt, status: 'FAILED' }));
  scene.accept(endPaymentCommand(id, paid(rest)));
  t.match(read(id), { status: 'PENDING', paid: 100 });
  const { reservation } = scene.accept(endPaymentCommand(id, paid(attempt)));
  t.match(reservation, { paid: 100 }, 'what was given up for lost goes back when it comes');
  t.match(read(id).payments.at(-1), { type: 'REFUND', amount: TOTAL - 100, chargeId: attempt.paymentId });
});

void t.test('a payment that is waited for may fail and come later', async (t) => {
  const { scene, read } = property();
  const { id, payments } = scene.accept(bookCommand()).reservation;
  scene.accept(endPaymentCommand(id, { ...payments[0]!, status: 'FAILED' }));
  t.match(read(id), { status: 'PENDING', timeline: [{}, { event: 'PAYMENT_FAILED' }] });
  t.match(scene.accept(endPaymentCommand(id, paid(payments[0]!))).reservation, { status: 'CONFIRMED', paid: TOTAL });
});

void t.test(
  'a penalty is waived in parts, never more than is retained, after a cancel and after a no-show',
  async (t) => {
    for (const missed of [false, true]) {
      const { scene, pay, read } = property({ depositPercent: 0, freeCancellationHours: 720 });
      const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 2 } })).reservation;
      const waive = (amount?: number) => ({
        type: 'WAIVE_PENALTY' as const,
        reservationId: id,
        refundId: charge().paymentId,
        amount,
        reason: 'ill',
        by: 'boss',
      });
      pay(id);
      t.equal(scene.refuse(waive()).code, 'INVALID_STATE', 'there is none');
      scene.accept(missed ? noShowCommand(id) : cancelCommand(id));
      const first = read(id).cancellation!.refundId;
      t.match(read(id), { paid: 11_400, cancellation: { penalty: 11_400, refund: 11_400 } });
      t.equal(scene.refuse(waive(11_401)).code, 'REFUND_EXCEEDS_PAID');
      t.match(scene.accept(waive(400)), { waived: 400, reservation: { paid: 11_000 } });
      t.match(read(id).timeline.at(-1), { event: 'REFUNDED', by: 'boss', notes: 'ill' });
      t.match(scene.accept(waive()), { waived: 11_000, reservation: { paid: 0 } });
      t.match(read(id).cancellation, { penalty: 0, refund: TOTAL, refundId: first });
      t.equal(scene.refuse(waive()).code, 'INVALID_STATE', 'nothing is left');
      t.same(
        read(id).payments.flatMap(({ type, amount }) => (type === 'REFUND' ? [amount] : [])),
        [11_400, 400, 11_000],
      );
    }
  },
);

void t.test('who did not want a refund gets no more than the penalty when it is waived', async (t) => {
  const { scene, pay, read } = property({ depositPercent: 0, freeCancellationHours: 720 });
  const { id } = scene.accept(bookCommand()).reservation;
  pay(id);
  scene.accept(cancelCommand(id, { refundRequested: false }));
  const command = { type: 'WAIVE_PENALTY' as const, reservationId: id, refundId: charge().paymentId };
  const { waived } = scene.accept({ ...command, reason: 'ill', by: 'boss' });
  t.equal(waived, 11_400);
  t.match(read(id), { paid: 11_400, cancellation: { penalty: 0, refundId: command.refundId } });
});
