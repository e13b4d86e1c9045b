import t from 'tap';

import { negated } from '../../../src/kernel/rules/money.ts';
import { billOf } from '../../../src/money/rules/folio.ts';
import { assertMoney } from '../../../src/money/rules/money-fault.ts';
import { earnedTogether, postingsOn } from '../../../src/money/rules/posting-days.ts';
import { folioOf } from '../../../src/money/rules/postings.ts';
import type { Policies } from '../../../src/properties/rules/property.ts';
import { codeOf, Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  modifyCommand,
  paid,
  plainRoom,
  startPaymentCommand,
} from '../../../src/testing/property-world.ts';

const DAY_MS = 86_400_000;
/** Ten percent of tax and 2.00 a person and night: a night of 100.00 costs 114.00 for two. */
const NIGHT = 11_400;

/** A guest in room 101 for three nights; nothing is paid yet. */
function staying(policies: Partial<Policies> = {}, card?: string) {
  const scene = Scene.property({ policies: { paymentRequired: false, ...policies } });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const billing = card === undefined ? undefined : { method: 'CREDIT_CARD' as const, card };
  const { reservation } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 3 }, billing }));
  scene.accept(checkInCommand(reservation.id));
  const pass = (days: number) => {
    scene.pass(days * DAY_MS);
    scene.accept({ type: 'TICK' });
  };
  const pay = (amount: number) => {
    const { attempt } = scene.accept(startPaymentCommand(reservation.id, { amount }));
    scene.accept(endPaymentCommand(reservation.id, paid(attempt)));
  };
  const now = () => scene.state.reservations.get(reservation.id)!;
  t.teardown(() => assertMoney(now()));
  return { scene, id: reservation.id, pass, pay, now };
}

void t.test('a guest who owes nothing leaves, and his room has to be cleaned', async (t) => {
  const { scene, id, pass, pay } = staying();
  pay(3 * NIGHT);
  pass(3);
  const { reservation, bill, attempt } = scene.accept(checkOutCommand(id, { staffMember: 'Eve', tier: 'SILVER' }));
  t.equal(attempt, undefined);
  t.same(bill, { roomCharges: 30_000, additionalCharges: 1_200, taxes: 3_000, total: 34_200, balance: 0 });
  t.match(reservation, { status: 'CHECKED_OUT', checkOut: { roomCondition: 'GOOD', loyaltyPoints: 3_000 } });
  t.match(reservation.timeline.at(-1), { event: 'CHECKED_OUT', by: 'Eve', status: 'CHECKED_OUT' });
  t.match(scene.state.rooms.get('101'), { status: 'DIRTY', reservationId: undefined });
  t.equal(scene.state.unfinished, 0);
  t.equal(
    codeOf(() => scene.accept(checkOutCommand(id))),
    'INVALID_STATE',
  );
});

void t.test('what is due is charged first; declined, the guest is still there', async (t) => {
  const { scene, id, pass, now } = staying({}, 'sealed-card');
  pass(3);
  const charges = [{ description: 'Minibar', amount: 1_250 }];
  const leaving = scene.accept(checkOutCommand(id, { charges }));
  t.match(leaving.attempt, { amount: 3 * NIGHT + 1_250, method: 'CARD_ON_FILE', status: 'PROCESSING' });
  t.equal(now().status, 'CHECKED_IN');
  t.equal(
    codeOf(() => scene.accept(checkOutCommand(id))),
    'INVALID_STATE',
    'one at a time',
  );
  const declined = scene.accept(endPaymentCommand(id, { ...leaving.attempt!, status: 'FAILED' })).reservation;
  t.match(declined, { status: 'CHECKED_IN', paid: 0, leaving: undefined });
  t.match(declined.timeline.at(-1), { event: 'PAYMENT_FAILED' });
  t.equal(declined.charges, undefined, 'charges come with the check-out');

  const again = scene.accept(checkOutCommand(id, { charges }));
  const { reservation } = scene.accept(endPaymentCommand(id, paid(again.attempt!)));
  t.match(reservation, { status: 'CHECKED_OUT', paid: 3 * NIGHT + 1_250, charges });
  t.match(
    scene.last.entries[0]!.facts.setup,
    [{ kind: 'room', id: '101', before: { status: 'OCCUPIED' }, after: { status: 'DIRTY' } }],
    'dashboards are notified that the room has to be cleaned',
  );
  const { seq } = scene.state;
  t.match(
    scene.accept(endPaymentCommand(id, paid(again.attempt!))).reservation,
    { paid: 3 * NIGHT + 1_250 },
    'reported twice',
  );
  t.equal(scene.state.reservations.get(id)!.version, reservation.version);
  t.ok(scene.state.seq >= seq);
});

