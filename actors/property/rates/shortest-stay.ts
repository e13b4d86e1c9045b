import type { Day } from '../../../src/kernel/rules/dates.ts';
import type { SaleTerms } from '../../../src/rates/rules/night-charges.ts';
import type { Restriction } from '../../../src/rates/rules/restriction.ts';
import type { Slab } from '../slab.ts';
import { saleWindow, type State } from '../state.ts';
import { hasRate, nightUnder, type Pricing } from './plans.ts';

/** A room type under a plan. */
export type Sold = {
  roomType: string;
  pricing: Pricing;
  slab: Slab;
  rules: ReadonlyMap<Day, Restriction> | undefined;
};

/**
 * Finds the bookable stays of a room type under a plan, shortest first, without creating an error for each refusal.
 * Applies the same rules as `checkPlan`, `checkRestrictions` and `firstSoldOut`
 * (docs/reference/rates.md#restrictions).
 */
export class Shortest {
  readonly #sold: Sold;
  readonly #today: Day;
  readonly #sale: SaleTerms;
  readonly #limit: number;
  readonly #lastNight: Day;
  /** Arrivals that the plan's advance limits allow. */
  readonly #first: Day;
  readonly #last: Day;
  /** Cached by days from today: searching back for an arrival visits the same days repeatedly. */
  readonly #open: boolean[] = [];
  readonly #departures: Day[][] = [];

  constructor(state: State, sold: Sold) {
    const { minAdvanceBooking, maxAdvanceBooking } = sold.pricing.plan;
    this.#sold = sold;
    this.#today = state.today;
    this.#sale = state.property!.metadata;
    this.#limit = this.#sale.policies.overbookingLimit;
    this.#lastNight = saleWindow(state).lastNight;
    this.#first = state.today + minAdvanceBooking;
    this.#last = state.today + maxAdvanceBooking;
  }

  /** Whether a night has a rate and a room, and is not stopped. */
  isOpen(day: Day): boolean {
    return (this.#open[day - this.#today] ??= this.#isOpen(day));
  }

  #isOpen(day: Day): boolean {
    const { slab, pricing, rules } = this.#sold;
    if (day > this.#lastNight || !slab.has(day) || rules?.get(day)?.stopSell) return false;
    if (slab.free(day, this.#limit) <= 0) return false;
    // A price that varies by stay is computed with the stay.
    return pricing.varies ? hasRate(slab, day, pricing) : nightUnder(slab, day, pricing, this.#sale) !== undefined;
  }

  /** Whether a stay may extend from one day to the night of another. Called going back, night by night. */
  mayHaveArrived(from: Day, day: Day): boolean {
    if (from < this.#first || day - from >= this.#sold.pricing.plan.maxLengthOfStay) return false;
    return this.isOpen(from);
  }

  /** Departures of the stays that start on one day and include the night of another, earliest first. */
  having(checkIn: Day, day: Day): Day[] {
    const all = (this.#departures[checkIn - this.#today] ??= [...this.from(checkIn)]);
    if (all.length === 0 || all.at(-1)! <= day) return NONE;
    return all.filter((checkOut) => checkOut > day);
  }

  /** Departures of the stays that start on a day, earliest first. */
  *from(checkIn: Day): Generator<Day, void> {
    if (checkIn < this.#first || checkIn > this.#last) return;
    const { pricing, rules } = this.#sold;
    const arrival = rules?.get(checkIn);
    if (arrival && !this.#mayArrive(arrival, checkIn)) return;
    const { minLengthOfStay, maxLengthOfStay } = pricing.plan;
    let least = Math.max(minLengthOfStay, arrival?.minStayArrival ?? 0);
    let most = Math.min(maxLengthOfStay, arrival?.maxStayArrival ?? Infinity);
    for (let nights = 1; nights <= most; nights++) {
      const night = checkIn + nights - 1;
      if (!this.isOpen(night)) return;
      const rule = rules?.get(night);
      least = Math.max(least, rule?.minStayThrough ?? 0);
      most = Math.min(most, rule?.maxStayThrough ?? Infinity);
      const isAllowed = nights >= least && nights <= most;
      if (isAllowed && !rules?.get(night + 1)?.closedToDeparture) yield night + 1;
    }
  }

  #mayArrive({ closedToArrival, minAdvance = 0, maxAdvance = Infinity }: Restriction, checkIn: Day): boolean {
    const ahead = checkIn - this.#today;
    return !closedToArrival && ahead >= minAdvance && ahead <= maxAdvance;
  }
}

const NONE: Day[] = [];
