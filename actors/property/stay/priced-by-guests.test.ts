import t from 'tap';

import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import type { Party, Stay } from '../../../src/rates/rules/stay.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  id,
  modifyCommand,
  placeHoldCommand,
  plainRoom,
  plan,
  property,
  roomType,
  upgradeCommand,
} from '../../../src/testing/property-world.ts';

const AGE_BANDS = [
  { code: 'BABY', toAge: 2 },
  { code: 'CHILD', toAge: 11 },
];
const PRICING: RatePlan['occupancyPricing'] = [
  { included: 2, extraAdult: 4_000, single: -1_500, bands: { CHILD: 2_000 } },
  { roomType: 'DLX', included: 3, extraAdult: 9_000, bands: { BABY: 500, CHILD: 3_000 } },
];
const POLICIES = {
  taxPercent: 0,
  feePerNight: 0,
  feePerPersonNight: 0,
  paymentRequired: false,
  maxHeldPercent: 100,
  ageBands: AGE_BANDS,
};

/** STD at 100.00 and DLX at 150.00 for up to six guests; BAR and what is derived from it price by guests. */
function opened(pricing = PRICING): Scene {
  const scene = Scene.property({ policies: POLICIES });
  for (const code of ['STD', 'DLX'])
    scene.accept({
      type: 'PUT_ROOM_TYPE',
      roomType: roomType(code, 20, { maxAdults: 6, maxChildren: 6, maxGuests: 6 }),
      mode: 'replace',
    });
  const bar = scene.state.plans.get('BAR')!;
  scene.accept({ type: 'PUT_RATE_PLAN', plan: { ...bar, occupancyPricing: pricing }, mode: 'replace' });
  scene.accept({
    type: 'PUT_RATE_PLAN',
    plan: plan({ id: id(91), code: 'CLUB', parentCode: 'BAR', adjustmentPercent: 10 }),
    mode: 'create',
  });
  return scene;
}

const party = (adults: number, ...childAges: number[]): Party => {
  return { adults, children: childAges.length, ...(childAges.length > 0 && { childAges }) };
};
const rates = ({ nights }: Reservation): number[] => nights.map(({ rate }) => rate);

void t.test(
  'guests pay by their ages on top of the price of their room type, and so under a derived plan',
  async (t) => {
    const scene = opened();
    const cost = (code: string, who: Party, rateCode = 'BAR') =>
      rates(scene.accept(bookCommand({ stay: { roomType: code, rateCode, ...who } })).reservation)[0];
    t.equal(cost('STD', party(1)), 8_500);
    t.equal(cost('STD', party(2)), 10_000);
    t.equal(cost('STD', party(3, 5, 1)), 16_000);
    t.equal(cost('DLX', party(3)), 15_000);
    t.equal(cost('DLX', party(3, 5, 1)), 18_500);
    t.equal(cost('STD', party(3, 5, 1), 'CLUB'), 17_600);
    t.equal(cost('STD', { adults: 2, children: 1 }), 14_000, 'a child of unknown age pays as an adult');
  },
);

void t.test('a hold keeps the prices of all ages, whatever the plan and the bands are meanwhile', async (t) => {
  const scene = opened();
  const hold = scene.accept(placeHoldCommand(3));
  const bar = scene.state.plans.get('BAR')!;
  const { occupancyPricing: _, ...without } = bar;
  scene.accept({ type: 'PUT_RATE_PLAN', plan: { ...without, adjustmentAmount: 7_700 }, mode: 'replace' });
  scene.accept({ type: 'UPDATE_PROPERTY', property: property({ policies: { ...POLICIES, ageBands: [] } }) });
  const book = (who: Party): Reservation => scene.accept(bookCommand({ fromHold: hold.id, stay: who })).reservation;
  t.same(rates(book(party(1))), [8_500, 8_500]);
  const family = book(party(2, 5));
  t.same(rates(family), [12_000, 12_000]);
  const older = scene.accept(modifyCommand(family.id, party(2, 12))).reservation;
  t.same(rates(older), [14_000, 14_000], 'as it was when the room was held');
});

void t.test('a change prices the new guests as at booking; what did not change never gets dearer', async (t) => {
  const scene = opened();
  const { id: reservationId } = scene.accept(bookCommand({ stay: party(2, 5) })).reservation;
  const changed = (who: Party): number[] => rates(scene.accept(modifyCommand(reservationId, who)).reservation);
  const bar = scene.state.plans.get('BAR')!;
  scene.accept({ type: 'PUT_RATE_PLAN', plan: { ...bar, adjustmentAmount: 7_700 }, mode: 'replace' });
  t.same(changed(party(2, 12)), [14_000, 14_000], 'an older child');
  t.same(changed(party(2, 1)), [10_000, 10_000], 'a younger one');
  t.same(changed(party(1)), [8_500, 8_500]);
  t.same(changed(party(3)), [14_000, 14_000]);
});

