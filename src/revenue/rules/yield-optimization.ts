import { sum } from '../../kernel/rules/figures.ts';
import { searchGenetically } from './genetic-search.ts';
import { type Gene, genesOf } from './yield-choices.ts';
import { YieldDraft } from './yield-draft.ts';
import { roomBonus, YieldLandscape } from './yield-landscape.ts';
import { YieldNights } from './yield-nights.ts';
import { yieldPlanOf } from './yield-plan.ts';
import type { UnmetConstraint, YieldAnswer, YieldNight, YieldProblem, YieldWithoutData } from './yield-problem.ts';
import { YieldWorth } from './yield-worth.ts';

type YieldOptions = {
  /** Called now and then with the completed generations, of 1000 at most. */
  onProgress?: (generations: number) => void;
  /** For measurements: exactly so many generations, without stopping early. */
  exactGenerations?: number;
};

/** How often a plan is filled again after losing changes were taken back; then the fullest plan is the one. */
const FILLINGS = 10;

/** Rounding error of sums of the same numbers in another order. */
const ROUNDING = 1e-9;

/**
 * Searches rates that maximize the requested objective (docs/concepts/forecast.md#yield-optimization). Every rate is
 * within its bounds, and the projected occupancy is not below the minimum; a minimum that no such rates are expected to
 * reach is named in `unmet`, and the plan is the best one without it. Each change brings what its own figures say; only
 * where the objective is occupancy may it cost revenue. Pure and CPU-heavy: runs in a worker thread. Deterministic.
 */
export function searchYield(problem: YieldProblem, options: YieldOptions = {}): YieldAnswer {
  const priced = problem.nights.filter(({ current }) => current > 0);
  const missing = missingIn(priced);
  if (missing) return { status: 'INSUFFICIENT_DATA', missing };
  const search = new YieldSearch({ ...problem, nights: priced }, options);
  const { plan, unmet, generations, worthOfRoom } = search.best();
  const { nights, bonus } = search;
  return { ...yieldPlanOf(problem, { nights, bonus, plan, worthOfRoom }), generations, unmet };
}

/** Missing inputs without which no plan can be made. */
export function missingIn(nights: readonly YieldNight[]): YieldWithoutData['missing'] | undefined {
  if (nights.length === 0) return 'NIGHTS';
  if (!nights.some(({ capacity }) => capacity > 0)) return 'CAPACITY';
  // Where nothing is left to sell, that nobody is expected is no lack of data: the best plan is that of now.
  const isSoldOut = nights.every(({ capacity, booked }) => capacity - booked < 1);
  return isSoldOut || nights.some(({ expected }) => expected > 0) ? undefined : 'DEMAND';
}

type Best = { plan: YieldDraft; unmet: UnmetConstraint[]; generations: number; worthOfRoom: number };

class YieldSearch {
  readonly nights: YieldNights;
  readonly bonus: readonly number[];
  readonly #problem: YieldProblem;
  readonly #options: YieldOptions;
  readonly #genes: readonly Gene[];
  readonly #worth: YieldWorth;
  readonly #mayLose: boolean;

  constructor(problem: YieldProblem, options: YieldOptions) {
    this.#problem = problem;
    this.#options = options;
    this.#genes = genesOf(problem);
    this.nights = new YieldNights(this.#genes, problem);
    this.bonus = this.nights.nights.map((night) => roomBonus(problem, night));
    this.#worth = new YieldWorth(problem, this.nights, this.bonus);
    this.#mayLose = problem.objective === 'MAXIMIZE_OCCUPANCY';
  }

  best(): Best {
    const now = this.#draft(Int32Array.from(this.#genes, (gene) => gene.now));
    const fullest = this.#fullest();
    const wished = this.#roomsWished();
    const isUnmet = fullest.sold < wished - ROUNDING;
    const unmet = isUnmet ? [this.#unmetOccupancy(fullest.sold)] : [];
    const required = isUnmet ? -Infinity : wished;
    // A plan for occupancy is never emptier than the rates of now.
    const needed = Math.max(required, this.#mayLose ? Math.min(now.sold, fullest.sold) : -Infinity) - ROUNDING;
    const landscape = new YieldLandscape(this.#genes, this.nights, this.bonus, needed);
    const { exactGenerations, onProgress } = this.#options;
    const pace = exactGenerations === undefined ? {} : { generations: exactGenerations, settledOver: Infinity };
    const found = searchGenetically(landscape, { seed: this.#problem.seed, onProgress, ...pace });
    const { generations } = found;
    const plan = this.#mended(this.#draft(found.genes), needed, fullest);
    const isWorse = now.sold >= needed && now.value >= plan.value;
    return { plan: isWorse ? now : plan, unmet, generations, worthOfRoom: landscape.worthOfRoom };
  }

  #draft(choices: Int32Array): YieldDraft {
    return new YieldDraft(this.#genes, this.nights, this.bonus, choices);
  }

  /** The lowest rates, where revenue is the objective without losing any. */
  #fullest(): YieldDraft {
    const plan = this.#draft(new Int32Array(this.#genes.length));
    if (!this.#mayLose) this.#worth.easeLosses(plan);
    return plan;
  }

  /** The plan without changes that are not worth it, while enough rooms are sold. */
  #mended(found: YieldDraft, needed: number, fullest: YieldDraft): YieldDraft {
    found.fill(needed);
    const mended = found.copy();
    this.#worth.leaveWorthless(mended);
    if (mended.sold >= needed) return mended;
    if (this.#mayLose) return found;
    this.#worth.easeLosses(found);
    return found.sold >= needed ? found : this.#filledFrom(found, fullest, needed);
  }

  /** Lowers rates towards the fullest plan, evenly, until enough rooms are sold without a loss. */
  #filledFrom(found: YieldDraft, fullest: YieldDraft, needed: number): YieldDraft {
    for (let round = 0; round < FILLINGS && found.sold < needed; round++) {
      found.lowerTowards(fullest, needed);
      this.#worth.easeLosses(found);
    }
    return found.sold >= needed ? found : fullest;
  }

  /** Rooms still to be sold for the requested occupancy; negative when more are booked already. */
  #roomsWished(): number {
    const { minOccupancy } = this.#problem.constraints;
    if (minOccupancy === undefined) return -Infinity;
    const { capacity, booked } = roomsOf(this.#problem.nights);
    return (minOccupancy * capacity) / 100 - booked;
  }

  #unmetOccupancy(sold: number): UnmetConstraint {
    const { capacity, booked } = roomsOf(this.#problem.nights);
    const reachable = Math.floor(((booked + sold) / capacity) * 10_000) / 100;
    return { constraint: 'minOccupancy', asked: this.#problem.constraints.minOccupancy!, reachable };
  }
}

function roomsOf(nights: readonly YieldNight[]): { capacity: number; booked: number } {
  return { capacity: sum(nights, ({ capacity }) => capacity), booked: sum(nights, ({ booked }) => booked) };
}
