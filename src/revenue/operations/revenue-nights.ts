import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { WATCHED_NIGHTS } from '../../rates/rules/competitor-rate.ts';
import type { RateNight } from '../../rates/rules/queries.ts';
import type { DemandForecast } from '../rules/forecast/demand-forecast.ts';
import { recentPickup } from '../rules/recent-pickup.ts';
import type { RecentPickup } from '../rules/yield-problem.ts';
import { bookingChanges, type Forecasting, HISTORY_DAYS, propertyForecast } from './property-forecast.ts';

export type RevenueNightsFrom = Forecasting & Pick<Services, 'competitors'>;

/** A priced night with remaining demand, its standard deviation in rooms and method, and what it has gained lately. */
export type RevenueNight = RateNight & {
  deviation: number;
  method: DemandForecast['method'];
  /** That of the forecast of the night; 0 beyond it. */
  confidence: number;
  pickup?: RecentPickup;
};

/**
 * Priced nights of both days inclusive with all inputs of revenue management: the actor's prices and sales, the
 * forecast from the property's own history, and competitors' rates.
 */
export async function revenueNights(
  services: RevenueNightsFrom,
  to: Address,
  view: PropertyView,
  { start, end, roomType }: { start: Day; end: Day; roomType?: string },
): Promise<RevenueNight[]> {
  const [market, { nights }] = await Promise.all([
    services.competitors.market(to, start, end),
    propertyForecast(services, to, view),
  ]);
  // After the forecast, which has read the history.
  const pickups = await pickupsOf(services, to, view);
  const medians = new Map(market.map((night) => [`${night.roomType} ${night.day}`, night.median]));
  const forecasts = new Map(nights.map((forecast) => [forecast.night, forecast]));
  const ofProperty = view.rateNights(start, end);
  const expected = new Map(
    [...Map.groupBy(ofProperty, ({ day }) => day)].flatMap(([day, types]) =>
      shared(types, forecasts.get(day), ({ roomType }) => view.isClosed(roomType, day)),
    ),
  );
  return ofProperty
    .filter((night) => (roomType ?? night.roomType) === night.roomType)
    .map((night) => {
      const market = medians.get(`${night.roomType} ${night.day}`) ?? night.market;
      const { method = 'curve', confidence = 0 } = forecasts.get(night.day) ?? {};
      return {
        ...night,
        ...expected.get(night)!,
        method,
        confidence,
        market,
        pickup: pickups[night.day - view.businessDate],
      };
    });
}

/** By their history: it is read once a business date. */
const knownPickups = new WeakMap<Int32Array, Pickups>();
type Pickups = (RecentPickup | undefined)[];

async function pickupsOf(services: RevenueNightsFrom, to: Address, view: PropertyView): Promise<Pickups> {
  const changes = await bookingChanges(services, to, view);
  const known = knownPickups.get(changes);
  if (known) return known;
  const today = view.businessDate;
  const pickups = recentPickup(changes, { first: today - HISTORY_DAYS, today, nights: WATCHED_NIGHTS });
  knownPickups.set(changes, pickups);
  return pickups;
}

type Expected = Pick<RevenueNight, 'expected' | 'deviation'>;

/**
 * Distributes the remaining demand of a night over the room types by their sales and capacity. Without a learned
 * forecast each type follows the typical booking curve with random deviation only. A type whose sale is stopped has none.
 */
function shared(
  types: readonly RateNight[],
  forecast: DemandForecast | undefined,
  isClosed: (night: RateNight) => boolean,
): [RateNight, Expected][] {
  const isLearned = forecast && forecast.method !== 'curve';
  const sold = sum(types, ({ booked }) => booked);
  const more = isLearned ? Math.max(0, forecast.expected - sold) : 0;
  const weights = sum(types, (night) => (isClosed(night) ? 0 : weightOf(night)));
  return types.map((night) => {
    if (isClosed(night)) return [night, { expected: 0, deviation: 0 }];
    if (!isLearned) return [night, { expected: night.expected, deviation: Math.sqrt(night.expected) }];
    const share = weights === 0 ? 0 : weightOf(night) / weights;
    const expected = more * share;
    return [night, { expected, deviation: Math.hypot(Math.sqrt(expected), forecast.deviation * share) }];
  });
}

const weightOf = ({ booked, total }: RateNight): number => booked + total;
