import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { type Instant, instantAt } from '../../kernel/rules/property-time.ts';
import { Random } from '../../kernel/rules/random.ts';
import { demandOf } from './demand.ts';
import { BOOKING_WAYS, type BookingWay, type DemoMarket, type DemoProperty, type DemoType } from './hotels.ts';

/** A stay as it will have been: booked, perhaps cancelled, arrived, left (docs/concepts/demo.md#guests). */
export type PlannedStay = {
  /** Number in the plan. */
  n: number;
  /** Number of the guest; some come again. */
  guest: number;
  roomType: string;
  arrival: Day;
  departure: Day;
  adults: number;
  way: BookingWay;
  /** Index of the company that is invoiced. */
  company?: number;
  bookedAt: Instant;
  outcome: 'STAYS' | 'CANCELS' | 'NO_SHOW';
  /** When it is cancelled. */
  cancelledAt?: Instant;
  arrivesAt: Instant;
  leavesAt: Instant;
  /** Amount of something that the guest has from the bar, in minor units. */
  extra?: number;
};

type PlanOf = {
  /** The day on which the demo begins to live. */
  origin: Day;
  seed: number;
  /** First number of a stay and of a guest, so that those of several properties are apart. */
  offset: number;
  /** First and last day of arrival. */
  from: Day;
  to: Day;
};

/** Nights before an arrival on which guests cancel at the latest, so that it costs them nothing. */
const CANCELLED_BEFORE = 4;
/** Part of the guests who book far ahead. */
const FAR_AHEAD = 0.2;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Returning guests are among the last so many of the property. */
const REMEMBERED = 900;
const RETURNS: Readonly<Record<BookingWay, number>> = {
  COMPANY: 0.6,
  CHANNEL: 0.06,
  PREPAID: 0.25,
  NON_REFUNDABLE: 0.1,
  CARD: 0.25,
  AT_HOTEL: 0.3,
};
/** Price of something small. */
const BAR_UNIT = 100;
/** Rooms of a type that no guest is planned for: the desk can always give one. */
const SPARE = 1;

/**
 * All stays of a property with an arrival in the period, in the order of arrival. The same property, origin and seed
 * give the same; no night has more guests than rooms, also with those who cancel later.
 */
export function planStays(property: DemoProperty, of: PlanOf): PlannedStay[] {
  const { market } = property;
  if (!market) return [];
  const stays: PlannedStay[] = [];
  const longest = market.nights.length;
  const taken = new Map(property.types.map(({ code }) => [code, new Uint16Array(of.to - of.from + longest + 2)]));
  const staying = new Map(property.types.map(({ code }) => [code, new Uint16Array(of.to - of.from + longest + 2)]));
  const guests = new Guests(of.offset);
  for (let day = of.from; day <= of.to; day++) {
    const random = new Random(of.seed * 31 + day * 7_907 + 17);
    for (const type of property.types) {
      const rooms = { taken: taken.get(type.code)!, staying: staying.get(type.code)!, first: of.from };
      arrivalsOf({ property, market, type, day, random, of, rooms, guests, stays });
    }
  }
  return stays;
}

type Rooms = { taken: Uint16Array; staying: Uint16Array; first: Day };
type Arrivals = {
  property: DemoProperty;
  market: DemoMarket;
  type: DemoType;
  day: Day;
  random: Random;
  of: PlanOf;
  rooms: Rooms;
  guests: Guests;
  stays: PlannedStay[];
};

/** Guests arrive until as many rooms are taken as the demand of the night wants. */
function arrivalsOf({ property, market, type, day, random, of, rooms, guests, stays }: Arrivals): void {
  const at = day - rooms.first;
  // The dearest type fills last.
  const share = 1 - (0.3 / Math.max(5, property.types.length)) * property.types.indexOf(type);
  const wanted = Math.round(type.rooms * Math.min(0.97, demandOf(market, day, of) * share));
  for (let missing = wanted - rooms.staying[at]!; missing > 0;) {
    const stay = newStay(property, type, day, random, guests);
    const fits = nightsOf(stay).every(
      (night) => rooms.taken[night - rooms.first]! < type.rooms - (market.spare ?? SPARE),
    );
    // No stay of this length fits: those who leave first make room.
    if (!fits) return;
    for (const night of nightsOf(stay)) {
      rooms.taken[night - rooms.first]! += 1;
      if (stay.outcome === 'STAYS') rooms.staying[night - rooms.first]! += 1;
    }
    if (stay.outcome === 'STAYS') missing -= 1;
    stays.push({ n: of.offset + stays.length, ...stay });
  }
}

const nightsOf = ({ arrival, departure }: Pick<PlannedStay, 'arrival' | 'departure'>): Day[] =>
  Array.from({ length: departure - arrival }, (_, n) => arrival + n);

