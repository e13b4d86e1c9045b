import { decimalText, type Minor } from '../../kernel/rules/money.ts';
import { normalTail } from '../../kernel/rules/portable-math.ts';
import {
  ASSUMED_DEMAND,
  DEMAND,
  demandLeft,
  doubtOf,
  expectedSold,
  remainingElasticity,
  usualPrice,
} from '../../rates/rules/demand-model.ts';
import type { YieldNight, YieldProblem, YieldReason } from './yield-problem.ts';

/** A night before and after its rate changes. */
export type RateStep = {
  night: YieldNight;
  rate: Minor;
  /** Expected rooms sold at the current rates, and under the plan. */
  soldNow: number;
  sold: number;
  /** Value of a room sold beside its rate under the objective, and for a minimum of occupancy. */
  bonus: number;
  worthOfRoom: number;
  /** Revenue that the change brings to all nights, exactly, and in minor units. */
  gain: number;
  wholeGain: Minor;
};

/** Points of a normal distribution, in standard deviations, and their weights. */
const SCENARIOS = [
  { off: -2, weight: 0.054 },
  { off: -1, weight: 0.242 },
  { off: 0, weight: 0.408 },
  { off: 1, weight: 0.242 },
  { off: 2, weight: 0.054 },
] as const;

/** Minimum relative uncertainty of a forecast. */
const LEAST_DOUBT = 0.01;

/** Part of a night's revenue that comes from other nights before it is worth a word. */
const BESIDE = 0.01;

/** Limits of the confidence. */
const SUREST = 0.95;
const LEAST_SURE = 0.05;

/**
 * Confidence in a change: the weight of the cases of demand and elasticity around the model in which the night earns
 * more at the new rate than at the current one.
 * @returns 0.05 to 0.95 with two decimals
 */
export function confidenceIn(
  { night, rate: optimized, bonus, worthOfRoom }: Pick<RateStep, 'night' | 'rate' | 'bonus' | 'worthOfRoom'>,
  { today, demand = ASSUMED_DEMAND }: Pick<YieldProblem, 'today' | 'demand'>,
): number {
  const { capacity, booked, expected, deviation, current, market, day } = night;
  const rooms = Math.max(0, Math.floor(capacity - booked));
  const elasticity = remainingElasticity(day, today, demand.elasticity);
  const { withMarket, withoutMarket } = DEMAND.elasticityDoubt;
  const elasticityDoubt =
    remainingElasticity(day, today, demand.doubt) * (market === undefined ? 1 : withMarket / withoutMarket);
  const demandDoubt = Math.sqrt(Math.max(LEAST_DOUBT, doubtOf(expected, deviation)));
  const change = (optimized - current) / usualPrice(current, market);
  const extra = bonus + worthOfRoom;
  let sure = 0;
  for (const demand of SCENARIOS) {
    const mean = expected * Math.max(0.05, 1 + demand.off * demandDoubt);
    const now = expectedSold(mean, 0, rooms) * (current + extra);
    const gains = SCENARIOS.map(({ off }) => {
      const left = demandLeft(elasticity * Math.max(0.05, 1 + off * elasticityDoubt), change);
      return expectedSold(mean * left, 0, rooms) * (optimized + extra) - now;
    });
    sure += demand.weight * chanceOfGain(gains);
  }
  return Math.round(Math.min(SUREST, Math.max(LEAST_SURE, sure)) * 100) / 100;
}

/**
 * Chance of more than 0, of gains at the points of {@link SCENARIOS}: between two points as a line. By the points alone
 * a change that pays at the middle one would always have the same chance, however soon it stops to pay beyond.
 */
function chanceOfGain(gains: readonly number[]): number {
  const last = SCENARIOS.length - 1;
  let chance =
    (gains[0]! > 0 ? normalTail(-SCENARIOS[0].off) : 0) + (gains[last]! > 0 ? normalTail(SCENARIOS[last]!.off) : 0);
  for (let point = 0; point < last; point += 1) {
    const [from, to] = [SCENARIOS[point]!.off, SCENARIOS[point + 1]!.off];
    const [one, other] = [gains[point]!, gains[point + 1]!];
    const part = one > 0 === other > 0 ? 1 : Math.abs(one) / (Math.abs(one) + Math.abs(other));
    const between = from + part * (to - from);
    if (one > 0) chance += normalTail(from) - normalTail(between);
    if (other > 0 && part < 1) chance += normalTail(between) - normalTail(to);
  }
  return chance;
}

/** The reasons for a change in one sentence, then rooms and revenue before and after. */
export function explain(
  { night, rate, soldNow, sold, wholeGain }: RateStep,
  reasons: readonly YieldReason[],
): string {
  const before = Math.round(soldNow * night.current);
  const why = reasons.map(({ text }, n) => (n === 0 ? text : text[0]!.toLowerCase() + text.slice(1))).join(', and ');
  const rates = `at ${decimalText(rate)} instead of ${decimalText(night.current)}`;
  // Where there is one room, a tenth of it is too coarse.
  const digits = sold.toFixed(1) === soldNow.toFixed(1) ? 2 : 1;
  const rooms = `${sold.toFixed(digits)} more rooms are expected to sell instead of ${soldNow.toFixed(digits)}`;
  const after = before + wholeGain;
  // What guests of the nights beside it bring or cost is in the second amount alone.
  const beside = Math.abs(after - sold * rate) > BESIDE * Math.abs(after) ? ', with the nights beside it' : '';
  return `${why}: ${rates}, ${rooms}${beside}, for ${decimalText(after)} instead of ${decimalText(before)}.`;
}
