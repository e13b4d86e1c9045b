import t from 'tap';

import { totals } from '../../../src/money/rules/night.ts';
import type { Policies } from '../../../src/properties/rules/property.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  type BookingOptions,
  checkInCommand,
  DAY,
  modifyCommand,
  placeHoldCommand,
  plainRoom,
  promotion,
  property,
  roomType,
  stayWish,
  upgradeCommand,
} from '../../../src/testing/property-world.ts';

const THEN = { taxPercent: 10, feePerNight: 300, feePerPersonNight: 200, paymentRequired: false };
const NOW = { ...THEN, taxPercent: 20, feePerNight: 500, feePerPersonNight: 700 };
const EURO = 100;
const DAY_MS = 86_400_000;

function opened(): Scene {
  const scene = Scene.property({ policies: THEN });
  const sleeps = { maxAdults: 4, maxGuests: 4 };
  for (const code of ['STD', 'DLX'])
    scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType(code, 3, sleeps), mode: 'replace' });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  scene.accept(promotion({ conditions: { minimumStay: 2 } }));
  return scene;
}

const become = (scene: Scene, policies: Partial<Policies>) =>
  scene.accept({ type: 'UPDATE_PROPERTY', property: property({ policies }) });

type Door = 'booking' | 'quote' | 'hold';
const DOORS: Door[] = ['booking', 'quote', 'hold'];

/** Books two nights for two under the former policies, directly or by a promise, of which the later ones are not true. */
function booked(door: Door, options: BookingOptions = {}) {
  const scene = opened();
  const { promoCode } = options;
  const { roomType: type, ...query } = stayWish(options.stay);
  if (door === 'quote') {
    const { nightly } = scene.view
      .quote({ ...query, promoCode }, scene.now)
      .rates.find((one) => one.roomType === type)!;
    const quote = { quoteId: 'q', expiresAt: scene.now + 900_000, nightly, promoCode, charges: scene.view.charges };
    become(scene, NOW);
    return { scene, it: scene.accept(bookCommand({ ...options, quote })).reservation };
  }
  const fromHold = door === 'hold' ? { fromHold: scene.accept(placeHoldCommand(1, options.stay)).id } : {};
  if (door === 'hold') become(scene, NOW);
  const it = scene.accept(bookCommand({ ...options, ...fromHold })).reservation;
  become(scene, NOW);
  return { scene, it };
}

for (const door of DOORS) {
  void t.test(`by ${door}: more or fewer guests pay the fees of the booking`, async (t) => {
    const { scene, it } = booked(door);
    t.same(totals(it.nights), { base: 20_000, taxes: 2_000, fees: 2 * 700, total: 23_400 });
    const three = scene.accept(modifyCommand(it.id, { adults: 3 })).reservation;
    t.match(totals(three.nights), { taxes: 2_000, fees: 18 * EURO });
    const one = scene.accept(modifyCommand(it.id, { adults: 1 })).reservation;
    t.match(totals(one.nights), { taxes: 2_000, fees: 10 * EURO });
  });

  void t.test(`by ${door}: what an upgrade adds, and a lost discount, are taxed as the booking`, async (t) => {
    const { scene, it } = booked(door);
    const { reservation } = scene.accept(upgradeCommand(it.id, {}, { amountPerNight: 40 * EURO }));
    t.match(reservation.nights, [{ surcharge: { taxes: 4 * EURO } }, { surcharge: { taxes: 4 * EURO } }]);

    const reduced = booked(door, { promoCode: 'TEN' });
    const short = reduced.scene.accept(modifyCommand(reduced.it.id, { checkOut: DAY + 6 })).reservation;
    t.same(totals(short.nights), { base: 10_000, taxes: 1_000, fees: 700, total: 11_700 });
  });
}

void t.test('new nights have the policies of the day, and later changes leave each by its own', async (t) => {
  const { scene, it } = booked('booking');
  const longer = scene.accept(modifyCommand(it.id, { checkOut: DAY + 8 })).reservation;
  const fees = [700, 700, 1_900];
  t.same(
    longer.nights.map((night) => [night.taxes, night.fees]),
    [1_000, 1_000, 2_000].map((taxes, index) => [taxes, fees[index]]),
  );
  become(scene, { ...NOW, taxPercent: 0, feePerNight: 0 });
  const one = scene.accept(modifyCommand(it.id, { adults: 1 })).reservation;
  t.same(
    one.nights.map((night) => [night.taxes, night.fees]),
    [1_000, 1_000, 2_000].map((taxes, index) => [taxes, [500, 500, 1_200][index]]),
  );
});

void t.test(
  'a night that its guest has stayed on has the policies of then, also when the stay goes on',
  async (t) => {
    const scene = opened();
    const stay = { checkIn: DAY, checkOut: DAY + 1 };
    const { id } = scene.accept(bookCommand({ stay })).reservation;
    scene.accept(checkInCommand(id));
    become(scene, NOW);
    scene.pass(2 * DAY_MS);
    scene.accept({ type: 'TICK' });
    scene.accept({ type: 'OVERSTAY', reservationId: id });
    become(scene, THEN);
    const { nights } = scene.accept(modifyCommand(id, { checkOut: DAY + 3 })).reservation;
    t.same(
      nights.map(({ taxes, fees }) => [taxes, fees]),
      [
        [1_000, 700],
        [2_000, 1_900],
        [1_000, 700],
      ],
    );
  },
);

void t.test('a booking of an earlier release, which has none of them, is changed as before', async (t) => {
  const { scene, it } = booked('booking');
  const older = scene.state.reservations.get(it.id)!;
  delete older.taxedBy;
  const three = scene.accept(modifyCommand(it.id, { adults: 3 })).reservation;
  t.match(totals(three.nights), { taxes: 2_000, fees: 2 * 2_600 }, 'fees of now for more guests');
  t.same(three.taxedBy, undefined);
  const longer = scene.accept(modifyCommand(it.id, { checkOut: DAY + 8 })).reservation;
  t.match(longer.taxedBy, [
    { from: DAY + 5, charges: undefined },
    { from: DAY + 7, charges: { taxPercent: 20 } },
  ]);
});
