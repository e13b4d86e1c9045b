import { mean } from '../../src/kernel/rules/figures.ts';
import { Random } from '../../src/kernel/rules/random.ts';
import { averageDailyRate, occupancyRate } from '../../src/revenue/rules/key-figures.ts';
import { DemandBelief } from './demand-belief.ts';
import { MARGIN, type Scenario } from './demand-scenario.ts';
import {
  drawGuests,
  normal,
  play,
  type Policy,
  type SimulatedGuest,
  type SimulatedProperty,
} from './demand-simulator.ts';
import { fareClasses } from './fare-classes.ts';
import { innkeeper, RESOLVED } from './innkeeper-policy.ts';
import { plannedWeekly } from './plan-policy.ts';
import { fixedRate, occupancyLadder, plainBidPrice } from './pricing-policies.ts';
import { byLiveRates, byProgram } from './product-rates.ts';
import type { Misbelief } from './scenarios.ts';

/** Compared policies, the reference first. */
const POLICIES = {
  FIXED: fixedRate,
  OCCUPANCY_LADDER: occupancyLadder,
  EMSR_B: fareClasses,
  BID_PRICE: plainBidPrice,
  LP_RESOLVED: (property, belief) => innkeeper(property, belief, RESOLVED),
  PLAN_RENEWED: plannedWeekly,
  PROGRAM: byProgram,
  LIVE: byLiveRates,
  INNKEEPER: innkeeper,
  // The product without one of its parts each.
  WITHOUT_LEVELS: (property, belief) => innkeeper(property, belief, { levels: false }),
  WITHOUT_SENSITIVITY: (property, belief) => innkeeper(property, belief, { sensitivity: false }),
  WITHOUT_STAYS: (property, belief) => innkeeper(property, belief, { stays: false }),
} as const satisfies Record<string, (property: SimulatedProperty, belief: DemandBelief) => Policy>;
export type PolicyName = keyof typeof POLICIES;
export const POLICY_NAMES = Object.keys(POLICIES) as PolicyName[];

/** Percent of the revenue of the reference, with the 95 % interval of the mean of paired differences. */
export type Difference = { percent: number; low: number; high: number };

/** Means over all runs. */
export type PolicyFigures = {
  policy: PolicyName;
  /** Minor units. */
  revenue: number;
  adr: number;
  /** Percent. */
  occupancy: number;
  againstFixed: Difference;
  againstBidPrice: Difference;
};

export type Comparison = { hotel: string; misbelief?: string; runs: number; policies: PolicyFigures[] };

/** Minimum of runs for an interval: 1.96 standard errors assume a normal distribution. */
export const LEAST_RUNS = 30;

/** Elasticity of a hotel's guests as a part of the middle one that is published (src/rates/rules/demand-model.ts). */
const SENSITIVITY = { least: 0.5, most: 1.5 };
/** Standard deviation of a forecast's error, of all nights together and of each week, as a part of it. */
const FORECAST_ERROR = { all: 0.1, week: 0.1 };

/** The truth of a run, and what policies believe of it. */
export type World = { truth: Scenario; guests: SimulatedGuest[]; belief: () => DemandBelief };

/** Draws a world: the same for every policy. */
export function drawWorld(scenario: Scenario, seed: number, misbelief?: Misbelief): World {
  const random = new Random(seed);
  const { least, most } = SENSITIVITY;
  const drawn = least + (most - least) * random.next();
  const sensitivity = misbelief?.sensitivity ?? drawn;
  const events = misbelief?.event ? [...scenario.events, misbelief.event] : scenario.events;
  const truth = { ...scenario, sensitivity, events };
  const bias = 1 + FORECAST_ERROR.all * normal(random);
  const weeks = Array.from({ length: Math.ceil((scenario.nights + 2 * MARGIN) / 7) + 1 }, () =>
    Math.max(0.3, bias + FORECAST_ERROR.week * normal(random)),
  );
  const error = (night: number): number => weeks[Math.floor((night + MARGIN) / 7)] ?? 1;
  const believed = { ...scenario, market: scenario.market * (misbelief?.market ?? 1) };
  const guests = drawGuests(truth, random.between(0, 2 ** 31));
  return { truth, guests, belief: () => new DemandBelief(believed, error) };
}

type Comparing = {
  runs: number;
  seed: number;
  policies: readonly PolicyName[];
  misbelief?: Misbelief;
  onRun?: () => void;
};

/**
 * Simulates a hotel many times, each time with the same guests for every policy, so that differences are those of the
 * policies.
 * @param seed run n draws from seed + n
 */
export function comparePolicies(
  scenario: Scenario,
  { runs, seed, policies, misbelief, onRun }: Comparing,
): Comparison {
  if (runs < LEAST_RUNS) throw new RangeError(`at least ${LEAST_RUNS} runs, not ${runs}`);
  const names = [...new Set<PolicyName>(['FIXED', 'BID_PRICE', ...policies])];
  const seen = new Map(names.map((name) => [name, [] as Measured[]]));
  for (let run = 0; run < runs; run++) {
    const { truth, guests, belief } = drawWorld(scenario, seed + run, misbelief);
    for (const [name, measured] of seen)
      measured.push(measure(play(truth, guests, (property) => POLICIES[name](property, belief()))));
    onRun?.();
  }
  const figuresOf = (policy: PolicyName): PolicyFigures => {
    const of = seen.get(policy)!;
    return {
      policy,
      revenue: mean(of.map(({ revenue }) => revenue)),
      adr: mean(of.map(({ adr }) => adr)),
      occupancy: mean(of.map(({ occupancy }) => occupancy)),
      againstFixed: difference(of, seen.get('FIXED')!),
      againstBidPrice: difference(of, seen.get('BID_PRICE')!),
    };
  };
  const inOrder = POLICY_NAMES.filter((name) => seen.has(name));
  return { hotel: scenario.name, misbelief: misbelief?.name, runs, policies: inOrder.map(figuresOf) };
}

type Measured = { revenue: number; occupancy: number; adr: number };

function measure({ revenue, roomsSold, roomsAvailable }: ReturnType<typeof play>): Measured {
  return {
    revenue,
    occupancy: occupancyRate(roomsSold, roomsAvailable),
    adr: averageDailyRate(revenue, roomsSold) ?? 0,
  };
}

function difference(of: readonly Measured[], reference: readonly Measured[]): Difference {
  const differences = of.map(({ revenue }, run) => revenue - reference[run]!.revenue);
  const middle = mean(differences);
  const variance = differences.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (differences.length - 1);
  const half = 1.96 * Math.sqrt(variance / differences.length);
  const percent = (value: number): number => (100 * value) / mean(reference.map(({ revenue }) => revenue));
  return { percent: percent(middle), low: percent(middle - half), high: percent(middle + half) };
}
