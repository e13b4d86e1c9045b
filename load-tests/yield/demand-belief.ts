import { sum } from '../../src/kernel/rules/figures.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import { DEMAND, demandLeft, elasticityOf, usualPrice } from '../../src/rates/rules/demand-model.ts';
import {
  baseRate,
  lastLead,
  MARGIN,
  marketRate,
  meanArrivals,
  ruledNights,
  type Scenario,
} from './demand-scenario.ts';
import type { GuestTable } from './hotels/fitted-hotel.ts';

/** Lengths of stay that are planned for together: from so many nights on, until the next. */
export const LENGTH_CLASSES = [1, 2, 3, 4, 5, 7, 8] as const;
/** Days before arrival on which the assumed elasticity changes. */
export const PERIODS = DEMAND.elasticity.map(({ fromDays }) => fromDays);

/**
 * What a policy believes of the demand of a property: the curves that a hotel sees in its own books, a forecast of how
 * many come, and the assumptions of the product on prices.
 */
export class DemandBelief {
  readonly scenario: Scenario;
  /** By type and arrival, from {@link MARGIN} nights before the first judged one: rooms booked at the base rates. */
  readonly gross: readonly Float64Array[];
  readonly #base: readonly Float64Array[];
  readonly #usual: readonly Float64Array[];
  /** Mean nights and share of rooms of each class of lengths. */
  readonly classes: readonly { nights: number; share: number }[];
  /** Share of the booked rooms with a lead time below so many days, all and those not cancelled. */
  readonly bookedWithin: Float64Array;
  readonly stayingWithin: Float64Array;

  /**
   * @param scenario as believed
   * @param error factor of the forecast of an arrival
   */
  constructor(scenario: Scenario, error: (night: number) => number) {
    this.scenario = scenario;
    const { hotel } = scenario;
    const prices = (rate: (type: number, night: number) => Minor): Float64Array[] =>
      hotel.roomTypes.map((_, type) =>
        Float64Array.from({ length: scenario.nights + 3 * MARGIN }, (_, at) => rate(type, at - MARGIN)),
      );
    this.#base = prices((type, night) => baseRate(scenario, type, night));
    this.#usual = prices((type, night) => usualPrice(this.base(type, night), marketRate(scenario, type, night)));
    this.gross = hotel.roomTypes.map((_, type) =>
      Float64Array.from(
        { length: scenario.nights + 2 * MARGIN },
        (_, at) => meanArrivals(scenario, type, at - MARGIN) * error(at - MARGIN),
      ),
    );
    const parts = [
      { table: hotel.guests, share: 1 - hotel.groups.share },
      { table: hotel.groups, share: hotel.groups.share },
    ];
    this.classes = LENGTH_CLASSES.map((from, at) => {
      const lengths = Array.from({ length: (LENGTH_CLASSES[at + 1] ?? MARGIN + 1) - from }, (_, n) => from + n);
      const of = (nights: number): number => sum(parts, ({ table, share }) => share * table.lengths[nights - 1]!);
      const share = sum(lengths, of);
      return { share, nights: Math.max(1, Math.round(sum(lengths, (n) => n * of(n)) / Math.max(share, 1e-9))) };
    });
    this.bookedWithin = within(parts, () => 1);
    this.stayingWithin = within(parts, (cancelled) => 1 - cancelled);
  }

  grossAt(type: number, arrival: number): number {
    return this.gross[type]![arrival + MARGIN] ?? 0;
  }

  /** Share of rooms booked with a lead time of so many days that are not cancelled. */
  staying(lead: number): number {
    const booked = this.bookedWithin[lead + 1]! - this.bookedWithin[lead]!;
    return booked > 0 ? (this.stayingWithin[lead + 1]! - this.stayingWithin[lead]!) / booked : 1;
  }

  elasticity(night: number, lead: number): number {
    return elasticityOf(this.scenario.today + night, lead);
  }

  base(type: number, night: number): Minor {
    return this.#base[type]![night + MARGIN]!;
  }

  /** Reference price of guests, as the product takes it. */
  usual(type: number, night: number): Minor {
    return this.#usual[type]![night + MARGIN]!;
  }

  /** Bookings at a rate, as a part of those at the base rate. */
  response(type: number, night: number, { rate, elasticity }: { rate: Minor; elasticity: number }): number {
    const usual = this.usual(type, night);
    return demandLeft(elasticity, rate / usual - 1) / demandLeft(elasticity, this.base(type, night) / usual - 1);
  }

  /** Rooms of a night that are still expected at the base rates from a morning on, without those who cancel. */
  remaining(type: number, night: number, day: number): number {
    let rooms = 0;
    for (const { nights, share } of this.classes)
      for (let arrival = night; arrival > night - nights && arrival >= day; arrival--)
        rooms += this.grossAt(type, arrival) * share * this.stayingWithin[arrival - day + 1]!;
    return rooms;
  }

  /** Share of the rooms of an arrival whose stays fit, by their nights. */
  fitting(arrival: number, fits: (nights: number) => boolean): number {
    return sum(this.classes, ({ nights, share }) => (arrival + nights <= this.nights && fits(nights) ? share : 0));
  }

  /** Rooms expected on the books on a morning, of those booked at the base rates before. */
  onTheBooks(type: number, arrival: number, day: number): number {
    const soonest = arrival - day;
    let share = 0;
    for (let lead = soonest + 1; lead < this.bookedWithin.length - 1; lead++) {
      const booked = this.bookedWithin[lead + 1]! - this.bookedWithin[lead]!;
      if (booked > 0) share += booked * (1 - (1 - this.staying(lead)) * (1 - soonest / lead));
    }
    return this.grossAt(type, arrival) * share;
  }

  /** Probability that a booking on the books on a day is not cancelled; cancellations come evenly until arrival. */
  stillStaying({ arrival, day: booked }: { arrival: number; day: number }, day: number): number {
    const lead = arrival - booked;
    if (lead <= 0 || day >= arrival) return 1;
    const cancelled = 1 - this.staying(lead);
    const left = (arrival - day) / lead;
    return 1 - (cancelled * left) / (1 - cancelled * (1 - left));
  }

  get nights(): number {
    return ruledNights(this.scenario);
  }
}

type Part = { table: GuestTable; share: number };

function within(parts: readonly Part[], counts: (cancelled: number) => number): Float64Array {
  const shares = new Float64Array(DEMAND.longestLeadDays + 2 * MARGIN);
  for (const { table, share } of parts)
    for (const [row, lead] of table.leads.entries()) {
      const last = lastLead(row, table);
      for (let day = lead.fromDays; day <= last; day++)
        shares[day + 1]! += (share * lead.share * counts(lead.cancelled)) / (last - lead.fromDays + 1);
    }
  for (let day = 1; day < shares.length; day++) shares[day] = shares[day]! + shares[day - 1]!;
  return shares;
}
