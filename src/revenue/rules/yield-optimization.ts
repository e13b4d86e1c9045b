import { hundredths, sum } from '../../kernel/rules/figures.ts';
import { searchGenetically } from './genetic-search.ts';
import { occupancyRate } from './key-figures.ts';
import { genesOf } from './yield-choices.ts';
import { type NightSale, YieldDraft } from './yield-draft.ts';
import { type RateStep, confidenceIn, explain, reasonOf, revenueOf } from './yield-explanation.ts';
import { roomBonus, YieldLandscape } from './yield-landscape.ts';
import { YieldNights } from './yield-nights.ts';
import type {
  UnmetConstraint,
  YieldAnswer,
  YieldNight,
  YieldPlan,
  YieldProblem,
  YieldRecommendation,
  YieldWithoutData,
} from './yield-problem.ts';

type YieldOptions = {
  /** Called now and then with the completed generations, of 1000 at most. */
  onProgress?: (generations: number) => void;
  /** For measurements: exactly so many generations, without stopping early. */
  exactGenerations?: number;
};

/** Rounding error of sums of the same numbers in another order. */
const ROUNDING = 1e-9;

/**
 * Searches rates that maximize the requested objective (docs/concepts/forecast.md#yield-optimization). Constraints hold
 * exactly: every rate is within its bounds, and the projected occupancy is not below the minimum. A minimum that no
 * rates are expected to reach is named in `unmet`, and the plan is the best one without it. The plan is never worse for
 * its objective than the current rates, where those meet the constraints. Pure and CPU-heavy: runs in a worker thread.
 * Deterministic.
 */
export function searchYield(problem: YieldProblem, options: YieldOptions = {}): YieldAnswer {
  const priced = problem.nights.filter(({ current }) => current > 0);
  const missing = missingIn(priced);
  if (missing) return { status: 'INSUFFICIENT_DATA', missing };
  const genes = genesOf({ ...problem, nights: priced });
  const nights = new YieldNights(genes, problem);
  const bonus = nights.nights.map(({ current }) => roomBonus(problem.objective, current));
  const draft = (choices: Int32Array): YieldDraft => new YieldDraft(genes, nights, bonus, choices);

  const now = draft(Int32Array.from(genes, (gene) => gene.now));
  const fullest = draft(new Int32Array(genes.length));
  const property = propertyOf(priced);
  const wished = roomsRequested(problem, property);
  const unmet = fullest.sold < wished - ROUNDING ? [unmetOccupancy(problem, property, fullest.sold)] : [];
  const required = unmet.length > 0 ? -Infinity : wished;
  const fuller = problem.objective === 'MAXIMIZE_OCCUPANCY' ? Math.min(now.sold, fullest.sold) : 0;
  const needed = Math.max(required, fuller) - ROUNDING;

  const landscape = new YieldLandscape(genes, nights, problem.objective, needed);
  const { exactGenerations, onProgress } = options;
  const pace = exactGenerations === undefined ? {} : { generations: exactGenerations, settledOver: Infinity };
  const found = searchGenetically(landscape, { seed: problem.seed, onProgress, ...pace });
  let plan = draft(found.genes);
  plan.fill(needed);
  plan.forgetTrifles(needed, landscape.worthOfRoom);
  if (now.sold >= needed && now.value >= plan.value) plan = now;
  const search = { worthOfRoom: landscape.worthOfRoom, generations: found.generations };
  return { ...explained(problem, nights, plan, search), unmet };
}

/** Missing inputs without which no plan can be made. */
export function missingIn(nights: readonly YieldNight[]): YieldWithoutData['missing'] | undefined {
  if (nights.length === 0) return 'NIGHTS';
  if (!nights.some(({ capacity }) => capacity > 0)) return 'CAPACITY';
  return nights.some(({ expected }) => expected > 0) ? undefined : 'DEMAND';
}

type YieldProperty = { capacity: number; booked: number; bookedRevenue: number };

function propertyOf(nights: readonly YieldNight[]): YieldProperty {
  return {
    capacity: sum(nights, ({ capacity }) => capacity),
    booked: sum(nights, ({ booked }) => booked),
    bookedRevenue: sum(nights, ({ booked, bookedRevenue, current }) => bookedRevenue ?? booked * current),
  };
}

/** Rooms still to be sold for the requested occupancy; negative when more are booked already. */
function roomsRequested({ constraints }: YieldProblem, { capacity, booked }: YieldProperty): number {
  const { minOccupancy } = constraints;
  return minOccupancy === undefined ? -Infinity : (minOccupancy * capacity) / 100 - booked;
}

function unmetOccupancy(
  { constraints }: YieldProblem,
  { capacity, booked }: YieldProperty,
  sold: number,
): UnmetConstraint {
  const reachable = Math.floor(((booked + sold) / capacity) * 10_000) / 100;
  return { constraint: 'minOccupancy', asked: constraints.minOccupancy!, reachable };
}

type Search = { worthOfRoom: number; generations: number };

/** The answer for a plan, against the current rates, also where those are out of bounds. */
function explained(problem: YieldProblem, nights: YieldNights, plan: YieldDraft, search: Search): YieldPlan {
  const sales = plan.sales();
  const soldNow = nights.nights.map((_, index) => nights.sold(index, 0));
  const property = propertyOf(nights.nights);
  const projectedRevenue = Math.round(property.bookedRevenue + sum(sales, ({ rate, sold }) => rate * sold));
  const currentRevenue = Math.round(
    property.bookedRevenue + sum(sales, ({ night }, index) => night.current * soldNow[index]!),
  );
  const projected = property.booked + sum(sales, ({ sold }) => sold);
  const current = property.booked + sum(sales, (_, index) => soldNow[index]!);
  return {
    status: 'COMPLETED',
    projectedRevenue,
    currentRevenue,
    revenueIncrease: hundredths(currentRevenue === 0 ? 0 : (projectedRevenue / currentRevenue - 1) * 100),
    averageRateChange: hundredths(
      (sum(sales, ({ rate }) => rate) / sum(sales, ({ night }) => night.current) - 1) * 100,
    ),
    occupancyImpact: hundredths(((projected - current) / property.capacity) * 100),
    projectedOccupancy: occupancyRate(projected, property.capacity),
    generations: search.generations,
    recommendations: recommendations(problem, sales, soldNow, search.worthOfRoom),
  };
}

function recommendations(
  problem: YieldProblem,
  sales: readonly NightSale[],
  soldNow: readonly number[],
  worthOfRoom: number,
): YieldRecommendation[] {
  return sales.flatMap(({ night, rate: optimized, sold: soldThen }, index) => {
    const { roomType, day, current } = night;
    if (optimized === current) return [];
    const bonus = roomBonus(problem.objective, current);
    const change: RateStep = { night, optimized, soldNow: soldNow[index]!, soldThen, bonus, worthOfRoom };
    const confidence = confidenceIn(change, problem);
    const why = { expectedImpact: explain(change), ...revenueOf(change), reasons: [reasonOf(change)] };
    return [{ roomType, day, current, optimized, confidence, ...why }];
  });
}
