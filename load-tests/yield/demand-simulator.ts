import type { Minor } from '../../src/kernel/rules/money.ts';
import { exp, log } from '../../src/kernel/rules/portable-math.ts';
import { Random } from '../../src/kernel/rules/random.ts';
import { DEMAND, elasticityOf } from '../../src/rates/rules/demand-model.ts';
import { baseRate, LONGEST_STAY, marketRate, meanArrivals, type Scenario } from './demand-scenario.ts';
import { cancellationChance, guestElasticity } from './simulated-guests.ts';

/** A potential guest: all properties are drawn before any price is known. */
export type SimulatedGuest = {
  /** Index of the room type. */
  type: number;
  arrival: number;
  nights: number;
  asksOn: number;
  /** Highest acceptable mean rate of the stay. */
  pays: Minor;
  /** The day on which a booking would be cancelled. */
  cancelsOn?: number;
};

/** Sets the rates of a property from night 0 on. */
export type Policy = {
  /** Called each morning, before guests search. */
  wake?(day: number): void;
  rate(type: number, night: number): Minor;
};

type Booking = { guest: SimulatedGuest; rates: readonly Minor[] };

/** Revenue and sales of a period under a policy. */
export type Takings = { revenue: Minor; roomsSold: number; roomsAvailable: number };

/** All potential guests of a period and before it, in order of their searches. Determined by the seed. */
export function drawGuests(scenario: Scenario, seed: number): SimulatedGuest[] {
  const random = new Random(seed);
  const weeks = Math.ceil((scenario.nights + LONGEST_STAY) / 7) + 1;
  const levels = Array.from({ length: weeks }, () => Math.max(0.3, 1 + scenario.surprise * normal(random)));
  const guests: SimulatedGuest[] = [];
  for (let night = 1 - LONGEST_STAY; night < scenario.nights + LONGEST_STAY; night++) {
    const level = levels[Math.max(0, Math.floor(night / 7))]!;
    for (const [type, roomType] of scenario.roomTypes.entries()) {
      const count = poisson(meanArrivals(scenario, roomType, night) * level, random);
      for (let n = 0; n < count; n++) guests.push(guest(scenario, { type, arrival: night }, random));
    }
  }
  // Guests of one day in random order: sorting is stable.
  return shuffled(guests, random).sort((one, other) => one.asksOn - other.asksOn);
}

function guest(
  scenario: Scenario,
  { type, arrival }: { type: number; arrival: number },
  random: Random,
): SimulatedGuest {
  const lead = leadTime(random);
  const nights = drawn(DEMAND.lengthOfStay, random) + 1;
  let usual = 0;
  for (let night = arrival; night < arrival + nights; night++)
    usual += marketRate(scenario, scenario.roomTypes[type]!, night) / nights;
  const elasticity = guestElasticity(elasticityOf(scenario.today + arrival, lead), random.next());
  const pays = (-log(1 - random.next()) * usual) / elasticity;
  const cancels = random.chance(cancellationChance(lead));
  // Most cancellations are long before arrival, and a guest who booked on the arrival day is a no-show.
  const cancelsOn = arrival - Math.min(lead - 1, Math.floor(lead * Math.sqrt(random.next())));
  return { type, arrival, nights, asksOn: arrival - lead, pays, cancelsOn: cancels ? cancelsOn : undefined };
}

