import t from 'tap';

import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  charge,
  DAY,
  endPaymentCommand,
  group,
  id,
  modifyCommand,
  paid,
  placeHoldCommand,
  plan,
  startBookingCommand,
  startPaymentCommand,
} from '../../../src/testing/property-world.ts';

const CARD_TAKEN = { card: 'sealed', isCardTaken: true as const };

/** A property that also sells under a plan `OWN`; two nights at 100.00 cost 228.00 with taxes and fees. */
function selling(own: Partial<RatePlan>): Scene {
  const scene = Scene.property();
  const of = plan({ id: id(900), code: 'OWN', adjustmentPercent: 0, ...own });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: of, mode: 'create' });
  return scene;
}

const OWN = { rateCode: 'OWN' };

void t.test('what pays at the property or is invoiced is confirmed at once, and holds no room in suspense', (t) => {
  const atTheDesk = selling({ guarantee: 'NONE', releaseHour: '18:00' });
  t.match(atTheDesk.accept(bookCommand({ stay: OWN })).reservation, {
    status: 'CONFIRMED',
    paid: 0,
    guarantee: { kind: 'NONE', releaseHour: '18:00' },
    holdExpiresAt: undefined,
  });
  t.match(atTheDesk.cell(DAY + 5), { booked: 1, held: 0 });

  const invoiced = selling({ guarantee: 'COMPANY' });
  t.match(invoiced.accept(bookCommand({ stay: OWN, companyId: id(7) })).reservation, {
    status: 'CONFIRMED',
    companyId: id(7),
  });
  t.equal(invoiced.accept(bookCommand({ stay: OWN })).reservation.status, 'PENDING', 'nobody to invoice');
  const fixed = selling({ guarantee: 'COMPANY', companyId: id(8) });
  t.match(fixed.accept(bookCommand({ stay: OWN })).reservation, { status: 'CONFIRMED', companyId: id(8) });

  const source = { channel: 'OTA', collectedBy: 'CHANNEL' as const };
  t.match(Scene.property().accept(bookCommand({ source })).reservation, {
    status: 'CONFIRMED',
    guarantee: { kind: 'CHANNEL', channel: 'OTA' },
  });
  t.end();
});

void t.test('a card guarantee is confirmed by a card that the provider has taken, or by payment', (t) => {
  const scene = selling({ guarantee: 'CARD' });
  t.match(scene.accept(bookCommand({ stay: OWN, billing: CARD_TAKEN })).reservation, {
    status: 'CONFIRMED',
    paid: 0,
    guarantee: { kind: 'CARD' },
  });
  const { reservation } = scene.accept(bookCommand({ stay: OWN, billing: { card: 'sealed' } }));
  t.equal(reservation.status, 'PENDING', 'a card that nobody has checked is none');
  const { attempt } = scene.accept(startPaymentCommand(reservation.id, charge({ amount: 22_800 })));
  t.equal(scene.accept(endPaymentCommand(reservation.id, paid(attempt))).reservation.status, 'CONFIRMED');
  t.end();
});

void t.test('a deposit schedule is charged by what is due, and confirmed by its first instalment', (t) => {
  const schedule = [
    { percent: 30, due: { at: 'BOOKING' as const } },
    { percent: 50, due: { daysBefore: 3 } },
  ];
  const scene = selling({ guarantee: 'PREPAY', depositSchedule: schedule });
  const of = (checkIn: number) => ({ stay: { ...OWN, checkIn, checkOut: checkIn + 2 } });
  t.equal(scene.accept(startBookingCommand(of(DAY + 5))).attempt.amount, 6_840, '30 % of 228.00');
  t.equal(scene.accept(startBookingCommand(of(DAY + 3))).attempt.amount, 18_240, 'both are due');
  const { reservation } = scene.accept(bookCommand(of(DAY + 9)));
  t.equal(reservation.status, 'PENDING');
  const pay = (amount: number) => {
    const { attempt } = scene.accept(startPaymentCommand(reservation.id, charge({ paymentId: id(amount), amount })));
    return scene.accept(endPaymentCommand(reservation.id, paid(attempt))).reservation.status;
  };
  t.equal(pay(6_839), 'PENDING');
  t.equal(pay(1), 'CONFIRMED');

  const later = selling({ guarantee: 'PREPAY', depositSchedule: [{ percent: 100, due: { daysBefore: 3 } }] });
  t.equal(later.accept(bookCommand(of(DAY + 9))).reservation.status, 'PENDING', 'nobody could be charged later');
  t.equal(later.accept(bookCommand({ ...of(DAY + 9), billing: CARD_TAKEN })).reservation.status, 'CONFIRMED');
  t.equal(
    later.accept(bookCommand({ ...of(DAY + 3), billing: CARD_TAKEN })).reservation.status,
    'PENDING',
    'it is due',
  );
  t.end();
});

void t.test('a reservation and a hold keep guarantee and terms of their plan, whatever becomes of it', (t) => {
  const terms = {
    cancellation: { freeUntilHours: 72, penalty: { kind: 'PERCENT' as const, value: 50 } },
    earlyDeparture: { kind: 'NIGHTS' as const, value: 1 },
    noShow: { kind: 'PERCENT' as const, value: 100 },
    change: 'FREE' as const,
  };
  const scene = selling({ guarantee: 'NONE', releaseHour: null, terms });
  const { reservation } = scene.accept(bookCommand({ stay: OWN }));
  t.match(reservation, { terms: { ofPlan: 'OWN', ...terms } });
  const { id: fromHold } = scene.accept(placeHoldCommand(1, OWN));
  const after = plan({ id: id(900), code: 'OWN', adjustmentPercent: 0, guarantee: 'PREPAY' });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: after, mode: 'replace' });
  t.match(scene.accept(bookCommand({ stay: OWN, fromHold })).reservation, {
    status: 'CONFIRMED',
    guarantee: { kind: 'NONE' },
    terms,
  });
  t.equal(scene.accept(bookCommand({ stay: OWN })).reservation.status, 'PENDING');
  t.end();
});

void t.test('a group has the usual terms of the property, not those of the rate code that it is booked with', (t) => {
  const scene = Scene.property();
  const { groupId } = scene.accept(group());
  const wish = { groupId, stay: { rateCode: 'NRF' } };
  t.match(scene.accept(bookCommand(wish)).reservation, {
    cancellationPolicy: 'STANDARD',
    terms: { change: 'FREE', cancellation: { penalty: { kind: 'NIGHTS', value: 1 } } },
  });
  t.end();
});

void t.test('a change costs what the terms say, and only a change of the stay does', (t) => {
  const rule = { kind: 'NIGHTS' as const, value: 1 };
  const terms = {
    cancellation: { freeUntilHours: 24, penalty: rule },
    earlyDeparture: { kind: 'NONE' as const, value: 0 },
    noShow: rule,
    change: 'FEE' as const,
    changeFee: 2_500,
  };
  const scene = selling({ guarantee: 'NONE', terms });
  const { reservation } = scene.accept(bookCommand({ stay: OWN }));
  const named = scene.accept(modifyCommand(reservation.id, {}, { guest: { firstName: 'Ann' } }));
  t.equal(named.additional, 0);
  const { additional } = scene.accept(modifyCommand(reservation.id, { checkOut: reservation.stay.checkOut + 1 }));
  t.equal(additional, 11_400 + 2_500);
  t.end();
});
