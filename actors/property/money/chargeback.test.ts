import t from 'tap';

import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { claimOf, isClaimOpen } from '../../../src/money/rules/chargeback.ts';
import { billOf, folioTotals, paymentStatus } from '../../../src/money/rules/folio.ts';
import { sumOfDocuments } from '../../../src/money/rules/invoice-document.ts';
import { invoiceOf } from '../../../src/money/rules/invoice.ts';
import { moneyFault } from '../../../src/money/rules/money-fault.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { folioOf } from '../../../src/money/rules/postings.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  charge,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  freshId,
  noShowCommand,
  paid,
  plan,
  plainRoom,
  postCommand,
  reinstateCommand,
  startPaymentCommand,
} from '../../../src/testing/property-world.ts';

const DAY_MS = 86_400_000;

type Stay = { scene: Scene; id: string; now: () => Reservation; card: string };

/** A stay of two nights for 228.00 that arrives today, paid for by card. */
function stay({ rateCode = 'BAR', paymentRequired = false, from = 0 } = {}): Stay {
  const scene = Scene.property({ policies: { paymentRequired } });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  if (rateCode !== 'BAR')
    scene.accept({
      type: 'PUT_RATE_PLAN',
      plan: plan({ code: rateCode, cancellationPolicy: 'NON_REFUNDABLE' }),
      mode: 'create',
    });
  const billing = { method: 'CREDIT_CARD' as const, card: 'sealed' };
  const { id } = scene.accept(
    bookCommand({ stay: { checkIn: DAY + from, checkOut: DAY + from + 2, rateCode }, billing }),
  ).reservation;
  const card = pay(scene, id);
  return { scene, id, now: () => scene.state.reservations.get(id)!, card };
}

function pay(scene: Scene, id: string, options: Partial<Payment> = {}): string {
  const { attempt } = scene.accept(startPaymentCommand(id, charge(options)));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  return attempt.paymentId;
}

const taken = (reservationId: string, paymentId: string, more: Partial<CommandOf<'CHARGE_BACK'>> = {}) => ({
  type: 'CHARGE_BACK' as const,
  reservationId,
  paymentId,
  chargebackId: freshId(),
  reason: 'fraud',
  by: 'boss',
  ...more,
});

const close = (reservationId: string, paymentId: string, writeOff = false) => ({
  type: 'CLOSE_CHARGEBACK' as const,
  reservationId,
  paymentId,
  writeOff,
  reason: 'lost',
  by: 'boss',
});

void t.test('what a card issuer takes back is owed again, and nothing is sent to anybody', async (t) => {
  const { scene, id, now, card } = stay();
  const { payment } = scene.accept(taken(id, card, { amount: 10_000, reference: 'dp_1' }));
  t.match(payment, { type: 'REFUND', status: 'COMPLETED', chargeId: card, amount: 10_000, method: 'CREDIT_CARD' });
  t.match([now().paid, billOf(now()).balance, claimOf(now())], [12_800, 10_000, 10_000]);
  t.equal(paymentStatus(now()), 'PARTIALLY_PAID');
  t.equal(now().status, 'CONFIRMED');
  const notes = 'Charged back: 100.00 EUR, fraud, dp_1';
  t.match(now().timeline.at(-1), { event: 'PAYMENT_FAILED', by: 'boss', notes });
  t.match(scene.last.entries[0]!.facts, {
    bookings: [['REFUNDED']],
    payments: [[payment!.paymentId, 'REFUND', 10_000, null, 'COMPLETED']],
  });
  t.equal(now().payments.filter(({ status }) => status === 'PROCESSING' || status === 'PENDING').length, 0);
  scene.accept(taken(id, card));
  t.match([now().paid, paymentStatus(now())], [0, 'UNPAID'], 'all that was left');
  t.match(scene.refuse(taken(id, card)), { code: 'REFUND_EXCEEDS_PAID', message: /At most 0\.00/ });
  t.equal(moneyFault(now()), undefined);
});

