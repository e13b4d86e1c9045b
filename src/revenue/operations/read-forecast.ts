import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { ForecastQuery } from '../contracts/yield.ts';
import type { DemandForecast } from '../rules/forecast/demand-forecast.ts';
import { propertyForecast } from './property-forecast.ts';

/** Default number of nights from today. */
const USUAL_NIGHTS = 90;

/** Forecast of a night, beside its capacity and bookings. */
type ForecastNight = Pick<DemandForecast, 'night' | 'expected' | 'low' | 'high' | 'method'> & {
  capacity: number;
  booked: number;
};
export type ForecastNights = { asOf: Instant; nights: ForecastNight[] };

type ForecastFrom = Pick<Services, 'properties' | 'forecasts' | 'bookingHistory' | 'computer'>;

/**
 * Reads the forecast of a property by night, with its 80 % range. Past nights, and those beyond the horizon or a year,
 * have none.
 * @throws DomainError VALIDATION_FAILED, PROPERTY_NOT_FOUND
 */
export async function readForecast(
  services: ForecastFrom,
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
  const forecast = nights.flatMap(({ night, expected, low, high, method }) => {
    const property = properties.get(night);
    return property ? [{ night, ...property, expected, low, high, method }] : [];
  });
  return { asOf: view.at, nights: forecast, seq: view.seq };
}

export function reversedPeriod(): DomainError {
  const errors = [{ parameter: 'endDate', code: 'REVERSED', detail: 'is before startDate' }];
  return new DomainError('VALIDATION_FAILED', 'The period is reversed.', { errors });
}