void t.test('without a card on file somebody has to pay first, or the property lets him go', async (t) => {
  const { scene, id, pass } = staying();
  pass(3);
  t.equal(
    codeOf(() => scene.accept(checkOutCommand(id))),
    'PAYMENT_METHOD_REQUIRED',
  );
  const { reservation, bill } = scene.accept(checkOutCommand(id, { forced: true }));
  t.match(reservation, { status: 'CHECKED_OUT', paid: 0, checkOut: { forced: true } });
  t.equal(bill.balance, 3 * NIGHT);
});

void t.test('the debt of a forced check-out can still be paid, and no more than that', async (t) => {
  const { scene, id, pass } = staying();
  pass(3);
  scene.accept(checkOutCommand(id, { forced: true }));
  const { attempt } = scene.accept(startPaymentCommand(id, { amount: NIGHT }));
  scene.accept(endPaymentCommand(id, { ...attempt, status: 'FAILED' }));
  const second = scene.accept(startPaymentCommand(id));
  const { reservation } = scene.accept(endPaymentCommand(id, paid(second.attempt)));
  t.match(reservation, { status: 'CHECKED_OUT', paid: 3 * NIGHT });
  t.same(
    reservation.timeline.slice(-2).map(({ event }) => event),
    ['PAYMENT_FAILED', 'PAYMENT_RECEIVED'],
  );
  t.equal(scene.refuse(startPaymentCommand(id)).code, 'INVALID_STATE');
});

void t.test('who leaves early gives his nights back, and pays for those that the property keeps', async (t) => {
  for (const earlyDepartureNights of [0, 1]) {
    const { scene, id, pass, pay } = staying({ earlyDepartureNights });
    pay(3 * NIGHT);
    pass(1);
    const { reservation, bill } = scene.accept(checkOutCommand(id));
    t.equal(bill.total, (1 + earlyDepartureNights) * NIGHT);
    t.equal(bill.balance, bill.total - 3 * NIGHT);
    t.match(reservation, { stay: { checkOut: DAY + 1 }, paid: bill.total });
    t.match(
      reservation.payments.at(-1),
      { type: 'REFUND', amount: negated(bill.balance), status: 'PENDING' },
      'in cash',
    );
    for (const day of [DAY + 1, DAY + 2]) t.match(scene.cell(day), { booked: 0 });
  }
});

void t.test('who says before that he leaves early pays for the same nights as who just goes', async (t) => {
  const bills = [[DAY + 1], [DAY + 2, DAY + 1], [DAY + 1, DAY + 2, DAY + 1], []].map((departures) => {
    const { scene, id, pass, pay } = staying({ earlyDepartureNights: 1 });
    pay(3 * NIGHT);
    for (const day of departures) scene.accept(modifyCommand(id, { checkOut: day }));
    pass(1);
    const { bill, reservation } = scene.accept(checkOutCommand(id));
    t.match(reservation, { paid: 2 * NIGHT, givenBack: undefined });
    t.match(reservation.charges, [{ code: 'EARLY_DEPARTURE', amount: NIGHT, day: DAY + 1 }]);
    return bill;
  });
  for (const { balance: _, ...bill } of bills)
    t.same(bill, { roomCharges: 10_000, additionalCharges: 400 + NIGHT - 1_036, taxes: 2_036, total: 2 * NIGHT });
});

void t.test('what is retained of an early departure is a penalty of the day, with its tax', async (t) => {
  for (const terms of ['nights', 'minimum']) {
    const { scene, id, pass, pay, now } = staying({ earlyDepartureNights: terms === 'nights' ? 2 : 0 });
    pay(3 * NIGHT);
    // What a late cancellation would keep is the minimum.
    if (terms === 'minimum')
      scene.state.reservations.set(id, { ...now(), retained: 3 * NIGHT, version: now().version + 1 });
    pass(1);
    const { bill } = scene.accept(checkOutCommand(id));
    const taxes = terms === 'nights' ? 2 * 1_036 : 2_073;
    t.match(bill, { roomCharges: 10_000, taxes: 1_000 + taxes, total: 3 * NIGHT });
    const penalties = folioOf(now(), DAY + 1, () => DAY + 1)
      .flatMap(({ postings }) => postings)
      .filter(({ kind }) => kind === 'PENALTY');
    t.equal(penalties.length, terms === 'nights' ? 2 : 1);
    for (const { businessDate } of penalties) t.equal(businessDate, DAY + 1, 'no day to come');
    t.match(penalties[0]!.taxes, [{ code: 'TAX', amount: terms === 'nights' ? 1_036 : 2_073 }]);
    const earned = earnedTogether(postingsOn(now(), DAY + 1));
    t.match(earned, { extras: 0, penalties: 2 * NIGHT - taxes, taxes });
    t.same(earned.byTax, [{ group: 'PENALTY', code: 'TAX', net: 2 * NIGHT - taxes, tax: taxes }]);
  }
});

