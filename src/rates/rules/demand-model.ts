import { type Day, isWeekend } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { exp, log, normalDensity, normalTail } from '../../kernel/rules/portable-math.ts';

/**
 * Assumptions about guests in one table, read by optimizer and simulator alike.
 * Lead times, lengths of stay and cancellations are counted in 39,676 real bookings of one resort hotel (N. Antonio, A.
 * de Almeida, L. Nunes, "Hotel booking demand datasets", Data in Brief 22, 2019, CC BY 4.0), cancelled ones included.
 * The elasticity is an assumption: no such data set has rejected offers. For one hotel among others of its kind,
 * between 0.5 and 2 is the usual order of magnitude: lower for guests who must travel tomorrow, higher for those who
 * plan early or for pleasure. Results are therefore given with a confidence, over a range of it.
 */
export const DEMAND = {
  /** Percentage by which bookings fall when the price rises by 1 % of its usual level, by days before the night. */
  elasticity: [
    { fromDays: 0, weekday: 0.8, weekend: 0.9 },
    { fromDays: 7, weekday: 0.95, weekend: 1.05 },
    { fromDays: 30, weekday: 1.1, weekend: 1.2 },
    { fromDays: 90, weekday: 1.2, weekend: 1.3 },
  ],
  /** Range of price sensitivity among guests who pay the usual price, relative to the mean. */
  guestsMind: { least: 0.5, most: 1.5 },
  /** Standard deviation of the elasticity as a part of it; higher where no competitor is known. */
  elasticityDoubt: { withMarket: 0.3, withoutMarket: 0.4 },
  /** A competitor outside of these factors of the property's own rate sells another product. */
  marketReach: { low: 2 / 3, high: 3 / 2 },
  /**
   * By days between booking and arrival: share of all bookings, and the share of them that is cancelled or a no-show.
   */
  leadTimes: [
    { fromDays: 0, share: 0.079, cancelled: 0.05 },
    { fromDays: 1, share: 0.063, cancelled: 0.07 },
    { fromDays: 3, share: 0.065, cancelled: 0.08 },
    { fromDays: 7, share: 0.068, cancelled: 0.15 },
    { fromDays: 14, share: 0.1, cancelled: 0.25 },
    { fromDays: 30, share: 0.129, cancelled: 0.31 },
    { fromDays: 60, share: 0.093, cancelled: 0.35 },
    { fromDays: 90, share: 0.076, cancelled: 0.39 },
    { fromDays: 120, share: 0.131, cancelled: 0.37 },
    { fromDays: 180, share: 0.131, cancelled: 0.42 },
    { fromDays: 270, share: 0.065, cancelled: 0.42 },
  ],
  /** Longest lead time in the model. */
  longestLeadDays: 365,
  /** Share of stays of 1, 2, 3 ... nights; 7 stands for all longer ones. */
  lengthOfStay: [0.195, 0.157, 0.144, 0.122, 0.07, 0.045, 0.267],
} as const;

type LeadRow = { fromDays: number };

/** A figure of guests by days before the night, in the order of `fromDays`, of which the first is 0. */
export type LeadTable = readonly (LeadRow & { weekday: number; weekend: number })[];

/** What is known about the guests of a property (docs/concepts/forecast.md#learned-demand). */
export type LearnedDemand = {
  elasticity: LeadTable;
  /** Standard deviation of the elasticity as a part of it, where no competitor is known. */
  doubt: LeadTable;
  /** Share of stays of 1, 2, 3 ... nights, of as many entries as `DEMAND.lengthOfStay`. */
  lengthOfStay: readonly number[];
};

/** The assumptions, of which nothing is learned yet. */
export const ASSUMED_DEMAND: LearnedDemand = {
  elasticity: DEMAND.elasticity,
  doubt: DEMAND.elasticity.map(({ fromDays }) => {
    const { withoutMarket } = DEMAND.elasticityDoubt;
    return { fromDays, weekday: withoutMarket, weekend: withoutMarket };
  }),
  lengthOfStay: DEMAND.lengthOfStay,
};

function rowAt<T extends LeadRow>(table: readonly T[], days: number): T {
  return table.findLast(({ fromDays }) => days >= fromDays) ?? table[0]!;
}

/** End of a row of a table by lead time: the day where the next one begins. */
function endOf(table: readonly LeadRow[], index: number): number {
  return table[index + 1]?.fromDays ?? DEMAND.longestLeadDays + 1;
}

/** Share of all bookings made less than so many days before arrival. */
const BOOKED_WITHIN: readonly number[] = bookedWithin();

function bookedWithin(): number[] {
  const within = [0];
  for (const [index, { fromDays, share }] of DEMAND.leadTimes.entries()) {
    const end = endOf(DEMAND.leadTimes, index);
    for (let day = fromDays; day < end; day++) within.push(within.at(-1)! + share / (end - fromDays));
  }
  return within;
}

/** Share of all bookings made from `fewest` to `most` days before arrival, inclusive. */
export function bookedBetween(fewest: number, most: number): number {
  const end = Math.min(most, DEMAND.longestLeadDays) + 1;
  return fewest < end ? BOOKED_WITHIN[end]! - BOOKED_WITHIN[Math.max(fewest, 0)]! : 0;
}

/** Elasticity of demand so many days before the night. */
export function elasticityOf(night: Day, leadDays: number, table: LeadTable = DEMAND.elasticity): number {
  const { weekday, weekend } = rowAt(table, leadDays);
  return isWeekend(night) ? weekend : weekday;
}

