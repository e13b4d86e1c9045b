import fc from 'fast-check';
import t from 'tap';

import type { Day } from '../../../src/kernel/rules/dates.ts';
import type { CalendarDay } from '../../../src/rates/rules/queries.ts';
import { partyOfPersons } from '../../../src/rates/rules/stay.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  DAY,
  envelope,
  id,
  NOW,
  plan,
  restrict,
} from '../../../src/testing/property-world.ts';
import { inCiOrNightly } from '../../../test/loop/nightly.ts';

/** Nights that can be sold, and the most that a stay may have: few enough to try every stay there is. */
const NIGHTS = 9;
const MAX_NIGHTS = 5;
const PARTY = partyOfPersons(2);

const small = (most: number) => fc.option(fc.integer({ min: 1, max: most }), { nil: undefined });
const planOf = (code: string, more: object) =>
  fc
    .record({
      minLengthOfStay: fc.integer({ min: 1, max: 3 }),
      maxLengthOfStay: fc.integer({ min: 3, max: MAX_NIGHTS }),
      minAdvanceBooking: fc.constantFrom(0, 0, 2),
      maxAdvanceBooking: fc.constantFrom(365, 6),
      validFrom: fc.constantFrom(undefined, DAY + 2),
      validTo: fc.constantFrom(undefined, DAY + 7),
      adjustmentPercent: fc.constantFrom(0, -20, 15),
      // Of one night in the cheaper type nothing is left.
      adjustmentAmount: fc.constantFrom(0, 0, -10_000),
    })
    .map((rules) => plan({ code, ...rules, ...more }));

const restriction = fc.record({
  rateCode: fc.constantFrom(undefined, 'BAR', 'WEB', 'LONG'),
  roomType: fc.constantFrom(undefined, 'STD', 'DLX'),
  from: fc.integer({ min: 0, max: NIGHTS }),
  days: fc.integer({ min: 1, max: 4 }),
  change: fc.oneof(
    fc.constantFrom({ closedToArrival: true }, { closedToDeparture: true }, { stopSell: true }),
    fc.record({ minStayArrival: small(4), minStayThrough: small(3) }),
    fc.record({ maxStayArrival: small(4), maxStayThrough: small(4) }),
    fc.record({ minAdvance: small(5), maxAdvance: small(5) }),
  ),
});

const world = fc.record({
  bar: planOf('BAR', {}),
  web: planOf('WEB', { parentCode: 'BAR' }),
  long: planOf('LONG', { lengthOfStayRules: [{ minNights: 3, percent: -30 }] }),
  restrictions: fc.array(restriction, { maxLength: 6 }),
  soldOut: fc.array(fc.tuple(fc.constantFrom('STD', 'DLX'), fc.integer({ min: 0, max: NIGHTS })), { maxLength: 5 }),
  dear: fc.boolean(),
});
type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

function property({ bar, web, long, restrictions, soldOut, dear }: World): Scene {
  const scene = Scene.property({ policies: { paymentRequired: false, horizonNights: NIGHTS - 1 } });
  if (dear) scene.accept(baseRates('DLX', 4_000_000_000, DAY + 4, DAY + 5));
  const known = [...scene.state.plans.values()];
  scene.accept({ type: 'PUT_RATE_PLAN', plan: { ...bar, id: known[0]!.id }, mode: 'replace' });
  for (const { id: planId } of known.slice(1)) scene.accept({ type: 'REMOVE_RATE_PLAN', planId });
  for (const [index, one] of [web, long].entries())
    scene.accept({ type: 'PUT_RATE_PLAN', plan: { ...one, id: id(800 + index) }, mode: 'create' });
  for (const { change, from, days, rateCode, roomType } of restrictions) {
    const end = Math.min(NIGHTS - 1, from + days - 1);
    const range = { start: DAY + Math.min(from, end), end: DAY + end, rateCode, roomType };
    scene.accept(restrict(change, range));
  }
  for (const [roomType, offset] of soldOut) {
    const day = DAY + Math.min(offset, NIGHTS - 1);
    scene.accept({ type: 'SET_INVENTORY', roomType, start: day, end: day, totalRooms: 0 });
  }
  return scene;
}

