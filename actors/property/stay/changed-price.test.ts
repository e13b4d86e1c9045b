import t from 'tap';

import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { totals } from '../../../src/money/rules/night.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { partyOfPersons } from '../../../src/rates/rules/stay.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  id,
  modifyCommand,
  NOW,
  paid,
  placeHoldCommand,
  plainRoom,
  plan,
  promotion,
  startBookingCommand,
} from '../../../src/testing/property-world.ts';

const CODE = { promoCode: 'TEN' };
type Wish = Parameters<typeof modifyCommand>[1];

/** A property with rooms enough, and perhaps a plan and a promotion. */
function property(own: Partial<RatePlan> = {}, promoted?: Parameters<typeof promotion>[0]): Scene {
  const scene = Scene.property({ policies: { taxPercent: 0, feePerNight: 0, feePerPersonNight: 0 } });
  scene.accept({ type: 'SET_INVENTORY', roomType: 'STD', start: DAY, end: DAY + 30, totalRooms: 50 });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: plan({ id: id(90), code: 'OWN', ...own }), mode: 'create' });
  if (promoted) scene.accept(promotion(promoted));
  return scene;
}

/** Paid, for nights from one day to another. */
function booked(scene: Scene, from: number, to: number, changed: Parameters<typeof startBookingCommand>[0] = {}) {
  const stay = { checkIn: DAY + from, checkOut: DAY + to, ...changed.stay };
  const command = startBookingCommand({ ...changed, stay });
  const { attempt } = scene.accept(command);
  const payment = paid(attempt, scene.now);
  return scene.accept({ type: 'CONFIRM_BOOKING', holdId: command.holdId, payment }).reservation;
}

function rates(scene: Scene, reservationId: string, wish: Wish): number[] {
  const command: CommandOf<'MODIFY'> = modifyCommand(reservationId, wish);
  const preview = scene.accept({ ...command, dryRun: true }).reservation.nights;
  const { reservation } = scene.accept(command);
  t.same(preview, reservation.nights, 'a dry run said it before');
  return reservation.nights.map(({ rate }) => rate);
}

t.test('a free night is not what is left when the others are given up', async (t) => {
  const scene = property({}, { discount: { type: 'FREE_NIGHTS', value: 1 } });
  const { id: one, nights } = booked(scene, 5, 8, CODE);
  const free = nights.findIndex(({ rate }) => rate === 0);
  const day = nights[free]!.day;
  t.same(rates(scene, one, { checkIn: day, checkOut: day + 1 }), [10_000]);

  const inHouse = booked(scene, 0, 3, CODE);
  scene.accept(checkInCommand(inHouse.id));
  scene.now = NOW + 86_400_000;
  scene.accept({ type: 'TICK' });
  const { reservation } = scene.accept(checkOutCommand(inHouse.id, { at: undefined }));
  t.equal(totals(reservation.nights).base, 10_000, 'nor for who leaves in house');
});

t.test('a discount whose condition is not met any more is lost for the nights that stay', async (t) => {
  const scene = property({}, { conditions: { minimumStay: 3 } });
  const { id: one } = booked(scene, 5, 8, CODE);
  t.same(rates(scene, one, { checkOut: DAY + 7 }), [10_000, 10_000]);
  t.match(scene.state.reservations.get(one), { promoCode: undefined, unclaimed: ['promoCode'] });
  t.match(scene.state.promotions.get('TEN'), { used: 0 }, 'its unit is free again');

  const early = property({}, { conditions: { advanceBookingDays: 10 } });
  const { id: two } = booked(early, 12, 14, CODE);
  t.same(rates(early, two, { checkIn: DAY + 11, checkOut: DAY + 13 }), [9_000, 9_000], 'still ten days ahead');
  t.same(rates(early, two, { checkIn: DAY + 3, checkOut: DAY + 5 }), [10_000, 10_000], 'not any more');
});

t.test('a promotion that is not on sale any more keeps its nights, and extends to no other', async (t) => {
  const scene = property({}, {});
  const { id: one } = booked(scene, 5, 6, CODE);
  const { id: promotionId } = scene.state.promotions.get('TEN')!;
  scene.accept({ type: 'PAUSE_PROMOTION', promotionId, paused: true });
  t.same(rates(scene, one, { checkOut: DAY + 8 }), [9_000, 10_000, 10_000]);
  t.same(rates(scene, one, { checkOut: DAY + 6 }), [9_000]);
});

t.test('a price by length of stay is that of the length that results, both ways', async (t) => {
  const scene = property({ lengthOfStayRules: [{ minNights: 7, percent: -20 }] });
  const own = { stay: { rateCode: 'OWN' } };
  const { id: week } = booked(scene, 5, 12, own);
  t.same(rates(scene, week, { checkOut: DAY + 6 }), [10_000], 'seven to one');
  const { id: six } = booked(scene, 5, 11, own);
  const fresh = scene.view.quote({ checkIn: DAY + 5, checkOut: DAY + 12, rateCode: 'OWN', ...partyOfPersons(2) }, NOW)
    .rates[0]!;
  t.same(rates(scene, six, { checkOut: DAY + 12 }), fresh.nightly, 'six to seven costs what a quote says');
});