/** Elasticity, or another figure of a table, of all remaining demand for a night: by its lead times, from today on. */
export function remainingElasticity(night: Day, today: Day, table: LeadTable = DEMAND.elasticity): number {
  const lead = Math.min(Math.max(night - today, 0), DEMAND.longestLeadDays);
  let weighted = 0;
  let total = 0;
  for (const [index, { fromDays }] of table.entries()) {
    if (fromDays > lead) break;
    const share = bookedBetween(fromDays, Math.min(lead, endOf(table, index) - 1));
    weighted += share * elasticityOf(night, fromDays, table);
    total += share;
  }
  return weighted / total;
}

/**
 * Reference price of guests: competitors' rates where comparable, else the current rate. With the current rate alone,
 * each recommendation that is followed would lead to another one.
 */
export function usualPrice(current: Minor, market: Minor | undefined): Minor {
  if (market === undefined) return current;
  const { low, high } = DEMAND.marketReach;
  return Math.min(Math.max(market, current * low), current * high);
}

/**
 * Part of the demand that is left when the rate changes by `change`, a part of the usual price: the mean of
 * exp(-elasticity x change) over evenly distributed sensitivities. So the same step costs more guests at a higher
 * price, an optimal price exists, and the guests who stay are less sensitive than those who left.
 */
export function demandLeft(elasticity: number, change: number): number {
  const { least, most } = DEMAND.guestsMind;
  const range = (most - least) * elasticity * change;
  // Near 0 the quotient loses its digits; its series does not.
  const mean = Math.abs(range) < 1e-4 ? 1 - range / 2 + (range * range) / 6 : (1 - exp(-range)) / range;
  return exp(-least * elasticity * change) * mean;
}

/**
 * Weight of the rate of a night for guests of a night so many days before or after it, where both have the same demand:
 * guests decide on the mean rate of their stay. Twice the sum, without the first entry twice, is 1.
 */
export const RATE_WEIGHTS: readonly number[] = rateWeights(DEMAND.lengthOfStay);

/** {@link RATE_WEIGHTS} of other lengths of stay. */
export function rateWeights(lengths: readonly number[]): number[] {
  const nights = lengths.reduce((sum, share, index) => sum + share * (index + 1), 0);
  // Of n positions of a night in a stay of n nights, n - apart include the other night too; each night is an n-th of
  // the mean rate.
  return lengths.map((_, apart) =>
    lengths.reduce((sum, share, index) => sum + (Math.max(0, index + 1 - apart) / (index + 1)) * (share / nights), 0),
  );
}

/** Above so many rooms the normal distribution is as good as counting, and faster. */
const COUNTED_ROOMS = 300;

/**
 * Expected rooms sold: the mean of min(rooms, demand).
 * @param mean expected unconstrained demand in rooms
 * @param doubt variance of the mean itself as a part of its square ({@link doubtOf}); with 0 demand is Poisson, else
 * negative binomial, its variance mean + doubt x mean^2
 * @param rooms rooms left to sell, a whole number
 */
export function expectedSold(mean: number, doubt: number, rooms: number): number {
  if (!(mean > 0) || rooms <= 0) return 0;
  if (rooms > COUNTED_ROOMS) return normallySold(mean, doubt, rooms);
  const excess = doubt * mean;
  // Zero demand has probability (1 + excess)^(-mean / excess), which goes towards Poisson's e^-mean.
  let chance = exp(-mean * logOverExcess(excess));
  let more = 1;
  let sold = 0;
  for (let n = 0; n < rooms; n++) {
    more -= chance;
    if (more < 1e-12) break;
    sold += more;
    chance *= (n * excess + mean) / ((n + 1) * (1 + excess));
  }
  return sold;
}

/**
 * Chances that at least `first` to `last` rooms are demanded, one after the other.
 * @param mean expected unconstrained demand in rooms, at least 0
 * @param doubt as for {@link expectedSold}
 * @param first at least 1
 */
export function demandChances(
  mean: number,
  doubt: number,
  { first, last }: { first: number; last: number },
): number[] {
  if (!(mean > 0)) return Array.from({ length: last - first + 1 }, () => 0);
  if (last > COUNTED_ROOMS) {
    const deviation = Math.sqrt(mean + doubt * mean * mean);
    return Array.from({ length: last - first + 1 }, (_, n) => normalTail((first + n - 0.5 - mean) / deviation));
  }
  const excess = doubt * mean;
  const chances: number[] = [];
  let chance = exp(-mean * logOverExcess(excess));
  let more = 1;
  for (let n = 0; n < last; n++) {
    more = Math.max(0, more - chance);
    chance *= (n * excess + mean) / ((n + 1) * (1 + excess));
    if (n + 1 >= first) chances.push(more);
  }
  return chances;
}

/** log(1 + x) / x; near 0, where 1 + x has lost the digits of x, by its series. */
function logOverExcess(x: number): number {
  return x < 1e-3 ? 1 - x * (1 / 2 - x * (1 / 3 - x * (1 / 4 - x / 5))) : log(1 + x) / x;
}

function normallySold(mean: number, doubt: number, rooms: number): number {
  const deviation = Math.sqrt(mean + doubt * mean * mean);
  const z = (rooms - mean) / deviation;
  return Math.max(0, mean - deviation * (normalDensity(z) - z * normalTail(z)));
}

/** A mean that may as well be three times as high is as good as unknown. */
const MAX_DOUBT = 4;

/** Uncertainty of a forecast with this mean and standard deviation: the variance beyond Poisson. */
export function doubtOf(mean: number, deviation: number): number {
  // Practically no demand; its square would underflow.
  if (!(mean > 1e-9)) return 0;
  return Math.min(MAX_DOUBT, Math.max(0, deviation * deviation - mean) / (mean * mean));
}
