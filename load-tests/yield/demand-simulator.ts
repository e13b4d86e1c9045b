import { sum } from '../../src/kernel/rules/figures.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import { exp, log } from '../../src/kernel/rules/portable-math.ts';
import { Random } from '../../src/kernel/rules/random.ts';
import {
  baseRate,
  groupRooms,
  lastLead,
  MARGIN,
  marketRate,
  meanArrivals,
  ruledNights,
  type Scenario,
  searchers,
  trueElasticity,
} from './demand-scenario.ts';
import type { GuestTable } from './hotels/fitted-hotel.ts';
import { guestElasticity } from './simulated-guests.ts';

/** A stay that is searched for. */
export type SimulatedStay = {
  /** Index of the room type. */
  type: number;
  arrival: number;
  nights: number;
  /** More than 1 for a group. */
  rooms: number;
  /** Day of the search. */
  day: number;
};

/** A potential guest: all properties are drawn before any price is known. */
export type SimulatedGuest = SimulatedStay & {
  /** Highest acceptable mean rate of the stay. */
  pays: Minor;
  /** The day on which a booking would be cancelled. */
  cancelsOn?: number;
};

/** Sets the rates of a property from the day on which it opens. */
export type Policy = {
  /** Called each morning, before guests search. */
  wake?(day: number): void;
  /** Mean rate of a room and night of a stay, all nights of which the policy rules. */
  quote(stay: SimulatedStay): Minor;
  /** Called after a search with what was quoted; `undefined` where rooms were missing. */
  observe?(stay: SimulatedStay, quoted: Minor | undefined, booked: boolean): void;
};

/** Revenue and sales of the judged nights under a policy. */
export type Takings = { revenue: Minor; roomsSold: number; roomsAvailable: number };

/** All potential guests of a period and before it, in order of their searches. Determined by the seed. */
export function drawGuests(scenario: Scenario, seed: number): SimulatedGuest[] {
  const random = new Random(seed);
  const weeks = Math.ceil((scenario.nights + 2 * MARGIN) / 7) + 1;
  const levels = Array.from({ length: weeks }, () => Math.max(0.3, 1 + scenario.surprise * normal(random)));
  const guests: SimulatedGuest[] = [];
  const { hotel } = scenario;
  for (let night = -MARGIN; night < scenario.nights + MARGIN; night++) {
    const level = levels[Math.floor((night + MARGIN) / 7)]!;
    const single = searchers(scenario, hotel.guests, night);
    const grouped = searchers(scenario, hotel.groups, night);
    const draws = {
      guests: { table: hotel.guests, weights: single, share: 1 - hotel.groups.share },
      groups: { table: hotel.groups, weights: grouped, share: hotel.groups.share / groupRooms(hotel.groups) },
    };
    for (const type of hotel.roomTypes.keys())
      for (const [kind, { table, weights, share }] of Object.entries(draws)) {
        const mean = meanArrivals(scenario, type, night) * level * share * sum(weights, (one) => one);
        for (let left = share > 0 ? poisson(mean, random) : 0; left > 0; left--) {
          const rooms = kind === 'groups' ? hotel.groups.sizes[drawn(hotel.groups.sizes, random)]!.rooms : 1;
          guests.push(guest(scenario, { type, arrival: night, rooms, table, weights }, random));
        }
      }
  }
  // Guests of one day in random order: sorting is stable.
  return shuffled(guests, random).sort((one, other) => one.day - other.day);
}

type Drawing = { type: number; arrival: number; rooms: number; table: GuestTable; weights: readonly number[] };

function guest(
  scenario: Scenario,
  { type, arrival, rooms, table, weights }: Drawing,
  random: Random,
): SimulatedGuest {
  const row = drawnAt(weights, random);
  const lead = random.between(table.leads[row]!.fromDays, lastLead(row, table));
  const nights = drawnAt(table.lengths, random) + 1;
  let usual = 0;
  for (let night = arrival; night < arrival + nights; night++) usual += marketRate(scenario, type, night) / nights;
  const elasticity = guestElasticity(trueElasticity(scenario, arrival, lead), random.next());
  const pays = (-log(1 - random.next()) * usual) / elasticity;
  const cancels = random.chance(table.leads[row]!.cancelled);
  const left = scenario.hotel.cancelledWithLeft[random.between(0, 9)] ?? 0;
  // A guest who booked on the arrival day is a no-show.
  const cancelsOn = arrival - Math.min(lead - 1, Math.floor(lead * left));
  return { type, arrival, nights, rooms, day: arrival - lead, pays, cancelsOn: cancels ? cancelsOn : undefined };
}

type Booking = { guest: SimulatedGuest; rate: Minor };