t.test('what was booked is priced as then: rates that rose since are for new nights only', async (t) => {
  const scene = property({ lengthOfStayRules: [{ minNights: 3, percent: -10 }] });
  const { id: one } = booked(scene, 5, 8, { stay: { rateCode: 'OWN' } });
  scene.accept(baseRates('STD', 50_000));
  t.same(rates(scene, one, { checkOut: DAY + 7 }), [10_000, 10_000]);
  t.same(rates(scene, one, { checkOut: DAY + 8 }), [9_000, 9_000, 45_000]);
});

t.test('one guest fewer never pays more, one more pays what it cost then', async (t) => {
  const scene = property({ occupancyRules: { singleRate: 9_000, doubleRate: 12_000, extraPersonRate: 2_000 } });
  const { id: one } = booked(scene, 5, 7, { stay: { rateCode: 'OWN', ...partyOfPersons(2) } });
  scene.accept(baseRates('STD', 50_000));
  t.same(rates(scene, one, { adults: 1 }), [7_000, 7_000]);
  t.same(rates(scene, one, { adults: 2 }), [10_000, 10_000]);
  const plain = booked(scene, 5, 7, { stay: partyOfPersons(2) });
  scene.accept(baseRates('STD', 90_000));
  t.same(
    rates(scene, plain.id, { adults: 1 }),
    plain.nights.map(({ rate }) => rate),
    'nor under a plan without such rates',
  );
});

t.test('a guest pays nothing for his own room, where each room sold makes the next one dearer', async (t) => {
  const scene = property({ strategy: 'DYNAMIC' });
  const DLX = { rateCode: 'OWN', roomType: 'DLX' };
  const { id: one, nights } = booked(scene, 5, 7, { stay: DLX });
  t.same(
    rates(scene, one, { adults: 1 }),
    nights.map(({ rate }) => rate),
  );
  t.ok(scene.accept(bookCommand({ stay: DLX })).reservation.nights[0]!.rate > nights[0]!.rate);
});

t.test('a plan that was taken away locks neither its stays nor its holds', async (t) => {
  for (const end of ['removed', 'not sold'] as const) {
    const scene = property({ adjustmentPercent: -10, cancellationPolicy: 'NON_REFUNDABLE' });
    const own = { rateCode: 'OWN', checkIn: DAY + 5, checkOut: DAY + 7 };
    const { id: one } = booked(scene, 5, 7, { stay: own });
    const { id: fromHold } = scene.accept(placeHoldCommand(1, own));
    const before = scene.state.plans.get('OWN')!;
    if (end === 'removed') scene.accept({ type: 'REMOVE_RATE_PLAN', planId: before.id });
    else scene.accept({ type: 'PUT_RATE_PLAN', plan: { ...before, status: 'INACTIVE' }, mode: 'replace' });
    const added = end === 'removed' ? 10_000 : 9_000;
    t.same(rates(scene, one, { checkOut: DAY + 8 }), [9_000, 9_000, added], end);
    const { reservation } = scene.accept(bookCommand({ fromHold, stay: own }));
    t.match(
      reservation,
      { cancellationPolicy: 'NON_REFUNDABLE', terms: { change: 'NOT_ALLOWED' } },
      'on the terms of the hold',
    );
    t.equal(totals(reservation.nights).base, 18_000);
  }
});

t.test('what a hold promised is booked, though its nights have no rate any more', async (t) => {
  const scene = property({ lengthOfStayRules: [{ minNights: 2, percent: -10 }] });
  const own = { rateCode: 'OWN', checkIn: DAY + 5, checkOut: DAY + 7 };
  const { id: fromHold } = scene.accept(placeHoldCommand(1, own));
  const before = scene.state.plans.get('OWN')!;
  scene.accept({ type: 'PUT_RATE_PLAN', plan: { ...before, validTo: DAY + 4 }, mode: 'replace' });
  t.equal(scene.refuse(bookCommand({ stay: own })).code, 'NO_RATE');
  t.equal(totals(scene.accept(bookCommand({ fromHold, stay: own })).reservation.nights).base, 18_000);
});

t.test('a plan that loses a rule still judges the stays that were booked with it', async (t) => {
  const scene = property({ lengthOfStayRules: [{ minNights: 3, percent: -10 }] });
  const { id: one } = booked(scene, 5, 8, { stay: { rateCode: 'OWN' } });
  const { lengthOfStayRules: _gone, ...before } = scene.state.plans.get('OWN')!;
  scene.accept({ type: 'PUT_RATE_PLAN', plan: before, mode: 'replace' });
  t.same(rates(scene, one, { checkOut: DAY + 9 }), [9_000, 9_000, 9_000, 10_000]);
  t.same(rates(scene, one, { checkOut: DAY + 7 }), [10_000, 10_000]);
});