function newStay(
  property: DemoProperty,
  type: DemoType,
  arrival: Day,
  random: Random,
  guests: Guests,
): Omit<PlannedStay, 'n'> {
  const market = property.market!;
  const { timezone } = property;
  const way = weighted(random, BOOKING_WAYS, (one) => market.ways[one]);
  const nights =
    1 +
    weighted(
      random,
      market.nights.map((_, n) => n),
      (n) => market.nights[n]!,
    );
  const lead = leadOf(market, way, random);
  const bookedAt = during(random, arrival - lead, BOOKING_HOURS, timezone);
  const outcome = outcomeOf(market, way, lead, random);
  const cancelledAt =
    outcome === 'CANCELS'
      ? Math.round(bookedAt + (lead - CANCELLED_BEFORE) * DAY_MS * (0.1 + 0.85 * random.next()))
      : undefined;
  const adults = random.chance(way === 'COMPANY' ? 0.85 : 0.25) ? 1 : random.between(2, Math.max(2, type.sleeps));
  // Who pays at the hotel has his room until 18:00.
  const arrives = ARRIVING_HOURS[way] ?? [14, 22];
  const extra = random.chance(0.18) ? random.between(6, 48) * (market.barUnit ?? BAR_UNIT) : undefined;
  return {
    guest: guests.next(way, random),
    roomType: type.code,
    arrival,
    departure: arrival + nights,
    adults: Math.min(adults, type.sleeps),
    way,
    ...(way === 'COMPANY' && { company: Math.min(3, Math.floor(random.next() ** 2 * 4)) }),
    bookedAt: Math.min(bookedAt, startOf(arrival, timezone) + 12 * HOUR_MS),
    outcome,
    ...(cancelledAt !== undefined && { cancelledAt }),
    arrivesAt: during(random, arrival, arrives, timezone),
    leavesAt: during(random, arrival + nights, LEAVING_HOURS, timezone),
    ...(extra !== undefined && { extra }),
  };
}

type Hours = readonly [from: number, to: number];
/** Hours in which bookings come, guests arrive and leave. */
const BOOKING_HOURS: Hours = [0, 23];
const ARRIVING_HOURS: Partial<Record<BookingWay, Hours>> = { AT_HOTEL: [13, 17], COMPANY: [16, 22] };
const LEAVING_HOURS: Hours = [6, 10];

function leadOf({ lead: [typical, longest] }: DemoMarket, way: BookingWay, random: Random): number {
  // Companies book late, and who pays in advance early.
  const factor = way === 'COMPANY' ? 0.45 : way === 'NON_REFUNDABLE' ? 1.8 : 1;
  // Some plan far ahead: the year to come is on the books, if thinly.
  const far = random.chance(FAR_AHEAD) ? 4 : 0.8;
  const days = -Math.log(1 - random.next() * 0.999) * typical * factor * far;
  return Math.min(longest, Math.floor(days));
}

/**
 * Most cancel early, without a penalty. Only guests who have paid, or whose channel pays, do not come: a penalty
 * that nobody has paid would be a debt of the desk.
 */
function outcomeOf(market: DemoMarket, way: BookingWay, lead: number, random: Random): PlannedStay['outcome'] {
  const chance = random.next();
  if (way === 'NON_REFUNDABLE') return chance < market.noShows * 3 ? 'NO_SHOW' : 'STAYS';
  if (lead > CANCELLED_BEFORE && chance < market.cancelled * 1.5) return 'CANCELS';
  return 'STAYS';
}

/** Numbers of guests; some come again. */
class Guests {
  readonly #first: number;
  #made = 0;
  readonly #companies: number[] = [];

  constructor(first: number) {
    this.#first = first;
  }

  next(way: BookingWay, random: Random): number {
    const isKnown = random.chance(RETURNS[way]);
    const list = way === 'COMPANY' ? this.#companies : undefined;
    if (isKnown && list && list.length > 20)
      return list[random.between(Math.max(0, list.length - REMEMBERED), list.length - 1)]!;
    const made = this.#made;
    if (isKnown && !list && made > 50) return this.#first + random.between(Math.max(0, made - REMEMBERED), made - 1);
    const guest = this.#first + this.#made++;
    list?.push(guest);
    return guest;
  }
}

function weighted<T>(random: Random, list: readonly T[], weightOf: (one: T) => number): T {
  let left = random.next() * sum(list, weightOf);
  for (const one of list) {
    left -= weightOf(one);
    if (left < 0) return one;
  }
  return list.at(-1)!;
}

/** An instant of the day, from a full hour to the end of another one. */
function during(random: Random, day: Day, [from, to]: Hours, timezone: string): Instant {
  return startOf(day, timezone) + from * HOUR_MS + Math.floor(random.next() * (to - from + 1) * HOUR_MS);
}

/** Midnight: a look at the time zone for each of some ten thousand moments would take seconds. */
const startOf = (day: Day, timezone: string): Instant => instantAt(day, '00:00', timezone);