void t.test('never more than the charge has left, of a payment that can be charged back', async (t) => {
  const { scene, id, now, card } = stay();
  t.match(scene.refuse(taken(id, freshId())), { code: 'PAYMENT_NOT_FOUND' });
  t.match(scene.refuse(taken(id, card, { amount: 22_801 })), { code: 'REFUND_EXCEEDS_PAID' });
  scene.accept({
    type: 'GIVE_REFUND',
    reservationId: id,
    refundId: freshId(),
    amount: 20_000,
    reason: 'noise',
    by: 'x',
  });
  t.match(scene.refuse(taken(id, card, { amount: 2_801 })), { code: 'REFUND_EXCEEDS_PAID' }, 'the rest was refunded');
  scene.accept(taken(id, card, { amount: 2_800, reference: 'dp_2' }));
  t.match(scene.refuse(taken(id, card, { amount: 1, reference: 'dp_2' })), { code: 'INVALID_STATE' }, 'twice');
  const cash = pay(scene, id, { method: 'CASH', amount: 800 });
  t.match(scene.refuse(taken(id, cash)), { code: 'INVALID_STATE', message: /CASH/ });
  const refundable = { type: 'GIVE_REFUND' as const, reservationId: id, refundId: freshId(), amount: 801 };
  t.match(scene.refuse({ ...refundable, reason: 'x', by: 'y' }), { code: 'REFUND_EXCEEDS_PAID' });
  t.equal(now().paid, 800);
});

void t.test('an event says what was taken in total: reported again it changes nothing', async (t) => {
  const { scene, id, now, card } = stay();
  const event = (inTotal: number) => taken(id, card, { inTotal, currency: 'EUR', by: 'kafka' });
  t.ok(scene.accept(event(5_000)).payment);
  t.notOk(scene.accept(event(5_000)).payment);
  t.equal(scene.last.entries.length, 0, 'no row of the journal');
  t.match(scene.accept(event(8_000)).payment, { amount: 3_000 });
  t.match(scene.accept(event(99_999)).payment, { amount: 14_800 }, 'what is left');
  t.notOk(scene.accept(event(99_999)).payment);
  t.match(scene.refuse({ ...event(1), currency: 'USD' }), { code: 'CURRENCY_MISMATCH' });
  t.equal(now().paid, 0);
});

void t.test('an event about a charge that was refunded whole is refused: somebody has to look', async (t) => {
  const { scene, id, card } = stay();
  const refund = { type: 'GIVE_REFUND' as const, reservationId: id, refundId: freshId(), amount: 22_800 };
  scene.accept({ ...refund, reason: 'noise', by: 'boss' });
  t.match(scene.refuse(taken(id, card, { inTotal: 22_800 })), { code: 'REFUND_EXCEEDS_PAID' });
});

void t.test('a guest who has left owes it: his invoice stays, and he can pay again', async (t) => {
  const { scene, id, now, card } = stay();
  scene.accept(checkInCommand(id));
  scene.pass(2 * DAY_MS);
  scene.accept({ type: 'TICK' });
  scene.accept(checkOutCommand(id));
  const { documents } = now();
  scene.accept(taken(id, card));
  t.same(now().documents, documents);
  t.match(invoiceOf(now()), { total: 22_800, paid: 0, refunded: 0, chargedBack: 22_800, balance: 22_800 });
  t.match([now().status, isClaimOpen(now())], ['CHECKED_OUT', true]);
  pay(scene, id, { amount: 10_000 });
  t.match([billOf(now()).balance, claimOf(now())], [12_800, 12_800]);
  const again = pay(scene, id);
  t.match([billOf(now()).balance, claimOf(now()), isClaimOpen(now())], [0, 0, false]);
  t.match(scene.refuse(close(id, again)), { code: 'INVALID_STATE' });
  scene.accept(taken(id, again));
  t.equal(claimOf(now()), 12_800, 'and may be taken back again');
  t.equal(moneyFault(now()), undefined);
});

void t.test('of a stay that did not take place the retained amount is owed, and may be paid or waived', async (t) => {
  for (const end of [cancelCommand, noShowCommand]) {
    const { scene, id, now, card } = stay({ rateCode: 'FIX' });
    scene.accept(end(id));
    t.match([now().paid, folioTotals(now()).total], [22_800, 22_800]);
    scene.accept(taken(id, card));
    t.match([now().paid, billOf(now()).balance, claimOf(now())], [0, 22_800, 22_800]);
    t.match(scene.refuse(startPaymentCommand(id, charge({ amount: 22_801 }))), { code: 'VALIDATION_FAILED' });
    pay(scene, id, { amount: 12_800 });
    t.match([now().paid, claimOf(now())], [12_800, 10_000]);
    t.match(now().timeline.at(-1), { event: 'PAYMENT_RECEIVED', status: now().status });
    const waiver = { type: 'WAIVE_PENALTY' as const, reservationId: id, refundId: freshId(), reason: 'ill', by: 'x' };
    const waived = scene.accept({ ...waiver, amount: 11_000 });
    t.notMatch(waived, { waived: 10_000 });
    t.match([now().paid, folioTotals(now()).total, billOf(now()).balance], [11_800, 11_800, 0], 'the claim first');
    t.equal(sumOfDocuments(now().documents).total, 11_800);
    t.equal(moneyFault(now()), undefined);
  }
});

