import { sum } from '../../../kernel/rules/figures.ts';
import type { Minor } from '../../../kernel/rules/money.ts';
import type { DemandForecast } from '../forecast/demand-forecast.ts';
import type { BidModel } from './bid-prices.ts';

/** A night of a block of one room type: what it displaces, and the most that this may be. */
type DisplacedOfNight = { revenue: Minor; most: Minor };

/**
 * What nights of a block displace, none of them more than `most`: at its rate a room is sold to anybody. A stay that is
 * lost over a peak is worth more than the night of the peak, so what is too much there belongs to the other nights of
 * the block, as far as theirs reach.
 */
export function withinMost(nights: readonly DisplacedOfNight[]): Minor[] {
  const within = nights.map(({ revenue, most }) => Math.min(revenue, most));
  const excess = sum(nights, ({ revenue }) => revenue) - sum(within, (revenue) => revenue);
  const space = sum(nights, ({ most }) => most) - sum(within, (revenue) => revenue);
  const part = space > 0 ? Math.min(1, excess / space) : 0;
  return within.map((revenue, index) => revenue + Math.round((nights[index]!.most - revenue) * part));
}

/** What a room of a block costs its hotel beside what it displaces. */
type BlockCosts = {
  commissionPercent: number;
  /** Of a room of the block. */
  costPerRoomNight: Minor;
  /** Of a room of anybody else. */
  usualCost: Minor;
  increment: Minor;
};

/**
 * The least rate of each of `rooms` rooms that pays for what they displace and cost, rounded up. Without a commission
 * and costs of its own it is at most the rate of the night, at which a room is sold to anybody.
 * @param displaced rooms of others, which would cost something too, and their revenue
 */
export function leastRate(
  displaced: { rooms: number; revenue: Minor },
  { rooms, rate }: { rooms: number; rate: Minor },
  { commissionPercent, costPerRoomNight, usualCost, increment }: BlockCosts,
): Minor {
  const lost = (displaced.revenue + (rooms - displaced.rooms) * usualCost) / rooms;
  const each = (Math.min(lost, rate) + costPerRoomNight - usualCost) / (1 - commissionPercent / 100);
  // A product of decimals may be a hair above a whole amount.
  return Math.max(0, Math.ceil(each / increment - 1e-9) * increment);
}

/** How far a quote can be trusted: a typical booking curve is no forecast, and a night alone no network. */
export function quoteConfidence(method: DemandForecast['method'], model: BidModel): 'HIGH' | 'MEDIUM' | 'LOW' {
  if (method === 'curve') return 'LOW';
  return method === 'pickup' || model === 'NIGHTS' ? 'MEDIUM' : 'HIGH';
}
