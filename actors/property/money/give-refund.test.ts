import t from 'tap';

import { billOf, folioTaxLines, folioTotals } from '../../../src/money/rules/folio.ts';
import { invoiceOf } from '../../../src/money/rules/invoice.ts';
import { moneyFault } from '../../../src/money/rules/money-fault.ts';
import { windowsOf } from '../../../src/money/rules/postings.ts';
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
  modifyCommand,
  paid,
  plainRoom,
  plan,
  postCommand,
  startPaymentCommand,
  voidCommand,
} from '../../../src/testing/property-world.ts';

/** A stay of two nights for 228.00, arriving today, paid for by card. */
function stay(): { scene: Scene; id: string; now: () => Reservation } {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 2 } })).reservation;
  const { attempt } = scene.accept(startPaymentCommand(id, charge()));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  const now = () => scene.state.reservations.get(id)!;
  t.match(now(), { paid: 22_800 });
  return { scene, id, now };
}

const refund = (reservationId: string, amount: number, more: { paymentId?: string; goodwill?: boolean } = {}) => ({
  type: 'GIVE_REFUND' as const,
  reservationId,
  refundId: freshId(),
  amount,
  reason: 'noise',
  by: 'boss',
  ...more,
});

const balance = (of: Reservation): number => billOf(of).balance;

void t.test('what is given back of a stay to come is owed again, unless it is good will', async (t) => {
  const { scene, id, now } = stay();
  t.match(scene.accept(refund(id, 3_000)), { credit: 0, refunds: [{ amount: 3_000, status: 'PROCESSING' }] });
  t.match([now().paid, balance(now())], [19_800, 3_000]);
  t.match(scene.accept(refund(id, 2_800, { goodwill: true })), { credit: 2_800 });
  t.match([now().paid, folioTotals(now()).total, balance(now())], [17_000, 20_000, 3_000]);
  t.match(now().timeline.at(-1), { event: 'REFUNDED', notes: 'noise', by: 'boss' });
  t.equal(moneyFault(now()), undefined);
});

void t.test('never more than was paid, and of one payment never more than it has left', async (t) => {
  const { scene, id, now } = stay();
  t.match(scene.refuse(refund(id, 22_801)), { code: 'REFUND_EXCEEDS_PAID', message: /At most 228\.00/ });
  const { paymentId } = now().payments.find(({ status }) => status === 'COMPLETED')!;
  t.match(scene.refuse(refund(id, 1, { paymentId: freshId() })), { code: 'PAYMENT_NOT_FOUND' });
  scene.accept(refund(id, 22_000, { paymentId }));
  t.match(scene.refuse(refund(id, 801, { paymentId })), { code: 'REFUND_EXCEEDS_PAID' });
  scene.accept(refund(id, 800));
  t.match(scene.refuse(refund(id, 1)), { code: 'REFUND_EXCEEDS_PAID', message: /At most 0\.00/ });
  t.equal(now().paid, 0);
});

void t.test('of two payments the one that is named gives back', async (t) => {
  const { scene, id, now } = stay();
  scene.accept({ ...modifyCommand(id, { nights: 3 }, { modifiedBy: 'desk', reason: 'asked' }) });
  const { attempt } = scene.accept(startPaymentCommand(id, charge()));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  const [first, second] = now().payments.filter(({ type }) => type === 'CHARGE');
  scene.accept(refund(id, 5_000, { paymentId: first!.paymentId }));
  t.match(now().payments.at(-1), { type: 'REFUND', chargeId: first!.paymentId });
  scene.accept(refund(id, 5_000));
  t.match(now().payments.at(-1), { type: 'REFUND', chargeId: second!.paymentId }, 'else the newest');
});

void t.test('a stay that is over is left without a debt: the retained amount is credited', async (t) => {
  const { scene, id, now } = stay();
  scene.accept(checkInCommand(id));
  scene.pass(2 * 86_400_000);
  scene.accept({ type: 'TICK' });
  scene.accept(checkOutCommand(id));
  t.match(scene.accept(refund(id, 5_000)), { credit: 5_000 });
  t.match([now().paid, folioTotals(now()).total, balance(now())], [17_800, 17_800, 0]);
  t.match(invoiceOf(now()).lines.at(-1), { code: 'CREDIT', amount: -4_561, taxes: -439 });
  t.match(invoiceOf(now()), { total: 17_800, balance: 0 });
});

