import type { Minor } from '../../src/kernel/rules/money.ts';
import { demandLeft } from '../../src/rates/rules/demand-model.ts';
import { bestRates } from '../../src/revenue/rules/live-rates/best-rate.ts';
import { type GuestModel, LiveRates } from '../../src/revenue/rules/live-rates/live-rates.ts';
import { roomValues } from '../../src/revenue/rules/live-rates/room-values.ts';
import { type DemandBelief, PERIODS } from './demand-belief.ts';
import { meanRate, type Policy, type SimulatedProperty, type SimulatedStay } from './demand-simulator.ts';
import { type OfferCell, type PriceSensitivity, priceSensitivity } from './live-prices/price-sensitivity.ts';
import { networkValues } from './network-values.ts';
import { withinBounds } from './pricing-policies.ts';
import { WeekLevels } from './week-levels.ts';

/** Days before a night from which on its values are renewed daily; before that, weekly. */
const DAILY = 7;
const CELLS = 40;

/** Parts of the policy that can be left out, to see what each is worth. */
export type InnkeeperParts = {
  /** Demand is learned from bookings. */
  levels: boolean;
  /** Price sensitivity is learned from offers. */
  sensitivity: boolean;
  /** A night counts what the other nights of its stays are worth. */
  stays: boolean;
  /** Rates move with each booking, and the last rooms are worth more than the others. */
  live: boolean;
};

const WHOLE: InnkeeperParts = { levels: true, sensitivity: true, stays: true, live: true };
/** A deterministic program that is solved again as demand is learned. */
export const RESOLVED: InnkeeperParts = { ...WHOLE, sensitivity: false, live: false };

/** What the product would do: rates that move with each booking, by what the property has learned. */
export function innkeeper(
  property: SimulatedProperty,
  belief: DemandBelief,
  parts: Partial<InnkeeperParts> = {},
): Policy {
  return new Innkeeper(property, belief, { ...WHOLE, ...parts });
}

class Innkeeper implements Policy {
  readonly #property: SimulatedProperty;
  readonly #belief: DemandBelief;
  readonly #parts: InnkeeperParts;
  readonly #rates: LiveRates[];
  readonly #models: GuestModel[];
  readonly #offers: OfferCell[][];
  readonly #levels: WeekLevels;
  #learned: PriceSensitivity = priceSensitivity([]);
  #today = 0;
  #isOpen = false;

  constructor(property: SimulatedProperty, belief: DemandBelief, parts: InnkeeperParts) {
    this.#property = property;
    this.#belief = belief;
    this.#parts = parts;
    const types = [...property.scenario.hotel.roomTypes.keys()];
    this.#rates = types.map(() => new LiveRates(belief.nights, parts.live ? roomValues : networkValues));
    this.#models = types.map((type) => this.#model(type));
    this.#offers = PERIODS.map((from) =>
      Array.from({ length: CELLS }, (_, cell) => ({
        assumed: belief.elasticity(0, from),
        rate: (cell + 0.5) / 10,
        offers: 0,
        bookings: 0,
      })),
    );
    this.#levels = new WeekLevels(property, belief);
  }

  wake(day: number): void {
    this.#today = day;
    this.#levels.wake(day);
    if (this.#parts.sensitivity)
      this.#learned = priceSensitivity(this.#offers.flat().filter(({ offers }) => offers > 0));
    this.#readBooks(day);
    for (const [type, rates] of this.#rates.entries())
      for (let night = Math.max(0, day); night < this.#belief.nights; night++)
        if (!this.#isOpen || night - day <= DAILY || (night - day) % 7 === 0)
          rates.renew(night, day, this.#models[type]!);
    this.#isOpen = true;
  }

  quote(stay: SimulatedStay): Minor {
    const period = periodOf(stay.arrival - stay.day);
    const rate = this.#rates[stay.type]!.rate(stay, this.#models[stay.type]!, period);
    return withinBounds(
      rate,
      meanRate(stay, (night) => this.#belief.base(stay.type, night)),
    );
  }

  observe(stay: SimulatedStay, quoted: Minor | undefined, booked: boolean): void {
    if (quoted === undefined) return;
    const lead = stay.arrival - stay.day;
    const period = periodOf(lead);
    const usual = meanRate(stay, (night) => this.#belief.usual(stay.type, night));
    const cell = this.#offers[period]![Math.min(CELLS - 1, Math.floor((10 * quoted) / usual))]!;
    cell.offers += 1;
    if (!booked) return;
    cell.bookings += 1;
    const elasticity = this.#learned.factor * this.#belief.elasticity(stay.arrival, lead);
    this.#levels.add(stay, stay.rooms / this.#belief.response(stay.type, stay.arrival, { rate: quoted, elasticity }));
    if (this.#parts.live) this.#rates[stay.type]!.take(stay, stay.rooms * this.#belief.staying(lead));
  }

  #readBooks(day: number): void {
    const { nights } = this.#belief;
    const left = this.#rates.map((_, type) => new Float64Array(nights).fill(this.#property.rooms(type)));
    for (const { guest } of this.#property.bookings) {
      const stays = guest.rooms * this.#belief.stillStaying(guest, day);
      for (let night = Math.max(0, guest.arrival); night < Math.min(nights, guest.arrival + guest.nights); night++)
        left[guest.type]![night]! -= stays;
    }
    for (const [type, rates] of this.#rates.entries())
      for (let night = 0; night < nights; night++) rates.setLeft(night, left[type]![night]!);
  }

  #doubt(): number {
    return this.#parts.sensitivity ? this.#learned.deviation / this.#learned.factor : 0;
  }

  #model(type: number): GuestModel {
    const belief = this.#belief;
    const classes = this.#parts.stays ? belief.classes : [{ nights: 1, share: 1 }];
    const elasticity = (night: number, period: number): number =>
      this.#learned.factor * belief.elasticity(night, PERIODS[period]!);
    return {
      periods: PERIODS,
      lengths: classes.map(({ nights }) => nights),
      usual: (night) => belief.usual(type, night),
      best: (night, period) => bestRates(elasticity(night, period), this.#doubt()),
      expected: (arrival, period, length) => {
        const to = Math.min((PERIODS[period + 1] ?? 366) - 1, arrival - this.#today);
        if (to < PERIODS[period]!) return 0;
        const share = belief.stayingWithin[to + 1]! - belief.stayingWithin[PERIODS[period]!]!;
        const atBase = demandLeft(
          elasticity(arrival, period),
          belief.base(type, arrival) / belief.usual(type, arrival) - 1,
        );
        const level = this.#parts.levels ? this.#levels.of(arrival) : 1;
        const rooms = belief.grossAt(type, arrival) * level * share;
        return (classes[length]!.share * rooms) / atBase;
      },
    };
  }
}

function periodOf(lead: number): number {
  return PERIODS.findLastIndex((from) => lead >= from);
}