void t.test('charges that the release before has stored without taxes are read as they are', async (t) => {
  const { scene, id, pass, pay, now } = staying({ earlyDepartureNights: 2 });
  pay(3 * NIGHT);
  pass(1);
  scene.accept(checkOutCommand(id));
  const charges = now().charges!.map((charge) => ({ ...charge, taxes: undefined, taxLines: undefined }));
  const old = { ...now(), charges };
  t.match(billOf(old), { taxes: 1_000, total: 3 * NIGHT });
  t.match(earnedTogether(postingsOn(old, DAY + 1)), { extras: 2 * NIGHT, penalties: 0, taxes: 0 });
  assertMoney(old);
});

void t.test(
  'what the property keeps of an earlier departure is published with the change, and dropped with it',
  async (t) => {
    const { scene, id, pay, now } = staying({ earlyDepartureNights: 1 });
    pay(3 * NIGHT);
    const shorter = scene.accept(modifyCommand(id, { checkOut: DAY + 1 }));
    t.match(shorter, { refund: NIGHT, changes: { totalAmount: { from: 3 * NIGHT, to: 2 * NIGHT } } });
    for (const day of [DAY + 1, DAY + 2]) t.match(scene.cell(day), { booked: 0 }, 'both nights are on sale');
    const longer = scene.accept(modifyCommand(id, { checkOut: DAY + 3 }));
    t.match(longer, { additional: NIGHT, changes: { totalAmount: { from: 2 * NIGHT, to: 3 * NIGHT } } });
    t.match(now(), { charges: [], givenBack: [], paid: 2 * NIGHT });
  },
);

void t.test('a stay has one night at least, also of a guest who leaves at once', async (t) => {
  const { scene, id, pay } = staying();
  pay(NIGHT);
  const { reservation } = scene.accept(checkOutCommand(id));
  t.match(reservation, { stay: { checkOut: DAY + 1 }, paid: NIGHT });
  t.match(scene.cell(DAY), { booked: 0 }, 'and the room can be sold tonight');
});

void t.test('credits make a bill smaller, never less than nothing', async (t) => {
  const { scene, id, pass, pay } = staying();
  pay(3 * NIGHT);
  pass(3);
  const credit = (amount: number) => checkOutCommand(id, { charges: [{ description: 'Noise', amount }] });
  t.equal(
    codeOf(() => scene.accept(credit(-3 * NIGHT - 1))),
    'VALIDATION_FAILED',
  );
  const { reservation } = scene.accept(credit(-1_000));
  t.equal(reservation.paid, 3 * NIGHT - 1_000);
});

void t.test('a payment is no more than what is due', async (t) => {
  const { scene, id, pay } = staying();
  t.equal(
    codeOf(() => scene.accept(startPaymentCommand(id, { amount: 3 * NIGHT + 1 }))),
    'VALIDATION_FAILED',
  );
  pay(NIGHT);
  pay(0);
  t.equal(
    codeOf(() => scene.accept(startPaymentCommand(id))),
    'INVALID_STATE',
    'nothing is due',
  );
  t.equal(
    codeOf(() => scene.accept(modifyCommand(id, { adults: 1 }))),
    'INVALID_STATE',
  );
});

void t.test('nobody leaves before he came, or more than a day from now', async (t) => {
  const { scene, id, pay, now } = staying();
  pay(3 * NIGHT);
  const wrong = (at: number) => scene.refuse(checkOutCommand(id, { at })).details.errors;
  t.match(wrong(scene.now + DAY_MS + 1), [{ pointer: '/checkOutTime', code: 'IN_THE_FUTURE' }]);
  t.match(wrong(now().checkIn!.at - 1), [{ pointer: '/checkOutTime', code: 'REVERSED' }]);
  const { reservation } = scene.accept(checkOutCommand(id, { at: now().checkIn!.at }));
  t.equal(reservation.checkOut!.at, reservation.checkIn!.at);
});

void t.test('who was said to come later than now can leave now', async (t) => {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const { reservation } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 1 } }));
  const ahead = scene.now + 4 * 60_000;
  scene.accept(checkInCommand(reservation.id, { at: ahead }));
  const left = scene.accept(checkOutCommand(reservation.id, { at: undefined, forced: true })).reservation;
  t.equal(left.checkOut!.at, ahead);
});

void t.test('a bill that is more than an amount can hold is refused', async (t) => {
  const { scene, id } = staying();
  const charges = [{ description: 'Hall', amount: 9_999_999_999 }];
  const { errors } = scene.refuse(checkOutCommand(id, { charges })).details;
  t.match(errors, [{ pointer: '/finalCharges', code: 'TOO_BIG' }]);
});
