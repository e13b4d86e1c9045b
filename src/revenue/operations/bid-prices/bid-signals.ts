import type { PropertyView } from '../../../kernel/property-actors.ts';
import { type Address, addressKey } from '../../../kernel/rules/caller.ts';
import type { Day } from '../../../kernel/rules/dates.ts';
import type { BidSignal } from '../../../rates/rules/bid-signal.ts';
import type { BidNight } from '../../rules/bid-prices/bid-prices.ts';
import { isDueAgain } from '../../rules/bid-prices/expected-change.ts';
import { propertyForecast } from '../property-forecast.ts';
import { type RevenueNight, type RevenueNightsFrom, revenueNights } from '../revenue-nights.ts';

/** New bid prices of a room type by day, and what to do when the actor has them. */
type NewBids = { bids: ReadonlyMap<Day, BidSignal>; stored(): void };

/** Highest bid price of the model in minor units: 32 bits hold it, and a plan's ceiling is far below. */
const MAX_BID = 4_000_000_000;

/**
 * Bid prices of the nights of a period (docs/concepts/forecast.md#bid-prices), for the room types where one percent of
 * what is expected has changed since they were computed. None where no plan on sale prices by them, and none of nights
 * without a learned forecast: typical booking curves are no demand.
 */
export async function newBids(
  services: RevenueNightsFrom,
  to: Address,
  view: PropertyView,
  { start, end }: { start: Day; end: Day },
): Promise<ReadonlyMap<string, NewBids>> {
  const found = new Map<string, NewBids>();
  if (!pricesByProgram(view)) return found;
  const [nights, forecast] = await Promise.all([
    revenueNights(services, to, view, { start, end }),
    propertyForecast(services, to, view),
  ]);
  const learned = new Set(forecast.nights.filter(({ method }) => method !== 'curve').map(({ night }) => night));
  const inputs = nights.filter(({ day }) => learned.has(day)).map(bidNightOf);
  const { solved } = services.forecasts;
  for (const [roomType, now] of Map.groupBy(inputs, (night) => night.roomType)) {
    const key = `${addressKey(to)} ${view.generation} ${roomType}`;
    const before = solved.get(key);
    if (before && !isDueAgain(before, now)) continue;
    const { nights: bids } = await services.computer.run('bidPrices', now);
    const byDay = bids.map(({ day, amount, perRoom }, index): [Day, BidSignal] => {
      const rooms = Math.floor(now[index]!.capacity - now[index]!.booked);
      return [day, { amount: Math.min(MAX_BID, amount), perRoom: Math.min(MAX_BID, perRoom), rooms }];
    });
    found.set(roomType, { bids: new Map(byDay), stored: () => solved.set(key, now) });
  }
  return found;
}

function pricesByProgram({ setup }: PropertyView): boolean {
  return setup.plans.some(
    ({ strategy, status, strategyRules }) =>
      strategy === 'DYNAMIC' && status === 'ACTIVE' && strategyRules?.bidPriceBy === 'PROGRAM',
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
