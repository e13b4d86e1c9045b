import type { Minor } from '../../../kernel/rules/money.ts';
import type { DemandForecast } from '../forecast/demand-forecast.ts';
import type { BidModel } from './bid-prices.ts';

/** What a room of a block costs its hotel beside what it displaces. */
type BlockCosts = { commissionPercent: number; costPerRoomNight: Minor; increment: Minor };

/** The least rate of each of `rooms` rooms that pays for what they displace and cost, rounded up. */
export function leastRate(
  displaced: Minor,
  rooms: number,
  { commissionPercent, costPerRoomNight, increment }: BlockCosts,
): Minor {
  const each = (displaced / rooms + costPerRoomNight) / (1 - commissionPercent / 100);
  // A product of decimals may be a hair above a whole amount.
  return Math.ceil(each / increment - 1e-9) * increment;
}

/** How far a quote can be trusted: a typical booking curve is no forecast, and a night alone no network. */
export function quoteConfidence(method: DemandForecast['method'], model: BidModel): 'HIGH' | 'MEDIUM' | 'LOW' {
  if (method === 'curve') return 'LOW';
  return method === 'pickup' || model === 'NIGHTS' ? 'MEDIUM' : 'HIGH';
}