/** The books of a simulated property during the simulation: the input of policies. */
export class SimulatedProperty {
  readonly scenario: Scenario;
  /** By room type: rooms booked, from {@link FIRST_NIGHT} on. */
  readonly #booked: Int32Array[];
  readonly #bookings = new Set<Booking>();
  readonly #cancellations = new Map<number, Booking[]>();

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.#booked = scenario.roomTypes.map(() => new Int32Array(scenario.nights + 3 * LONGEST_STAY));
  }

  booked(type: number, night: number): number {
    return this.#booked[type]![night + LONGEST_STAY]!;
  }

  /** Booked rooms of a night without expected cancellations, as a forecast sees them on a day. */
  expectedToStay(day: number): Float64Array[] {
    const rooms = this.scenario.roomTypes.map(() => new Float64Array(this.scenario.nights));
    for (const { guest } of this.#bookings) {
      const { type, arrival, nights } = guest;
      const stays = 1 - remainingCancellation(guest, day);
      for (let night = Math.max(0, arrival); night < Math.min(arrival + nights, this.scenario.nights); night++)
        rooms[type]![night]! += stays;
    }
    return rooms;
  }

  /** Revenue of a night of a room type so far. */
  revenue(type: number, from: number, to: number): Takings {
    const { rooms } = this.scenario.roomTypes[type]!;
    const takings = { revenue: 0, roomsSold: 0, roomsAvailable: rooms * (to - from) };
    for (const { guest, rates } of this.#bookings)
      for (const [index, rate] of rates.entries()) {
        const night = guest.arrival + index;
        if (guest.type !== type || night < from || night >= to) continue;
        takings.revenue += rate;
        takings.roomsSold += 1;
      }
    return takings;
  }

  ask(guest: SimulatedGuest, rates: readonly Minor[]): void {
    const { type, arrival, nights, pays, cancelsOn } = guest;
    const total = rates.reduce((sum, rate) => sum + rate, 0);
    if (total > pays * nights) return;
    const { rooms } = this.scenario.roomTypes[type]!;
    for (let night = arrival; night < arrival + nights; night++) if (this.booked(type, night) >= rooms) return;
    const booking = { guest, rates };
    this.#add(booking, 1);
    this.#bookings.add(booking);
    if (cancelsOn === undefined) return;
    const due = this.#cancellations.get(cancelsOn);
    if (due) due.push(booking);
    else this.#cancellations.set(cancelsOn, [booking]);
  }

  /** Removes cancellations of a day from the books. */
  cancel(day: number): void {
    for (const booking of this.#cancellations.get(day) ?? []) {
      this.#add(booking, -1);
      this.#bookings.delete(booking);
    }
    this.#cancellations.delete(day);
  }

  #add({ guest: { type, arrival, nights } }: Booking, rooms: 1 | -1): void {
    for (let night = arrival; night < arrival + nights; night++) this.#booked[type]![night + LONGEST_STAY]! += rooms;
  }
}

/** Probability that a booking still on the books on a day is cancelled before arrival. */
function remainingCancellation({ arrival, asksOn }: SimulatedGuest, day: number): number {
  const lead = arrival - asksOn;
  if (lead <= 0 || day >= arrival) return 0;
  const chance = cancellationChance(lead);
  const left = ((arrival - day) / lead) ** 2;
  return (chance * left) / (1 - chance * (1 - left));
}

/** Simulates guests under a policy. Before night 0 everything is sold at the base rates. */
export function play(
  scenario: Scenario,
  guests: readonly SimulatedGuest[],
  policyFor: (property: SimulatedProperty) => Policy,
): Takings {
  const property = new SimulatedProperty(scenario);
  const policy = policyFor(property);
  let next = 0;
  for (let day = guests[0]?.asksOn ?? 0; day < scenario.nights; day++) {
    property.cancel(day);
    if (day >= 0) policy.wake?.(day);
    for (; next < guests.length && guests[next]!.asksOn <= day; next++) {
      const guest = guests[next]!;
      const rates = Array.from({ length: guest.nights }, (_, n) => {
        const night = guest.arrival + n;
        const isOurs = day >= 0 && night >= 0 && night < scenario.nights;
        return isOurs ? policy.rate(guest.type, night) : baseRate(scenario, scenario.roomTypes[guest.type]!, night);
      });
      property.ask(guest, rates);
    }
  }
  const all = scenario.roomTypes.map((_, type) => property.revenue(type, 0, scenario.nights));
  return all.reduce((sum, one) => ({
    revenue: sum.revenue + one.revenue,
    roomsSold: sum.roomsSold + one.roomsSold,
    roomsAvailable: sum.roomsAvailable + one.roomsAvailable,
  }));
}

function leadTime(random: Random): number {
  const row = drawn(
    DEMAND.leadTimes.map(({ share }) => share),
    random,
  );
  const to = (DEMAND.leadTimes[row + 1]?.fromDays ?? DEMAND.longestLeadDays + 1) - 1;
  return random.between(DEMAND.leadTimes[row]!.fromDays, to);
}

/** A random index, weighted by share. */
function drawn(shares: readonly number[], random: Random): number {
  let left = random.next();
  const index = shares.findIndex((share) => (left -= share) < 0);
  return index < 0 ? shares.length - 1 : index;
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
function normal(random: Random): number {
  let sum = -6;
  for (let n = 0; n < 12; n++) sum += random.next();
  return sum;
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const mixed = [...list];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = random.between(0, last);
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}