void t.test('money that began to come before the end does not pay what was charged back', async (t) => {
  const { scene, id, now, card } = stay({ rateCode: 'FIX' });
  scene.accept({ ...taken(id, card, { amount: 800 }) });
  const { attempt } = scene.accept(startPaymentCommand(id, charge()));
  scene.pass(1_000);
  scene.accept(cancelCommand(id));
  t.match([now().cancellation!.penalty, claimOf(now())], [22_800, 800], 'a dispute is no way round the terms');
  scene.accept(endPaymentCommand(id, paid(attempt)));
  t.match(now().payments.at(-1), { type: 'REFUND', chargeId: attempt.paymentId, status: 'PROCESSING' });
  t.match([now().paid, claimOf(now())], [22_000, 800]);
});

void t.test('an unpaid claim is not charged by the daily job, nor the stay cancelled for it', async (t) => {
  const { scene, id, now, card } = stay({ paymentRequired: true, from: 5 });
  t.equal(now().status, 'CONFIRMED');
  scene.accept(taken(id, card));
  const due = { type: 'CHARGE_DUE' as const, reservationId: id, cancellationId: freshId(), refundId: freshId() };
  for (let day = 0; day < 4; day++) {
    t.notOk(scene.accept({ ...due, paymentId: freshId() }).attempt);
    scene.pass(DAY_MS);
  }
  t.equal(now().status, 'CONFIRMED');
  t.equal(now().payments.length, 3, 'the awaited one, the charge and what was taken back');
});

void t.test('an instalment that the daily job charges pays no claim, also of one that is closed', async (t) => {
  for (const isClosed of [false, true]) {
    const scene = Scene.property();
    const depositSchedule = [
      { percent: 30, due: { at: 'BOOKING' as const } },
      { percent: 50, due: { daysBefore: 5 } },
    ];
    const own = plan({ code: 'OWN', guarantee: 'PREPAY', depositSchedule });
    scene.accept({ type: 'PUT_RATE_PLAN', plan: own, mode: 'create' });
    const asked = bookCommand({
      stay: { rateCode: 'OWN', checkIn: DAY + 8, checkOut: DAY + 10 },
      billing: { method: 'CREDIT_CARD', card: 'sealed' },
    });
    const { id } = scene.accept(asked).reservation;
    const now = () => scene.state.reservations.get(id)!;
    const card = pay(scene, id, { amount: 6_840 });
    t.equal(now().status, 'CONFIRMED');
    scene.accept(taken(id, card));
    if (isClosed) scene.accept(close(id, card));
    scene.pass(3 * DAY_MS);
    scene.accept({ type: 'TICK' });
    const due = { type: 'CHARGE_DUE' as const, reservationId: id, cancellationId: freshId(), refundId: freshId() };
    const { attempt } = scene.accept({ ...due, paymentId: freshId() });
    t.match(attempt, { amount: 11_400 });
    scene.accept(endPaymentCommand(id, paid(attempt!)));
    t.notOk(scene.accept({ ...due, paymentId: freshId() }).attempt, 'nothing more');
    t.match([now().paid, claimOf(now()), isClaimOpen(now())], [11_400, 6_840, !isClosed]);
    scene.accept(endPaymentCommand(id, paid(scene.accept(startPaymentCommand(id)).attempt)));
    t.match([billOf(now()).balance, claimOf(now())], [0, 0], 'paid again by the guest');
  }
});

void t.test('a claim is closed without an effect on money, or written off as a credit', async (t) => {
  const { scene, id, now, card } = stay();
  scene.accept(checkInCommand(id));
  scene.pass(2 * DAY_MS);
  scene.accept({ type: 'TICK' });
  scene.accept(checkOutCommand(id));
  scene.accept(taken(id, card, { amount: 8_000 }));
  const before = billOf(now());
  t.same(scene.accept(close(id, card)).writtenOff, 0);
  t.match([billOf(now()), claimOf(now()), isClaimOpen(now())], [before, 8_000, false]);
  t.match(scene.refuse(close(id, card)), { code: 'INVALID_STATE' });
  t.same(scene.accept(close(id, card, true)).writtenOff, 8_000, 'it may be written off later');
  t.match([billOf(now()).balance, folioTotals(now()).total, claimOf(now())], [0, 14_800, 0]);
  t.match(now().charges!.at(-1), { description: 'Chargeback written off', amount: -8_000, afterwards: true });
  t.match(now().documents!.at(-1), { kind: 'CREDIT_NOTE', total: -8_000 });
  t.match(scene.refuse(close(id, card, true)), { code: 'INVALID_STATE' });
  t.equal(moneyFault(now()), undefined);
});

