import type { Caller } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { mean } from '../../kernel/rules/figures.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { ForecastQuery } from '../contracts/yield.ts';
import type { DemandForecast } from '../rules/forecast/demand-forecast.ts';
import { ratesToCome, type RevenueOfNight, revenueOfNight } from '../rules/forecast/night-revenue.ts';
import { type Forecasting, propertyForecast } from './property-forecast.ts';

/** Default number of nights from today. */
const USUAL_NIGHTS = 90;

/** Forecast of a night, beside its capacity and bookings. */
type ForecastNight = Pick<
  DemandForecast,
  'night' | 'expected' | 'low' | 'high' | 'method' | 'confidence' | 'event'
> & {
  capacity: number;
  booked: number;
  /** Without it there is no basis: nothing sold, and no price. */
  money?: RevenueOfNight;
};
/** `model` is what most nights are forecast by, and `confidence` their mean; neither without nights. */
export type ForecastNights = {
  asOf: Instant;
  currency: string;
  model?: DemandForecast['method'];
  confidence?: number;
  nights: ForecastNight[];
};

/**
 * Reads the forecast of a property by night, with its 80 % range: rooms, and what they will earn. Past nights, and those
 * beyond the horizon or a year, have none.
 * @throws DomainError VALIDATION_FAILED, PROPERTY_NOT_FOUND
 */
export async function readForecast(
  services: Forecasting,
  { tenantId }: Caller,
  { propertyId, startDate, endDate }: ForecastQuery,
): Promise<ForecastNights & { seq: number }> {
  const to = { tenantId, propertyId };
  const view = await services.properties.view(to);
  const start = startDate ?? view.businessDate;
  const end = endDate ?? start + USUAL_NIGHTS - 1;
  if (end < start) throw reversedPeriod();
  const properties = new Map<Day, { capacity: number; booked: number }>();
  for (const { day, total, booked } of view.grid(start, end)) {
    const property = properties.get(day) ?? { capacity: 0, booked: 0 };
    properties.set(day, { capacity: property.capacity + total, booked: property.booked + booked });
  }
  const { nights } = await propertyForecast(services, to, view);
  const books = new Map(view.books.map(({ day, revenue }) => [day, revenue]));
  const revenueOf = (night: Day): Minor => books.get(night) ?? 0;
  const rates = ratesToCome(view.rateNights(start, end), revenueOf);
  const forecast = nights.flatMap((one) => {
    const property = properties.get(one.night);
    if (!property) return [];
    const sales = { booked: property.booked, revenue: revenueOf(one.night), rateToCome: rates.get(one.night) };
    const money = revenueOfNight(one, sales);
    return [{ ...one, ...property, ...(money && { money }) }];
  });
  return { asOf: view.at, currency: view.currency, ...summaryOf(forecast), nights: forecast, seq: view.seq };
}

function summaryOf(nights: readonly ForecastNight[]): Pick<ForecastNights, 'model' | 'confidence'> {
  if (nights.length === 0) return {};
  return { model: methodOfMost(nights), confidence: mean(nights.map(({ confidence }) => confidence)) };
}

/** The method of most nights, of which there are some. */
export function methodOfMost(nights: readonly Pick<DemandForecast, 'method'>[]): DemandForecast['method'] {
  const byMethod = [...Map.groupBy(nights, ({ method }) => method)];
  return byMethod.reduce((one, other) => (other[1].length > one[1].length ? other : one))[0];
}

export function reversedPeriod(): DomainError {
  const errors = [{ parameter: 'endDate', code: 'REVERSED', detail: 'is before startDate' }];
  return new DomainError('VALIDATION_FAILED', 'The period is reversed.', { errors });
}
