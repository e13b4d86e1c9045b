import type { Minor } from '../../kernel/rules/money.ts';
import { attributedGains, type NightGain } from './yield-attribution.ts';
import type { NightSale, YieldDraft } from './yield-draft.ts';
import { confidenceIn } from './yield-explanation.ts';
import type { YieldNights } from './yield-nights.ts';
import { USUAL_CONSTRAINTS, type YieldNight, type YieldProblem } from './yield-problem.ts';

/** Part of the changes that are not worth it that goes at once: what is left of the others may be worth it then. */
const AT_ONCE = 1 / 3;

/** A change that pays in fewer of the plausible cases is not recommended. */
const LEAST_CONFIDENCE = 0.5;

/** Rooms that a night counts as at least. */
const LEAST_ROOMS = 0.1;

/** What a change must bring by its own figures: the minimum gain, or for a minimum of occupancy no loss. */
type Least = 'GAIN' | 'NO_LOSS';

/** Judges the changes of a plan by what they bring (docs/concepts/forecast.md#what-is-recommended). */
export class YieldWorth {
  readonly #problem: YieldProblem;
  readonly #nights: YieldNights;
  readonly #bonus: readonly number[];
  readonly #minimum: number;

  constructor(problem: YieldProblem, nights: YieldNights, bonus: readonly number[]) {
    this.#problem = problem;
    this.#nights = nights;
    this.#bonus = bonus;
    this.#minimum = (problem.constraints.minGainPercent ?? USUAL_CONSTRAINTS.minGainPercent) / 100;
  }

  /** Takes back changes that gain too little, the worst first, until each that is left gains enough. */
  leaveWorthless(plan: YieldDraft): void {
    for (;;) {
      const lost = this.#worthless(plan, 'GAIN');
      if (lost.length === 0) return;
      for (const { night } of lost.slice(0, Math.ceil(lost.length * AT_ONCE))) plan.leave(night);
    }
  }

  /** Takes back losing changes by halves, so that as much occupancy as possible is left of them. */
  easeLosses(plan: YieldDraft): void {
    for (;;) {
      const lost = this.#worthless(plan, 'NO_LOSS');
      if (lost.length === 0) return;
      for (const { night } of lost) plan.ease(night);
    }
  }

  /** Worst first. */
  #worthless(plan: YieldDraft, least: Least): { night: number; worth: number }[] {
    const sales = plan.sales();
    const rates = sales.map(({ rate }) => rate);
    const gains = attributedGains(this.#nights, rates, this.#bonus);
    return plan
      .changed()
      .map((night) => ({ night, worth: this.#worth(sales[night]!, night, gains[night]!, least) }))
      .filter(({ worth }) => worth < 0)
      .sort((one, other) => one.worth - other.worth);
  }

  /**
   * What a change brings beyond the least, as a part of its night's rooms or revenue; below 0 when it brings less. A
   * night counts as a tenth of a room at least: a percentage of hardly any demand is no gain.
   */
  #worth({ night, rate }: NightSale, index: number, gain: NightGain, least: Least): number {
    const soldNow = this.#nights.sold(index, 0);
    const minimum = Math.max(least === 'GAIN' ? this.#minimum : 0, Number.EPSILON);
    if (this.#problem.objective === 'MAXIMIZE_OCCUPANCY')
      return gain.rooms / Math.max(night.booked + soldNow, LEAST_ROOMS) - minimum;
    const revenue = Math.max(bookedRevenueOf(night) + soldNow * night.current, LEAST_ROOMS * night.current);
    if (least === 'NO_LOSS') return gain.revenue / revenue;
    const step = { night, rate, bonus: this.#bonus[index]!, worthOfRoom: 0 };
    const sure = confidenceIn(step, this.#problem) - LEAST_CONFIDENCE;
    return Math.min(sure, gain.revenue / revenue, (gain.revenue + gain.bonus) / revenue - minimum);
  }
}

/** Revenue of a night's booked rooms. */
export function bookedRevenueOf({ booked, bookedRevenue, current }: YieldNight): Minor {
  return bookedRevenue ?? booked * current;
}