void t.test('a write-off waives the penalty of a stay that did not take place', async (t) => {
  const { scene, id, now, card } = stay({ rateCode: 'FIX' });
  scene.accept(cancelCommand(id));
  scene.accept(taken(id, card, { amount: 8_000 }));
  t.same(scene.accept(close(id, card, true)).writtenOff, 8_000);
  t.match([now().paid, folioTotals(now()).total, billOf(now()).balance], [14_800, 14_800, 0]);
  t.match(now().cancellation, { penalty: 14_800, refund: 0, refundId: null });
});

void t.test('a cancel that costs nothing leaves no claim, and what was taken back is not refunded', async (t) => {
  const { scene, id, now, card } = stay({ from: 9 });
  scene.accept(taken(id, card, { amount: 20_000 }));
  scene.accept(cancelCommand(id));
  t.match(now().cancellation, { penalty: 0, refund: 2_800 });
  t.match([now().paid, billOf(now()).balance, claimOf(now())], [0, 0, 0]);
  scene.accept(reinstateCommand(id));
  t.match([now().paid, billOf(now()).balance], [0, 22_800]);
});

void t.test('a pending reservation waits for what is due then', async (t) => {
  const { scene, id, now } = stay({ paymentRequired: true, from: 5 });
  const other = scene.accept(bookCommand({ stay: { checkIn: DAY + 6, checkOut: DAY + 8 } })).reservation.id;
  const first = pay(scene, other, { amount: 10_000 });
  const awaited = () => scene.state.reservations.get(other)!.payments[0]!;
  t.match(awaited(), { status: 'PENDING', amount: 12_800 });
  scene.accept(taken(other, first, { amount: 1_000 }));
  t.match(awaited(), { status: 'PENDING', amount: 13_800 });
  t.equal(now().id, id);
});

void t.test('it is taken also while the guest checks out', async (t) => {
  const { scene, id, now, card } = stay();
  scene.accept(checkInCommand(id));
  scene.accept(postCommand(id, { unitAmount: 1_000, quantity: 1 }));
  scene.pass(2 * DAY_MS);
  scene.accept({ type: 'TICK' });
  const { attempt } = scene.accept(checkOutCommand(id));
  scene.accept(taken(id, card, { amount: 500 }));
  t.match(scene.refuse(close(id, card, true)), { code: 'INVALID_STATE' });
  scene.accept(endPaymentCommand(id, paid(attempt!)));
  t.match([now().status, billOf(now()).balance, claimOf(now())], ['CHECKED_OUT', 500, 500]);
  t.equal(moneyFault(now()), undefined);
});

const won = (reservationId: string, paymentId: string, more: Partial<CommandOf<'WIN_CHARGEBACK'>> = {}) => ({
  type: 'WIN_CHARGEBACK' as const,
  reservationId,
  paymentId,
  returnId: freshId(),
  reason: 'delivered',
  by: 'boss',
  ...more,
});

