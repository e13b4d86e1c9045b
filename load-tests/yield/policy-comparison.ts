import { mean } from '../../src/kernel/rules/figures.ts';
import { averageDailyRate, occupancyRate, revenuePerAvailableRoom } from '../../src/revenue/rules/key-figures.ts';
import type { Scenario } from './demand-scenario.ts';
import { drawGuests, play, type Takings } from './demand-simulator.ts';
import { POLICIES, type PolicyName, pricingPolicyNamed } from './pricing-policies.ts';

/** Compared measures: money in minor units, occupancy in percent (docs/concepts/night-audit.md#figures). */
export const MEASURES = ['revenue', 'occupancy', 'adr', 'revPar'] as const;
export type Measure = (typeof MEASURES)[number];

/** A mean over all runs, and the mean of the differences run by run with their 95 % interval. */
export type Compared = { mean: number; difference: number; low: number; high: number };

export type PolicyFigures = { policy: PolicyName } & Record<Measure, Compared>;

export type Comparison = {
  scenario: string;
  runs: number;
  /** Each compared with FIXED. */
  policies: PolicyFigures[];
  /** The plan, made once, and renewed every week, compared with the bid price. */
  againstBidPrice: PolicyFigures[];
};

/** Minimum of runs for an interval: 1.96 standard errors assume a normal distribution. */
export const LEAST_RUNS = 30;

/**
 * Simulates a scenario many times, each time with the same guests for every policy, so that differences are those of
 * the policies.
 * @param seed run n draws from seed + n
 */
export function comparePolicies(
  scenario: Scenario,
  { runs, seed, onRun }: { runs: number; seed: number; onRun?: () => void },
): Comparison {
  if (runs < LEAST_RUNS) throw new RangeError(`at least ${LEAST_RUNS} runs, not ${runs}`);
  const seen = new Map(POLICIES.map((policy) => [policy, [] as Record<Measure, number>[]]));
  for (let run = 0; run < runs; run++) {
    const guests = drawGuests(scenario, seed + run);
    for (const [policy, measured] of seen)
      measured.push(measure(play(scenario, guests, (property) => pricingPolicyNamed(policy, property))));
    onRun?.();
  }
  const against = (other: PolicyName) => (policy: PolicyName) => figures(policy, seen.get(policy)!, seen.get(other)!);
  return {
    scenario: scenario.name,
    runs,
    policies: POLICIES.map(against('FIXED')),
    againstBidPrice: (['PLAN', 'PLAN_RENEWED'] as const).map(against('BID_PRICE')),
  };
}

function measure({ revenue, roomsSold, roomsAvailable }: Takings): Record<Measure, number> {
  return {
    revenue,
    occupancy: occupancyRate(roomsSold, roomsAvailable),
    adr: averageDailyRate(revenue, roomsSold) ?? 0,
    revPar: revenuePerAvailableRoom(revenue, roomsAvailable),
  };
}

function figures(
  policy: PolicyName,
  measured: readonly Record<Measure, number>[],
  others: readonly Record<Measure, number>[],
): PolicyFigures {
  const of = (measure: Measure): Compared =>
    compared(
      measured.map((one) => one[measure]),
      others.map((one) => one[measure]),
    );
  return { policy, revenue: of('revenue'), occupancy: of('occupancy'), adr: of('adr'), revPar: of('revPar') };
}

function compared(values: readonly number[], others: readonly number[]): Compared {
  const differences = values.map((value, run) => value - others[run]!);
  const difference = mean(differences);
  const variance = differences.reduce((sum, one) => sum + (one - difference) ** 2, 0) / (differences.length - 1);
  const half = 1.96 * Math.sqrt(variance / differences.length);
  return { mean: mean(values), difference, low: difference - half, high: difference + half };
}
