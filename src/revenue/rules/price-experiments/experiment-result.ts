import { mean, sum } from '../../../kernel/rules/figures.ts';
import type { Minor } from '../../../kernel/rules/money.ts';
import type { Arm } from './price-experiment.ts';

/** What was booked on a day of sale. */
export type DayOfSale = {
  /** Blocks 0 and 1 are a pair, and so on. */
  block: number;
  arm: Arm;
  isCounted: boolean;
  rooms: number;
  revenue: Minor;
  /** Revenue of such a day before the experiment. */
  usual: Minor;
};

type OfArm = { days: number; rooms: number; revenuePerDay: Minor };

/** Difference that the tried rates make to the revenue of a day of sale, with its interval of 95 %. */
export type Uplift = {
  amount: Minor;
  low: Minor;
  high: Minor;
  percent: number;
  lowPercent: number;
  highPercent: number;
};

export const EXPERIMENT_FINDINGS = ['TOO_FEW', 'NOT_DISTINGUISHABLE', 'BETTER', 'WORSE'] as const;

export type ExperimentResult = {
  control: OfArm;
  treatment: OfArm;
  leftOut: number;
  pairs: number;
  finding: (typeof EXPERIMENT_FINDINGS)[number];
  /** Absent with too few pairs. */
  uplift?: Uplift;
  /** Part of the variance of the pairs that their usual revenue explains. */
  explained?: number;
};

/** Pairs from which on an interval is given: three are used up by what is estimated. */
const LEAST_PAIRS = 4;
/** Pairs from which on the usual revenue is taken into account: before, it adds more doubt than it removes. */
const ADJUSTED_FROM = 8;

type Difference = { tried: number; usual: number };

/**
 * What tried rates bring: the mean difference of adjacent blocks, less what the difference of their usual revenue
 * explains. Pairs see the same season; which block of a pair is tried was drawn, so that the mean is unbiased.
 */
export function resultOf(days: readonly DayOfSale[]): ExperimentResult {
  const counted = days.filter((day) => day.isCounted);
  const [control, treatment] = (['CONTROL', 'TREATMENT'] as const).map((arm) => ofArm(counted, arm)) as [
    OfArm,
    OfArm,
  ];
  const pairs = differencesOf(counted);
  const all = { control, treatment, leftOut: days.length - counted.length, pairs: pairs.length };
  if (pairs.length < LEAST_PAIRS) return { ...all, finding: 'TOO_FEW' };
  const { amount, error, freedom, explained } = estimate(pairs);
  const reach = studentQuantile(freedom) * error;
  const [low, high] = [amount - reach, amount + reach];
  const percent = (minor: number): number => (control.revenuePerDay > 0 ? (100 * minor) / control.revenuePerDay : 0);
  return {
    ...all,
    finding: low > 0 ? 'BETTER' : high < 0 ? 'WORSE' : 'NOT_DISTINGUISHABLE',
    uplift: { amount, low, high, percent: percent(amount), lowPercent: percent(low), highPercent: percent(high) },
    explained,
  };
}

function ofArm(counted: readonly DayOfSale[], arm: Arm): OfArm {
  const those = counted.filter((day) => day.arm === arm);
  return {
    days: those.length,
    rooms: sum(those, ({ rooms }) => rooms),
    revenuePerDay: mean(those.map(({ revenue }) => revenue)),
  };
}

/** Tried less control of each pair of which both blocks have a day that counts. */
function differencesOf(counted: readonly DayOfSale[]): Difference[] {
  const pairs = new Map<number, DayOfSale[]>();
  for (const day of counted) {
    const pair = Math.floor(day.block / 2);
    pairs.set(pair, [...(pairs.get(pair) ?? []), day]);
  }
  return [...pairs.values()].flatMap((pair) => {
    const [tried, control] = (['TREATMENT', 'CONTROL'] as const).map((arm) => pair.filter((day) => day.arm === arm));
    if (tried!.length === 0 || control!.length === 0) return [];
    const difference = (of: (day: DayOfSale) => number): number => mean(tried!.map(of)) - mean(control!.map(of));
    return [{ tried: difference(({ revenue }) => revenue), usual: difference(({ usual }) => usual) }];
  });
}

/** Least squares of the difference on that of the usual revenue; the constant is what the rates bring. */
function estimate(pairs: readonly Difference[]): {
  amount: number;
  error: number;
  freedom: number;
  explained: number;
} {
  const n = pairs.length;
  const [meanTried, meanUsual] = [mean(pairs.map(({ tried }) => tried)), mean(pairs.map(({ usual }) => usual))];
  const spread = sum(pairs, ({ tried }) => (tried - meanTried) ** 2);
  const width = n < ADJUSTED_FROM ? 0 : sum(pairs, ({ usual }) => (usual - meanUsual) ** 2);
  if (width <= 1e-9)
    return { amount: meanTried, error: Math.sqrt(spread / (n - 1) / n), freedom: n - 1, explained: 0 };
  const slope = sum(pairs, ({ tried, usual }) => (tried - meanTried) * (usual - meanUsual)) / width;
  const rest = sum(pairs, ({ tried, usual }) => (tried - meanTried - slope * (usual - meanUsual)) ** 2);
  const variance = (rest / (n - 2)) * (1 / n + meanUsual ** 2 / width);
  const explained = spread > 0 ? 1 - rest / spread : 0;
  return { amount: meanTried - slope * meanUsual, error: Math.sqrt(variance), freedom: n - 2, explained };
}

/** Student's distribution between 2.5 and 97.5 %, by the expansion of Cornish and Fisher: right to 1 % from 3 degrees on. */
function studentQuantile(freedom: number): number {
  const z = 1.959964;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ];
  return z + sum(terms, (term, at) => term / freedom ** (at + 1));
}