void t.test('a dispute that is won brings the money back, and ends the task of the desk', async (t) => {
  const { scene, id, now, card } = stay();
  t.match(scene.refuse(won(id, card)), { code: 'INVALID_STATE' }, 'nothing was charged back');
  t.match(scene.refuse(won(id, freshId())), { code: 'PAYMENT_NOT_FOUND' });
  scene.accept(taken(id, card, { amount: 8_000 }));
  t.match(scene.refuse(won(id, card, { amount: 8_001 })), { code: 'VALIDATION_FAILED' });
  scene.accept(won(id, card, { amount: 3_000 }));
  t.match([now().paid, claimOf(now()), isClaimOpen(now())], [17_800, 5_000, true], 'a part of it');
  const { payment } = scene.accept(won(id, card));
  t.match(payment, { type: 'CHARGE', method: 'BANK_TRANSFER', status: 'COMPLETED', amount: 5_000, regains: card });
  t.match([now().paid, billOf(now()).balance, claimOf(now()), isClaimOpen(now())], [22_800, 0, 0, false]);
  t.match(now().timeline.at(-1), { event: 'PAYMENT_RECEIVED', notes: 'Chargeback won: 50.00 EUR, delivered' });
  t.match(scene.last.entries[0]!.facts, {
    bookings: [['PAID']],
    payments: [[payment!.paymentId, 'CHARGE', 5_000, null, 'COMPLETED']],
  });
  t.match(scene.refuse(won(id, card)), { code: 'INVALID_STATE' });
  t.match(scene.refuse(close(id, card, true)), { code: 'INVALID_STATE' }, 'what came back is not written off');
  t.match(invoiceOf(now()), { paid: 22_800, refunded: 0, chargedBack: 0, balance: 0 });
  const [window] = folioOf(now(), DAY, () => DAY);
  t.match(window!.postings.at(-1), { kind: 'PAYMENT', description: 'Chargeback won, BANK_TRANSFER', amount: 5_000 });
  t.equal(moneyFault(now()), undefined);
});

void t.test('what a guest has paid again before the property wins is a credit, and goes back by hand', async (t) => {
  const { scene, id, now, card } = stay();
  scene.accept(taken(id, card, { amount: 8_000 }));
  pay(scene, id, { method: 'CASH' });
  scene.accept(won(id, card));
  t.match([now().paid, billOf(now()).balance], [30_800, -8_000]);
  const refund = { type: 'GIVE_REFUND' as const, reservationId: id, refundId: freshId(), amount: 8_000 };
  const { refunds } = scene.accept({ ...refund, reason: 'twice', by: 'boss' });
  t.match(refunds, [{ status: 'PENDING', method: 'BANK_TRANSFER', amount: 8_000 }]);
  t.match([now().paid, billOf(now()).balance, claimOf(now())], [22_800, 0, 0]);
});

void t.test('an event says what was returned in total: reported again it changes nothing', async (t) => {
  const { scene, id, now, card } = stay();
  const event = (inTotal: number) => won(id, card, { inTotal, currency: 'EUR', by: 'kafka' });
  t.match(scene.refuse(event(1)), { code: 'INVALID_STATE' });
  scene.accept(taken(id, card, { amount: 8_000 }));
  t.match(scene.refuse({ ...event(1), currency: 'USD' }), { code: 'CURRENCY_MISMATCH' });
  t.match(scene.accept(event(5_000)).payment, { amount: 5_000 });
  t.notOk(scene.accept(event(5_000)).payment);
  t.match(scene.accept(event(99_999)).payment, { amount: 3_000 });
  t.notOk(scene.accept(event(99_999)).payment);
  t.equal(scene.last.entries.length, 0, 'no row of the journal');
  t.match([now().paid, isClaimOpen(now())], [22_800, false]);
});

void t.test('a dispute is won for a stay that did not take place too, but not what was written off', async (t) => {
  const { scene, id, now, card } = stay({ rateCode: 'FIX' });
  scene.accept(cancelCommand(id));
  scene.accept(taken(id, card, { amount: 8_000 }));
  scene.accept(won(id, card, { amount: 3_000 }));
  t.match([now().paid, billOf(now()).balance, claimOf(now())], [17_800, 5_000, 5_000]);
  t.same(scene.accept(close(id, card, true)).writtenOff, 5_000);
  t.match(scene.refuse(won(id, card)), { code: 'INVALID_STATE' });
  t.match([now().paid, billOf(now()).balance], [17_800, 0]);
  t.equal(moneyFault(now()), undefined);
});

void t.test('a dry run answers the same and changes nothing', async (t) => {
  const { scene, id, now, card } = stay();
  const before = now();
  const command = taken(id, card, { amount: 700 });
  const dry = scene.accept({ ...command, dryRun: true });
  t.same(now(), before);
  t.same(scene.accept(command), dry);
  const end = close(id, card, true);
  t.same(scene.accept({ ...end, dryRun: true }).writtenOff, 700);
  t.same(claimOf(now()), 700);
});

void t.test('the folio names it, in the window of its charge', async (t) => {
  const { scene, id, now, card } = stay();
  scene.accept(taken(id, card, { amount: 700 }));
  const [window] = folioOf(now(), DAY, () => DAY);
  t.match(window!.postings.at(-1), { kind: 'REFUND', description: 'Chargeback, CREDIT_CARD', amount: 700 });
  t.equal(window!.paid, 22_100);
});