type Booked = { roomType: string; rateCode: string; checkIn: Day; checkOut: Day; rates: Map<Day, number> };

/** A stay as a booking takes it now, without anything coming of it; `undefined` where it is refused. */
function booked(scene: Scene, stay: Omit<Booked, 'rates'>): Booked | undefined {
  const [outcome] = new Scene(scene.state, NOW).batch(envelope(bookCommand({ stay }))).outcomes;
  if (outcome!.kind === 'fault') throw outcome!.error;
  if (outcome!.kind === 'refused') return undefined;
  const { reservation } = outcome!.decision.result as { reservation: { nights: { day: Day; rate: number }[] } };
  return { ...stay, rates: new Map(reservation.nights.map(({ day, rate }) => [day, rate])) };
}

/** Every stay that can be booked. */
function everyStay(scene: Scene): Booked[] {
  const found: Booked[] = [];
  for (const roomType of ['STD', 'DLX'])
    for (const rateCode of ['BAR', 'WEB', 'LONG'])
      for (let checkIn = DAY; checkIn < DAY + NIGHTS; checkIn++)
        for (let checkOut = checkIn + 1; checkOut <= checkIn + MAX_NIGHTS; checkOut++) {
          const stay = booked(scene, { roomType, rateCode, checkIn, checkOut });
          if (stay) found.push(stay);
        }
  return found;
}

/** The cheapest night of those who arrive on a day, each under its plan for as short as may be. */
function cheapestArrival(stays: readonly Booked[], day: Day): number | undefined {
  const arriving = stays.filter(({ checkIn }) => checkIn === day);
  const shortest = new Map<string, Booked>();
  for (const stay of arriving) {
    const key = `${stay.roomType} ${stay.rateCode}`;
    const known = shortest.get(key);
    if (!known || stay.checkOut < known.checkOut) shortest.set(key, stay);
  }
  const rates = [...shortest.values()].map(({ rates: nightly }) => nightly.get(day)!);
  return rates.length > 0 ? Math.min(...rates) : undefined;
}

function mustAgree({ day, rate, roomType, rateCode, stay }: CalendarDay, stays: readonly Booked[]): void {
  const at = `day ${day - DAY}`;
  const isNamed = (one: Booked) =>
    one.roomType === roomType &&
    one.rateCode === rateCode &&
    one.checkIn === stay!.checkIn &&
    one.checkOut === stay!.checkOut;
  const named = rate === null ? undefined : stays.find(isNamed);
  if (rate !== null && !named)
    throw new Error(`${at}: ${roomType} ${rateCode} ${JSON.stringify(stay)} cannot be had`);
  if (named && named.rates.get(day) !== rate) throw new Error(`${at}: costs ${named.rates.get(day)}, not ${rate}`);
  const arrival = cheapestArrival(stays, day);
  if (arrival !== undefined && (stay?.checkIn !== day || rate !== arrival))
    throw new Error(`${at}: an arrival at ${arrival} is hidden behind ${rate}`);
  if (rate === null && stays.some(({ rates }) => rates.has(day))) throw new Error(`${at}: a night is hidden`);
}

t.test('what the calendar offers can be booked at its price, and what can be booked is offered', async (t) => {
  const seen = { arrivals: 0, passing: 0, nothing: 0 };
  fc.assert(
    fc.property(world, (made) => {
      const scene = property(made);
      const stays = everyStay(scene);
      for (let look = 0; look < 2; look++)
        for (const item of scene.view.calendar({ start: DAY, end: DAY + NIGHTS + 2, ...PARTY })) {
          mustAgree(item, stays);
          seen[item.rate === null ? 'nothing' : item.stay!.checkIn === item.day ? 'arrivals' : 'passing'] += 1;
        }
    }),
    { numRuns: inCiOrNightly(60, 2_000) },
  );
  t.comment(JSON.stringify(seen));
  t.ok(Math.min(...Object.values(seen)) > 100, 'often enough to say something');
});
