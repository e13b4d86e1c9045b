import { exp, log } from '../../../src/kernel/rules/portable-math.ts';
import { demandLeft } from '../../../src/rates/rules/demand-model.ts';

/** Offers of a period of sales at about one rate, and bookings that came of them. */
export type OfferCell = {
  /** Elasticity that is assumed for the guests of the period. */
  assumed: number;
  /** The rate as a part of the usual one. */
  rate: number;
  offers: number;
  bookings: number;
};

/** Factor of the assumed elasticities, and its standard deviation. */
export type PriceSensitivity = { factor: number; deviation: number };

/** Standard deviation of the logarithm of the factor: published elasticities lie between half and twice the middle one. */
const PRIOR_DEVIATION = 0.35;
/** From 0.3 to 2.7, in even steps of the logarithm. */
const FACTORS = Array.from({ length: 45 }, (_, n) => exp((n - 24) * 0.05));

/**
 * How much guests mind the price against what is assumed: the mean over plausible factors, weighted by how well each
 * explains at which rates offers were taken. Only the differences between rates of a period count, not how many of all
 * offers are taken: that depends on who looks.
 */
export function priceSensitivity(cells: readonly OfferCell[]): PriceSensitivity {
  const periods = [...Map.groupBy(cells, ({ assumed }) => assumed).values()];
  const likelihoods = FACTORS.map((factor) => {
    const prior = -0.5 * (log(factor) / PRIOR_DEVIATION) ** 2;
    return periods.reduce((sum, period) => sum + likelihood(period, factor), prior);
  });
  const top = Math.max(...likelihoods);
  const weights = likelihoods.map((one) => exp(one - top));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = (of: (factor: number) => number): number =>
    FACTORS.reduce((sum, factor, at) => sum + weights[at]! * of(factor), 0) / total;
  const factor = mean((one) => one);
  return { factor, deviation: Math.sqrt(mean((one) => (one - factor) ** 2)) };
}

/** Of which cells the bookings came, given how many there were. */
function likelihood(period: readonly OfferCell[], factor: number): number {
  let wanted = 0;
  let bookings = 0;
  let sum = 0;
  for (const cell of period) {
    const left = demandLeft(factor * cell.assumed, cell.rate - 1);
    wanted += cell.offers * left;
    bookings += cell.bookings;
    sum += cell.bookings * log(left);
  }
  return bookings > 0 ? sum - bookings * log(wanted) : 0;
}
