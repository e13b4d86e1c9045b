import type { PropertyView } from '../../../kernel/property-actors.ts';
import { type Address, addressKey } from '../../../kernel/rules/caller.ts';
import type { Day } from '../../../kernel/rules/dates.ts';
import type { BidSignal } from '../../../rates/rules/bid-signal.ts';
import type { BID_PRICES_BY } from '../../../rates/rules/rate-plan.ts';
import type { BidNight } from '../../rules/bid-prices/bid-prices.ts';
import { changedNights, dueTypes } from '../../rules/bid-prices/expected-change.ts';
import { LONGEST_COUNTED } from '../../rules/bid-prices/stay-demand.ts';
import { type Forecasting, propertyForecast } from '../property-forecast.ts';
import { type RevenueNight, type RevenueNightsFrom, revenueNights } from '../revenue-nights.ts';

/** Computes signals of a room type by day. Those of other days are removed, unless it is only a part of them. */
type ComputeSignals<S> = () => Promise<{
  signals: ReadonlyMap<Day, S>;
  isPart: boolean;
  /** What to do when the actor has them. */
  stored(): void;
}>;

/** Computations that are due, by room type, in their order. */
export type Computed<S> = ReadonlyMap<string, ComputeSignals<S>>;

/** Highest bid price of the model in minor units: 32 bits hold it, and a plan's ceiling is far below. */
const MAX_BID = 4_000_000_000;

/** Nights of a period with a learned forecast: typical booking curves are no demand. */
export async function forecastNights(
  services: RevenueNightsFrom,
  to: Address,
  view: PropertyView,
  { start, end }: { start: Day; end: Day },
): Promise<RevenueNight[]> {
  const [nights, forecast] = await Promise.all([
    revenueNights(services, to, view, { start, end }),
    propertyForecast(services, to, view),
  ]);
  const learned = new Set(forecast.nights.filter(({ method }) => method !== 'curve').map(({ night }) => night));
  return nights.filter(({ day }) => learned.has(day));
}

/**
 * Bid prices of nights with a learned forecast (docs/concepts/forecast.md#bid-prices), for the room types where one
 * percent of what is expected has changed since they were computed, the most changed first.
 */
export function newBids(
  { forecasts: { solved }, computer }: Forecasting,
  to: Address,
  view: PropertyView,
  nights: readonly RevenueNight[],
): Computed<BidSignal> {
  const keyOf = (roomType: string): string => `${addressKey(to)} ${view.generation} ${roomType}`;
  return new Map(
    dueTypes(nights.map(bidNightOf), (roomType) => solved.get(keyOf(roomType))?.nights).map(({ roomType, now }) => [
      roomType,
      async () => {
        const then = solved.get(keyOf(roomType));
        // Values without a program are no start for one.
        const only = then?.model === 'PROGRAM' ? changedNights(then.nights, now, LONGEST_COUNTED) : undefined;
        const before = only && { values: then!.values, only };
        const { nights: bids, ...computed } = await computer.run('bidPrices', {
          nights: now,
          ...(before && { before }),
        });
        const nightOf = new Map(now.map((night) => [night.day, night]));
        const signals = bids.map(({ day, amount, perRoom }): [Day, BidSignal] => {
          const { capacity, booked } = nightOf.get(day)!;
          const rooms = Math.floor(capacity - booked);
          return [day, { amount: Math.min(MAX_BID, amount), perRoom: Math.min(MAX_BID, perRoom), rooms }];
        });
        // What has changed by less is compared with what it was computed from.
        const from = now.map((night, n) => (only && !only.has(night.day) ? then!.nights[n]! : night));
        const stored = (): void => void solved.set(keyOf(roomType), { ...computed, nights: from });
        return { signals: new Map(signals), isPart: only !== undefined, stored };
      },
    ]),
  );
}

/** Whether a plan on sale prices so. */
export function pricesBy({ setup }: PropertyView, by: (typeof BID_PRICES_BY)[number]): boolean {
  return setup.plans.some(
    ({ strategy, status, strategyRules }) =>
      strategy === 'DYNAMIC' && status === 'ACTIVE' && strategyRules?.bidPriceBy === by,
  );
}

/** A night for the program. Its rate is that before the bid price, or each bid price would raise the next one. */
export function bidNightOf({
  roomType,
  day,
  capacity,
  booked,
  rate,
  beforeBid = rate,
  expected,
  deviation,
}: RevenueNight): BidNight {
  return { roomType, day, capacity, booked, current: beforeBid, expected, deviation };
}
