import t from 'tap';

import { baseRate, forecastRooms, type Scenario } from './demand-scenario.ts';
import { drawGuests, type SimulatedGuest, play, type Policy, SimulatedProperty } from './demand-simulator.ts';
import { scenario } from './small-scenario.ts';

const small = scenario();

/** All rates are the base rates times a factor. */
const times =
  (factor: number, property: Scenario = small) =>
  (): Policy => ({
    rate: (type, night) => Math.round(baseRate(property, property.roomTypes[type]!, night) * factor),
  });

function guest(over: Partial<SimulatedGuest> = {}): SimulatedGuest {
  return { type: 0, arrival: 2, nights: 2, asksOn: -3, pays: 20_000, ...over };
}

void t.test('a seed decides every guest, before any price is known', async (t) => {
  t.same(drawGuests(small, 5), drawGuests(small, 5));
  t.notSame(drawGuests(small, 5), drawGuests(small, 6));
  const guests = drawGuests(small, 5);
  t.same(
    guests.map(({ asksOn }) => asksOn),
    guests.map(({ asksOn }) => asksOn).sort((one, other) => one - other),
  );
  t.ok(
    guests.every(({ arrival, asksOn, nights, pays }) => asksOn <= arrival && nights >= 1 && nights <= 7 && pays > 0),
  );
  t.ok(guests.every(({ cancelsOn, asksOn }) => cancelsOn === undefined || cancelsOn > asksOn));
});

void t.test('a guest books what is free and not too dear, and nothing else', async (t) => {
  const property = new SimulatedProperty(small);
  property.ask(guest({ pays: 9_999 }), [10_000, 10_000]);
  t.equal(property.booked(0, 2), 0);
  for (let n = 0; n < 12; n++) property.ask(guest(), [10_000, 12_000]);
  t.same(
    [1, 2, 3, 4].map((night) => property.booked(0, night)),
    [0, 10, 10, 0],
  );
  property.ask(guest({ arrival: 3, nights: 3 }), [1, 1, 1]);
  t.equal(property.booked(0, 4), 0, 'a stay with one night that is full is refused whole');
  t.same(property.revenue(0, 0, 14), { revenue: 220_000, roomsSold: 20, roomsAvailable: 140 });
  t.same(property.revenue(0, 3, 4), { revenue: 120_000, roomsSold: 10, roomsAvailable: 10 });
});

void t.test('a cancelled booking frees its rooms and brings nothing', async (t) => {
  const property = new SimulatedProperty(small);
  property.ask(guest({ cancelsOn: 0 }), [10_000, 10_000]);
  property.cancel(-1);
  t.equal(property.booked(0, 2), 1);
  property.cancel(0);
  t.same([property.booked(0, 2), property.revenue(0, 0, 14).revenue], [0, 0]);
});

void t.test('a forecast counts with the cancellations that are to come', async (t) => {
  const property = new SimulatedProperty(small);
  property.ask(guest({ arrival: 10, asksOn: -30 }), [10_000, 10_000]);
  const staying = [-30, -10, 5, 9, 10].map((day) => property.expectedToStay(day)[0]![10]!);
  t.ok(Math.abs(staying[0]! - 0.69) < 1e-9, 'of 40 days ahead 31 % cancel');
  t.same(
    staying,
    staying.toSorted((one, other) => one - other),
  );
  t.equal(staying.at(-1), 1);
});

void t.test('no night ever has more rooms booked than there are', async (t) => {
  const busy = scenario({ demand: { weekday: 3, weekend: 4 } });
  let most = 0;
  play(busy, drawGuests(busy, 1), (property) => ({
    wake: () => {
      for (let night = 0; night < 14; night++) most = Math.max(most, property.booked(0, night));
    },
    rate: times(1)().rate,
  }));
  t.equal(most, 10);
});

void t.test('a policy rules from night 0 of day 0 on; what was booked before is the same for all', async (t) => {
  const guests = drawGuests(small, 3);
  const before = guests.filter(({ asksOn }) => asksOn < 0);
  t.same(play(small, before, times(3)), play(small, before, times(1)));
  t.notSame(play(small, guests, times(3)), play(small, guests, times(1)));
});

void t.test('with rooms enough, what comes is what the forecast says, at several rates', async (t) => {
  const wide = scenario({
    roomTypes: [{ roomType: 'STD', rooms: 4_000, weekday: 10_000, weekend: 12_000 }],
    demand: { weekday: 0.2, weekend: 0.25 },
  });
  const guests = drawGuests(wide, 2).filter(({ asksOn, arrival }) => asksOn >= 0 && arrival >= 0);
  for (const factor of [0.8, 1, 1.3]) {
    const { roomsSold } = play(wide, guests, times(factor, wide));
    let expected = 0;
    for (let night = 0; night < wide.nights; night++) {
      const rate = baseRate(wide, wide.roomTypes[0]!, night) * factor;
      expected += forecastRooms(wide, wide.roomTypes[0]!, 0, { night, rate });
    }
    t.ok(Math.abs(roomsSold / expected - 1) < 0.04, `${factor}: ${roomsSold} of ${expected}`);
  }
});