void t.test(
  'whoever is alone afterwards pays no more than before, even where a single guest pays more',
  async (t) => {
    const scene = opened([{ included: 2, extraAdult: 0, single: 2_500, bands: {} }]);
    const { id: reservationId } = scene.accept(bookCommand()).reservation;
    t.same(rates(scene.accept(modifyCommand(reservationId, party(1))).reservation), [10_000, 10_000]);
  },
);

void t.test('a night that would cost nothing for other guests is not sold to them', async (t) => {
  const scene = opened([{ included: 2, extraAdult: 0, single: -10_000, bands: {} }]);
  t.equal(scene.refuse(bookCommand({ stay: party(1) })).code, 'NO_RATE');
  const hold = scene.accept(placeHoldCommand(1));
  t.equal(scene.refuse(bookCommand({ fromHold: hold.id, stay: party(1) })).code, 'NO_RATE');
  const { id: reservationId } = scene.accept(bookCommand()).reservation;
  t.equal(scene.refuse(modifyCommand(reservationId, party(1))).code, 'NO_RATE');
});

void t.test('an upgraded stay keeps the prices by guests of the type that was booked', async (t) => {
  const scene = opened();
  const { id: reservationId } = scene.accept(bookCommand({ stay: party(2, 5) })).reservation;
  scene.accept(upgradeCommand(reservationId, {}, { amountPerNight: 1_000 }));
  const changed = (who: Partial<Stay>): number[] =>
    rates(scene.accept(modifyCommand(reservationId, who)).reservation);
  t.same(changed({ checkOut: DAY + 6 }), [13_000]);
  t.same(changed(party(3, 5)), [17_000]);
});

void t.test('the night of a guest who stays on is priced by ages too', async (t) => {
  const scene = opened();
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const stay = { checkIn: DAY, checkOut: DAY + 1, ...party(2, 5) };
  const { id: reservationId } = scene.accept(bookCommand({ stay })).reservation;
  scene.accept(checkInCommand(reservationId));
  for (const [day, hour] of [
    [1, 12],
    [2, 3],
  ] as const) {
    scene.now = (DAY + day) * 86_400_000 + (hour - 2) * 3_600_000;
    scene.accept({ type: 'TICK' });
  }
  scene.accept({ type: 'OVERSTAY', reservationId });
  t.same(rates(scene.state.reservations.get(reservationId)!), [12_000, 12_000]);
});

void t.test('prices by guests that a plan cannot use are refused', async (t) => {
  const scene = opened();
  const pointer = (changed: Partial<RatePlan>) => {
    const one = plan({ id: id(92), code: 'OWN', ...changed });
    const { details } = scene.refuse({ type: 'PUT_RATE_PLAN', plan: one, mode: 'create' });
    return details.errors?.map((error) => `${error.pointer} ${error.code}`).join();
  };
  const price = { included: 2, extraAdult: 0, bands: {} };
  t.equal(
    pointer({ occupancyPricing: [{ ...price, roomType: 'NOPE' }] }),
    '/occupancyPricing/0/roomType UNKNOWN_ROOM_TYPE',
  );
  t.equal(
    pointer({ roomTypes: ['STD'], occupancyPricing: [price, { ...price, roomType: 'DLX' }] }),
    '/occupancyPricing/1/roomType NOT_SOLD',
  );
  t.equal(
    pointer({ occupancyPricing: [{ ...price, bands: { TEEN: 100 } }] }),
    '/occupancyPricing/0/bands/TEEN UNKNOWN_BAND',
  );
});

void t.test('an age band by which a plan prices stays', async (t) => {
  const scene = opened();
  const ageBands = AGE_BANDS.slice(0, 1);
  const { details } = scene.refuse({
    type: 'UPDATE_PROPERTY',
    property: property({ policies: { ...POLICIES, ageBands } }),
  });
  t.match(details.errors, [{ pointer: '/metadata/policies/ageBands', code: 'IN_USE' }]);
});

void t.test('who leaves early pays no more for the nights slept than was booked', async (t) => {
  const scene = opened([{ included: 1, extraAdult: 2_500, single: 3_000, bands: {} }]);
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const stay = { checkIn: DAY + 3, checkOut: DAY + 5, ...party(2) };
  const { reservation } = scene.accept(bookCommand({ stay }));
  t.same(rates(reservation), [12_500, 12_500]);
  const alone = scene.accept(modifyCommand(reservation.id, { adults: 1 })).reservation;
  t.same(rates(alone), [12_500, 12_500], 'fewer guests never pay more');
  for (let day = 0; day < 3; day++) scene.endDay();
  scene.accept(checkInCommand(reservation.id));
  const left = scene.accept(checkOutCommand(reservation.id, { forced: true })).reservation;
  t.same(rates(left), [12_500]);
});
