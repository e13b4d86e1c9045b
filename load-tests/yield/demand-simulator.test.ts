import t from 'tap';

import { baseRate, type Scenario } from './demand-scenario.ts';
import {
  drawGuests,
  meanRate,
  play,
  type Policy,
  type SimulatedGuest,
  SimulatedProperty,
} from './demand-simulator.ts';
import { scenario, smallHotel } from './small-scenario.ts';

const small = scenario();

/** All rates are the base rates times a factor. */
const times =
  (factor: number, property: Scenario = small) =>
  (): Policy => ({ quote: (stay) => meanRate(stay, (night) => baseRate(property, stay.type, night) * factor) });

function guest(over: Partial<SimulatedGuest> = {}): SimulatedGuest {
  return { type: 0, arrival: 2, nights: 2, rooms: 1, day: -3, pays: 20_000, ...over };
}

void t.test('a seed decides every guest, before any price is known', async (t) => {
  t.same(drawGuests(small, 5), drawGuests(small, 5));
  t.notSame(drawGuests(small, 5), drawGuests(small, 6));
  const guests = drawGuests(small, 5);
  const days = guests.map(({ day }) => day);
  t.same(
    days,
    days.toSorted((one, other) => one - other),
  );
  t.ok(guests.every(({ arrival, day, nights, pays }) => day <= arrival && nights >= 1 && nights <= 3 && pays > 0));
  t.ok(guests.every(({ cancelsOn, day }) => cancelsOn === undefined || cancelsOn > day));
  t.ok(guests.some(({ rooms }) => rooms === 2) && guests.some(({ rooms }) => rooms === 1));
});

void t.test('books count rooms of groups, and what was taken of the judged nights', async (t) => {
  const property = new SimulatedProperty(small);
  property.book(guest({ rooms: 9 }), 10_000);
  t.same(
    [1, 2, 3, 4].map((night) => property.booked(0, night)),
    [0, 9, 9, 0],
  );
  t.ok(property.hasRoom(guest()));
  t.notOk(property.hasRoom(guest({ rooms: 2 })), 'a group comes whole or not at all');
  t.same(property.takings(), { revenue: 180_000, roomsSold: 18, roomsAvailable: 140 });
  property.book(guest({ arrival: 13, nights: 3 }), 10_000);
  t.equal(property.takings().revenue, 190_000, 'nights after the judged ones do not count');
});

void t.test('a cancelled booking frees its rooms and brings nothing', async (t) => {
  const property = new SimulatedProperty(small);
  property.book(guest({ cancelsOn: 0 }), 10_000);
  property.cancel(-1);
  t.equal(property.booked(0, 2), 1);
  property.cancel(0);
  t.same([property.booked(0, 2), property.takings().revenue], [0, 0]);
});

void t.test('no night ever has more rooms booked than there are', async (t) => {
  const busy = scenario({ pressure: 4 });
  let most = 0;
  play(busy, drawGuests(busy, 1), (property) => ({
    wake: () => {
      for (let night = 0; night < 14; night++) most = Math.max(most, property.booked(0, night));
    },
    quote: times(1)().quote,
  }));
  t.equal(most, 10);
});

void t.test('a policy rules from its first day on; what was booked before is the same for all', async (t) => {
  const guests = drawGuests(small, 3);
  const before = guests.filter(({ day }) => day < small.opens);
  t.ok(before.length > 0);
  t.same(play(small, before, times(3)), play(small, before, times(1)));
  t.notSame(play(small, guests, times(3)), play(small, guests, times(1)));
});

void t.test('at the base rates as many book as the hotel was counted with, at any sensitivity', async (t) => {
  for (const sensitivity of [0.6, 1, 1.5]) {
    const hotel = smallHotel(200);
    const wide = scenario({
      sensitivity,
      nights: 28,
      hotel: { ...hotel, roomTypes: [{ ...hotel.roomTypes[0]!, rooms: 9999 }] },
    });
    const guests = drawGuests(wide, 2).filter(({ arrival }) => arrival >= 0 && arrival < 28);
    let booked = 0;
    play(wide, guests, () => ({
      ...times(1, wide)(),
      observe: (stay, _, books) => {
        if (books) booked += stay.rooms;
      },
    }));
    // Those who search before the policy begins are not observed: two thirds are from 0 to 20 days before.
    const seen = guests.filter(({ day }) => day >= wide.opens);
    const all = seen.length / guests.length;
    t.ok(Math.abs(booked / (200 * 28 * all) - 1) < 0.05, `${sensitivity}: ${booked} of ${200 * 28 * all}`);
  }
});

void t.test('guests who mind the rate less are lost less by a higher one', async (t) => {
  const lost = [0.5, 1.5].map((sensitivity) => {
    const one = scenario({ sensitivity });
    const guests = drawGuests(one, 7);
    return play(one, guests, times(1.5, one)).roomsSold / play(one, guests, times(1, one)).roomsSold;
  });
  t.ok(lost[0]! > lost[1]! + 0.1, lost.join(' '));
});