void t.test(
  'a cancel without a refund leaves a credit, which is given back before the retained amount',
  async (t) => {
    const { scene, id, now } = stay();
    scene.accept(cancelCommand(id, { refundRequested: false }));
    t.match(now(), { paid: 22_800, cancellation: { penalty: 11_400, originalTotal: 22_800 } });
    t.equal(balance(now()), -11_400);
    t.match(scene.accept(refund(id, 10_000)), { credit: 0 });
    t.equal(balance(now()), -1_400);
    t.match(scene.accept(refund(id, 2_400)), { credit: 1_000 });
    t.match([now().paid, folioTotals(now()).total, balance(now())], [10_400, 10_400, 0]);
    t.match(now().cancellation, { penalty: 10_400, refund: 12_400, waived: [{ amount: 1_000 }] });
    t.equal(invoiceOf(now()).taxes, 945, 'tax on the retained amount');
    const waiver = {
      type: 'WAIVE_PENALTY' as const,
      reservationId: id,
      refundId: freshId(),
      reason: 'ill',
      by: 'boss',
    };
    t.match(scene.refuse({ ...waiver, amount: 10_401 }), { code: 'REFUND_EXCEEDS_PAID' });
    scene.accept(waiver);
    t.match([now().paid, folioTotals(now()).total], [0, 0]);
    t.match(now().cancellation, { waived: [{ amount: 1_000 }, { amount: 10_400 }] });
  },
);

void t.test('good will never makes a stay that is cut short pay its guest', async (t) => {
  const { scene, id, now } = stay();
  scene.accept(refund(id, 20_000, { goodwill: true }));
  scene.accept(modifyCommand(id, { nights: 1 }, { modifiedBy: 'desk', reason: 'asked' }));
  t.match([folioTotals(now()).total, now().paid], [0, 0]);
  t.equal(moneyFault(now()), undefined);
});

void t.test('good will counts again when the stay costs as much again', async (t) => {
  const { scene, id, now } = stay();
  scene.accept(refund(id, 15_000, { goodwill: true }));
  t.match([folioTotals(now()).total, now().paid], [7_800, 7_800]);
  for (const nights of [1, 2]) scene.accept(modifyCommand(id, { nights }, { modifiedBy: 'desk', reason: 'asked' }));
  t.match([folioTotals(now()).total, now().paid, balance(now())], [7_800, 0, 7_800]);
});

void t.test('a credit of the desk is not paid with good will', async (t) => {
  const { scene, id, now } = stay();
  scene.accept(refund(id, 22_800, { goodwill: true }));
  scene.accept(checkInCommand(id));
  scene.pass(2 * 86_400_000);
  scene.accept({ type: 'TICK' });
  const charges = [{ description: 'Complaint', amount: -5_000 }];
  t.match(scene.refuse(checkOutCommand(id, { charges })), { code: 'VALIDATION_FAILED' });
  scene.accept(checkOutCommand(id, { charges: [{ description: 'Bar', amount: 500 }], forced: true }));
  t.match([folioTotals(now()).total, balance(now())], [500, 500]);
});

void t.test('a payment that is waited for is all that is due then', async (t) => {
  const scene = Scene.property();
  const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 2 } })).reservation;
  const now = () => scene.state.reservations.get(id)!;
  const { attempt } = scene.accept(startPaymentCommand(id, { amount: 4_000 }));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  t.match(now().payments[0], { status: 'PENDING', amount: 18_800 });
  scene.accept(refund(id, 2_500));
  t.match(now(), { status: 'PENDING', paid: 1_500 });
  t.match(now().payments[0], { status: 'PENDING', amount: 21_300 });
  t.match(scene.last.draft.payments.get(now().payments[0]!.paymentId), { payment: { amount: 21_300 } });
});

void t.test('a dry run of a refund gives nothing back', async (t) => {
  const { scene, id, now } = stay();
  t.match(scene.accept({ ...refund(id, 3_000, { goodwill: true }), dryRun: true }), {
    credit: 3_000,
    reservation: { paid: 19_800 },
  });
  t.match(now(), { paid: 22_800, charges: undefined });
});

void t.test('nothing is given back while a check-out waits for its payment', async (t) => {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 1 } })).reservation;
  const { attempt } = scene.accept(startPaymentCommand(id, { ...charge(), amount: 5_000 }));
  scene.accept({ ...endPaymentCommand(id, paid(attempt)), card: 'sealed' });
  scene.accept(checkInCommand(id));
  t.ok(scene.accept(checkOutCommand(id)).attempt);
  t.match(scene.refuse(refund(id, 100)), { code: 'INVALID_STATE' });
});

