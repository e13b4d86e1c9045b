import { hundredths, sum } from '../../kernel/rules/figures.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import { type Minor, negated } from '../../kernel/rules/money.ts';
import { occupancyRate } from './key-figures.ts';
import { attributedGains, type NightGain } from './yield-attribution.ts';
import type { NightSale, YieldDraft } from './yield-draft.ts';
import { confidenceIn, explain, type RateStep } from './yield-explanation.ts';
import { changeLimit, type RateRange } from './yield-limits.ts';
import type { YieldNights } from './yield-nights.ts';
import { USUAL_CONSTRAINTS, type YieldPlan, type YieldProblem, type YieldRecommendation } from './yield-problem.ts';
import { reasonsFor } from './yield-reasons.ts';
import { bookedRevenueOf } from './yield-worth.ts';

type Planned = {
  nights: YieldNights;
  /** Value of a room sold on each night beside its rate. */
  bonus: readonly number[];
  plan: YieldDraft;
  /** Value of a room for the requested occupancy. */
  worthOfRoom: number;
};

/**
 * What a plan brings against the current rates, also where those are out of bounds, and its recommendations: the gains
 * of these sum to that of the plan, to the cent.
 */
export function yieldPlanOf(
  problem: YieldProblem,
  { nights, bonus, plan, worthOfRoom }: Planned,
): Omit<YieldPlan, 'generations' | 'unmet'> {
  const sales = plan.sales();
  const soldNow = nights.nights.map((_, night) => nights.sold(night, 0));
  const gains = attributedGains(
    nights,
    sales.map(({ rate }) => rate),
    bonus,
  );
  const changed = plan.changed();
  const revenues = wholeGains(changed.map((night) => gains[night]!));
  const steps = changed.map((night, place): RateStep => {
    const step = { ...sales[night]!, soldNow: soldNow[night]!, bonus: bonus[night]!, worthOfRoom };
    return { ...step, gain: gains[night]!.revenue, wholeGain: revenues[place]! };
  });
  return {
    status: 'COMPLETED',
    constraints: { ...USUAL_CONSTRAINTS, ...definedMembers(problem.constraints) },
    ...(problem.model && { model: problem.model }),
    ...(problem.confidence !== undefined && { confidence: hundredths(problem.confidence) }),
    ...figures(problem, { sales, soldNow, gain: sum(revenues, (revenue) => revenue) }),
    recommendations: steps.map((step, place) => recommendation(problem, step, plan.range(changed[place]!))),
  };
}

/** Gains in whole minor units, rounded so that none gains less than nothing by it, and that they sum to their sum. */
function wholeGains(gains: readonly NightGain[]): Minor[] {
  const whole = gains.map(({ revenue }) => Math.floor(revenue));
  const left = Math.round(sum(gains, ({ revenue }) => revenue)) - sum(whole, (revenue) => revenue);
  const byPart = [...gains.keys()].sort(
    (one, other) => gains[other]!.revenue - whole[other]! - (gains[one]!.revenue - whole[one]!) || one - other,
  );
  for (const night of byPart.slice(0, Math.max(0, left))) whole[night]! += 1;
  return whole;
}

type Sold = { sales: readonly NightSale[]; soldNow: readonly number[]; gain: Minor };

function figures(
  { objective, constraints }: YieldProblem,
  { sales, soldNow, gain }: Sold,
): Omit<YieldPlan, 'status' | 'generations' | 'recommendations'> {
  const capacity = sum(sales, ({ night }) => night.capacity);
  const booked = sum(sales, ({ night }) => night.booked);
  const roomsNow = booked + sum(soldNow, (sold) => sold);
  const roomsThen = booked + sum(sales, ({ sold }) => sold);
  const bookedRevenue = sum(sales, ({ night }) => bookedRevenueOf(night));
  const currentRevenue = Math.round(
    bookedRevenue + sum(sales, ({ night }, index) => night.current * soldNow[index]!),
  );
  const projectedRevenue = currentRevenue + gain;
  const points = ((roomsThen - roomsNow) / capacity) * 100;
  const cost = constraints.costPerOccupiedRoom;
  return {
    projectedRevenue,
    currentRevenue,
    revenueIncrease: hundredths(currentRevenue === 0 ? 0 : (projectedRevenue / currentRevenue - 1) * 100),
    averageRateChange: hundredths(
      (sum(sales, ({ rate }) => rate) / sum(sales, ({ night }) => night.current) - 1) * 100,
    ),
    occupancyImpact: hundredths(points),
    projectedOccupancy: occupancyRate(roomsThen, capacity),
    ...(objective === 'MAXIMIZE_OCCUPANCY' &&
      hundredths(points) > 0 && { costPerOccupancyPoint: Math.max(0, Math.round(negated(gain) / points)) }),
    ...(cost !== undefined && {
      currentProfit: Math.round(currentRevenue - cost * roomsNow),
      projectedProfit: Math.round(projectedRevenue - cost * roomsThen),
    }),
  };
}

function recommendation(problem: YieldProblem, step: RateStep, range: RateRange): YieldRecommendation {
  const { night, rate: optimized, soldNow, sold, wholeGain } = step;
  const { roomType, day, current } = night;
  const reasons = reasonsFor(step, problem);
  const revenueBefore = Math.round(soldNow * current);
  const limitedBy = changeLimit({ night, rate: optimized, range }, problem.constraints);
  return {
    roomType,
    day,
    current,
    optimized,
    confidence: confidenceIn(step, problem),
    expectedImpact: explain(step, reasons),
    revenueBefore,
    revenueAfter: revenueBefore + wholeGain,
    roomsBefore: hundredths(soldNow),
    roomsAfter: hundredths(sold),
    reasons,
    lowestRate: range.lowest,
    highestRate: range.highest,
    ...(limitedBy && { limitedBy }),
  };
}