/** The books of a simulated property during the simulation: the input of policies. */
export class SimulatedProperty {
  readonly scenario: Scenario;
  readonly bookings = new Set<Booking>();
  /** By room type: rooms booked, from {@link MARGIN} nights before the first judged one. */
  readonly #booked: Int32Array[];
  readonly #cancellations = new Map<number, Booking[]>();

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.#booked = scenario.hotel.roomTypes.map(() => new Int32Array(scenario.nights + 4 * MARGIN));
  }

  booked(type: number, night: number): number {
    return this.#booked[type]![night + MARGIN]!;
  }

  rooms(type: number): number {
    return this.scenario.hotel.roomTypes[type]!.rooms;
  }

  /** Whether so many rooms are left on all nights of a stay. */
  hasRoom({ type, arrival, nights, rooms }: SimulatedStay): boolean {
    for (let night = arrival; night < arrival + nights; night++)
      if (this.booked(type, night) + rooms > this.rooms(type)) return false;
    return true;
  }

  takings(): Takings {
    const { nights, hotel } = this.scenario;
    const all = sum(hotel.roomTypes, ({ rooms }) => rooms);
    const takings = { revenue: 0, roomsSold: 0, roomsAvailable: all * nights };
    for (const { guest, rate } of this.bookings) {
      const judged = Math.min(nights, guest.arrival + guest.nights) - Math.max(0, guest.arrival);
      if (judged <= 0) continue;
      takings.revenue += rate * judged * guest.rooms;
      takings.roomsSold += judged * guest.rooms;
    }
    return takings;
  }

  book(guest: SimulatedGuest, rate: Minor): void {
    const booking = { guest, rate };
    this.#add(guest, guest.rooms);
    this.bookings.add(booking);
    if (guest.cancelsOn === undefined) return;
    const due = this.#cancellations.get(guest.cancelsOn);
    if (due) due.push(booking);
    else this.#cancellations.set(guest.cancelsOn, [booking]);
  }

  /** Removes cancellations of a day from the books. */
  cancel(day: number): void {
    for (const booking of this.#cancellations.get(day) ?? []) {
      this.#add(booking.guest, -booking.guest.rooms);
      this.bookings.delete(booking);
    }
    this.#cancellations.delete(day);
  }

  #add({ type, arrival, nights }: SimulatedGuest, rooms: number): void {
    for (let night = arrival; night < arrival + nights; night++) this.#booked[type]![night + MARGIN]! += rooms;
  }
}

/** Simulates guests under a policy. */
export function play(
  scenario: Scenario,
  guests: readonly SimulatedGuest[],
  policyFor: (property: SimulatedProperty) => Policy,
): Takings {
  const property = new SimulatedProperty(scenario);
  const policy = policyFor(property);
  const last = ruledNights(scenario);
  let next = 0;
  for (let day = guests[0]?.day ?? 0; day < scenario.nights; day++) {
    property.cancel(day);
    const isOpen = day >= scenario.opens;
    if (isOpen) policy.wake?.(day);
    for (; next < guests.length && guests[next]!.day <= day; next++) {
      const guest = guests[next]!;
      const isRuled = isOpen && guest.arrival >= 0 && guest.arrival + guest.nights <= last;
      const rate = !property.hasRoom(guest)
        ? undefined
        : isRuled
          ? policy.quote(guest)
          : meanRate(guest, (night) => baseRate(scenario, guest.type, night));
      const books = rate !== undefined && rate <= guest.pays;
      if (books) property.book(guest, rate);
      if (isRuled) policy.observe?.(guest, rate, books);
    }
  }
  return property.takings();
}

/** Mean over the nights of a stay. */
export function meanRate({ arrival, nights }: SimulatedStay, rate: (night: number) => number): Minor {
  let total = 0;
  for (let night = arrival; night < arrival + nights; night++) total += rate(night);
  return Math.round(total / nights);
}

function drawn(rows: readonly { share: number }[], random: Random): number {
  return drawnAt(
    rows.map(({ share }) => share),
    random,
  );
}

/** A random index, by weight. */
function drawnAt(weights: readonly number[], random: Random): number {
  let left = random.next() * sum(weights, (one) => one);
  const index = weights.findIndex((weight) => (left -= weight) < 0);
  return index < 0 ? weights.length - 1 : index;
}

/** In parts, since e^-mean underflows for a high mean. */
function poisson(mean: number, random: Random): number {
  let count = 0;
  for (let left = mean; left > 0; left -= 30) {
    const least = exp(-Math.min(left, 30));
    for (let product = random.next(); product > least; product *= random.next()) count += 1;
  }
  return count;
}

/** Nearly normal: the sum of twelve uniform draws. */
export function normal(random: Random): number {
  let total = -6;
  for (let n = 0; n < 12; n++) total += random.next();
  return total;
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const mixed = [...list];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = random.between(0, last);
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}