void t.test('a credit takes back its part of the taxes, and the whole of them with the whole price', async (t) => {
  const { scene, id, now } = stay();
  scene.accept(refund(id, 2_800, { goodwill: true }));
  // 20.00 of taxes are in 228.00.
  t.match(now().charges, [{ amount: -2_800, taxes: -246, taxLines: [{ code: 'TAX', amount: -246 }] }]);
  t.match(folioTotals(now()), { base: 20_000, taxes: 1_754, total: 20_000 });
  scene.accept(checkInCommand(id));
  scene.pass(2 * 86_400_000);
  scene.accept({ type: 'TICK' });
  scene.accept(checkOutCommand(id));
  for (const amount of [1, 9_999, 10_000]) scene.accept(refund(id, amount));
  t.match(folioTotals(now()), { taxes: 0, total: 0 });
  t.same(folioTaxLines(now()), [{ code: 'FEES', amount: 800, fee: true }], 'the nights were slept');
  t.equal(moneyFault(now()), undefined);
});

void t.test('good will that counts in part takes back a part of the taxes', async (t) => {
  const { scene, id, now } = stay();
  scene.accept(refund(id, 20_000, { goodwill: true }));
  scene.accept(modifyCommand(id, { nights: 1 }, { modifiedBy: 'desk', reason: 'asked' }));
  t.match(folioTotals(now()), { base: 10_000, taxes: 0, total: 0 });
});

void t.test('a posting that is voided after the good will leaves no tax on a stay that costs nothing', async (t) => {
  for (const [amount, left] of [
    [40_000, 0],
    [23_000, 0],
    [11_400, 11_400],
  ] as const) {
    const { scene, id, now } = stay();
    scene.accept(checkInCommand(id));
    const bar = postCommand(id, { unitAmount: 21_000, quantity: 1, taxLines: [{ code: 'TAX', amount: 1_909 }] });
    scene.accept(bar);
    const { attempt } = scene.accept(startPaymentCommand(id, charge()));
    scene.accept(endPaymentCommand(id, paid(attempt)));
    scene.accept(refund(id, amount, { goodwill: true }));
    scene.accept(voidCommand(id, bar.postingId));
    // 20.00 of taxes are in 228.00, 10.00 in the half of it.
    t.match(folioTotals(now()), { base: 20_000, taxes: left === 0 ? 0 : 1_000, total: left });
    scene.pass(2 * 86_400_000);
    scene.accept({ type: 'TICK' });
    const { bill } = scene.accept(checkOutCommand(id));
    t.match(bill, { taxes: left === 0 ? 0 : 1_000, total: left });
    t.equal(moneyFault(now()), undefined);
  }
});

void t.test(
  'a credit lies in the window whose payment is given back, so no window is owed or paid too much',
  async (t) => {
    const scene = Scene.property({ policies: { paymentRequired: false } });
    scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
    const corporate = plan({ id: freshId(), code: 'CORP', adjustmentPercent: 0, guarantee: 'COMPANY' });
    scene.accept({ type: 'PUT_RATE_PLAN', plan: corporate, mode: 'create' });
    const stay = { checkIn: DAY, checkOut: DAY + 2, rateCode: 'CORP' };
    const ended = (end: (id: string) => void) => {
      const { id } = scene.accept(bookCommand({ stay, companyId: freshId() })).reservation;
      end(id);
      return { id, windows: () => windowsOf(scene.state.reservations.get(id)!, DAY + 2) };
    };
    const left = ended((id) => {
      scene.accept(checkInCommand(id));
      scene.accept(postCommand(id));
      const { attempt } = scene.accept({ ...startPaymentCommand(id), window: 'GUEST' });
      scene.accept(endPaymentCommand(id, paid(attempt)));
      scene.accept(checkOutCommand(id, { at: scene.now }));
    });
    t.match(left.windows(), [{ total: 900 }, { window: 'COMPANY', total: 11_400 }]);
    t.match(scene.accept(refund(left.id, 1_000)), { credit: 1_000, refunds: [{ method: 'INVOICE' }] });
    t.match(left.windows(), [
      { window: 'GUEST', total: 900, paid: 900, balance: 0 },
      { window: 'COMPANY', total: 10_400, paid: 10_400, balance: 0 },
    ]);
    scene.accept(refund(left.id, 10_600));
    t.match(left.windows(), [
      { window: 'GUEST', total: 700, paid: 700, balance: 0 },
      { window: 'COMPANY', total: 0, paid: 0, balance: 0 },
    ]);
    t.equal(moneyFault(scene.state.reservations.get(left.id)!), undefined);
    const cancelled = ended((id) => scene.accept(cancelCommand(id)));
    scene.accept(refund(cancelled.id, 1_000));
    t.match(cancelled.windows(), [{ balance: 0 }, { window: 'COMPANY', total: 10_400, paid: 10_400, balance: 0 }]);
  },
);
