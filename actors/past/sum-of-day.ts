import { demoRate } from '../../src/demo/rules/demand.ts';
import { demoBytes } from '../../src/demo/rules/demo-ids.ts';
import type { DemoProperty } from '../../src/demo/rules/hotels.ts';
import type { PlannedStay } from '../../src/demo/rules/plan.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import { sum } from '../../src/kernel/rules/figures.ts';
import { type BookingEvent, bookingFact } from '../../src/kernel/rules/journal.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import { endOfBusinessDay, type Instant, type PropertyClock } from '../../src/kernel/rules/property-time.ts';
import { clockOf } from '../../src/properties/rules/property.ts';
import { confirmationNumber } from '../../src/stay/rules/confirmation-number.ts';
import type { PastEvent } from './play-stays.ts';
import type { PlayedProperty } from './played-property.ts';
import { reservationIdOf, type StayWorld } from './stay-commands.ts';

/** What of a stay one row of a day says, and the type of the row. */
const ROWS = [
  ['CREATED', 'BOOK_ROOMS', 'CONFIRMED'],
  ['CANCELLED', 'CANCEL', 'CANCELLED'],
  ['NO_SHOW', 'NO_SHOW', 'NO_SHOW'],
  ['CHECKED_IN', 'CHECK_IN', 'CHECKED_IN'],
  ['CHECKED_OUT', 'CHECK_OUT', 'CHECKED_OUT'],
] as const satisfies readonly (readonly [BookingEvent, string, string])[];
type Moved = (typeof ROWS)[number][0];

/** Price of plans beside the base rate, in percent. */
const PERCENT: Record<PlannedStay['way'], number> = {
  COMPANY: 95,
  CHANNEL: 100,
  PREPAID: 100,
  NON_REFUNDABLE: 90,
  CARD: 110,
  AT_HOTEL: 100,
};
const NIGHT_MS = 60_000;

/**
 * Stays of long ago in the journal: one row a day says of all of them what came, went and was booked, so that time
 * travel, pickup and forecast know them (docs/concepts/demo.md#how-the-past-is-written).
 */
export function* sumsOfDays(
  played: PlayedProperty,
  property: DemoProperty,
  world: StayWorld,
  stays: readonly PlannedStay[],
  { first, until }: { first: Instant; until: Instant },
): Iterable<PastEvent> {
  const clock = clockOf(played.draft.property!);
  const days = new Map<Day, Map<Moved, PlannedStay[]>>();
  const dates = dateReader(clock);
  const note = (stay: PlannedStay, moved: Moved, at: Instant): void => {
    const day = dates(Math.max(at, first));
    const ofDay = days.get(day) ?? new Map<Moved, PlannedStay[]>();
    ofDay.set(moved, [...(ofDay.get(moved) ?? []), stay]);
    days.set(day, ofDay);
  };
  for (const stay of stays) {
    const { outcome, bookedAt, cancelledAt = 0, arrivesAt, leavesAt, arrival } = stay;
    if (outcome === 'CANCELS' && cancelledAt < first) continue;
    if (outcome !== 'CANCELS' && leavesAt < first) continue;
    note(stay, 'CREATED', bookedAt);
    if (outcome === 'CANCELS') note(stay, 'CANCELLED', cancelledAt);
    else if (outcome === 'NO_SHOW') note(stay, 'NO_SHOW', endOfBusinessDay(arrival, clock) + NIGHT_MS);
    else {
      if (arrivesAt >= first) note(stay, 'CHECKED_IN', arrivesAt);
      note(stay, 'CHECKED_OUT', leavesAt);
    }
  }
  for (const [day, moved] of days) {
    // At the end of its business date.
    const at = Math.min(endOfBusinessDay(day, clock) - NIGHT_MS, until);
    if (at >= first) yield { at, happens: () => noteDay({ played, property, world }, moved, at) };
  }
}

type Here = { played: PlayedProperty; property: DemoProperty; world: StayWorld };

function noteDay(
  { played, property, world }: Here,
  moved: ReadonlyMap<Moved, readonly PlannedStay[]>,
  at: Instant,
): void {
  for (const [event, type, status] of ROWS) {
    const stays = moved.get(event);
    if (!stays) continue;
    const entity = reservationIdOf(world, stays[0]!);
    const bookings = stays.map((stay) => bookingFact({ ...factsOf(property, world, stay), event, status }, entity));
    if (event === 'CREATED') for (const stay of stays) moveNights(played, property, stay, 1);
    if (event === 'CANCELLED' || event === 'NO_SHOW')
      for (const stay of stays) moveNights(played, property, stay, -1);
    played.note({ at, type, subject: 'system', entity, facts: { bookings } });
  }
}

function moveNights({ draft }: PlayedProperty, property: DemoProperty, stay: PlannedStay, rooms: 1 | -1): void {
  for (let day = Math.max(stay.arrival, draft.today); day < stay.departure; day++) {
    draft.add(stay.roomType, day, 'booked', rooms);
    draft.enter({ day, revenue: rooms * rateOf(property, stay, day), ...(rooms < 0 && { cancelled: 1 }) });
  }
}

function rateOf({ market, types }: DemoProperty, { roomType, way }: PlannedStay, day: Day): Minor {
  return Math.round(
    (demoRate(
      market!,
      types.find(({ code }) => code === roomType)!,
      day,
    ) *
      PERCENT[way]) /
      100,
  );
}

function factsOf(property: DemoProperty, world: StayWorld, stay: PlannedStay) {
  const { roomType, arrival: checkIn, departure: checkOut, adults: guests, way } = stay;
  const nights = Array.from({ length: checkOut - checkIn }, (_, n) => checkIn + n);
  const rooms = sum(nights, (day) => rateOf(property, stay, day));
  const total = Math.round(rooms * (1 + property.taxPercent / 100)) + 200 * guests * nights.length;
  const isPaid = way === 'PREPAID' || way === 'NON_REFUNDABLE';
  return {
    reservationId: reservationIdOf(world, stay),
    confirmationNumber: confirmationNumber(demoBytes(world.seed, stay.n)),
    guestId: world.guestIdOf(stay),
    roomType,
    checkIn,
    checkOut,
    guests,
    total,
    paid: isPaid ? total : 0,
    channel: undefined,
  };
}

/** Business dates of many instants: the time zone is read once a day. */
function dateReader(clock: PropertyClock): (at: Instant) => Day {
  const ends = new Map<Day, Instant>();
  const endOf = (day: Day): Instant => {
    const known = ends.get(day) ?? endOfBusinessDay(day, clock);
    ends.set(day, known);
    return known;
  };
  return (at) => {
    let day = Math.floor(at / 86_400_000);
    while (at < endOf(day - 1)) day -= 1;
    while (at >= endOf(day)) day += 1;
    return day;
  };
}
