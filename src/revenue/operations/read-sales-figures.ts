import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { endOfBusinessDay } from '../../kernel/rules/property-time.ts';
import { clockOf } from '../../properties/rules/property.ts';
import type { CompetitorRatesQuery, SalesQuery } from '../contracts/sales-figures.ts';
import { bookingCurve, type CurveDate, type SalesMix, salesMix } from '../rules/sales-figures.ts';

/** Days before the first night that a curve has one by one; what was sold earlier is on the date before them. */
const DAYS_BEFORE = 365;

type Reading = Pick<Services, 'properties' | 'salesFigures'>;

/**
 * How the nights of a period were sold, by business date, from the reservations as they are: nights that a change has
 * taken out of a stay count nowhere.
 * @throws DomainError PROPERTY_NOT_FOUND
 */
export async function readBookingCurve(
  { properties, salesFigures }: Reading,
  { tenantId }: Caller,
  { propertyId, from, to }: SalesQuery,
): Promise<{ businessDate: Day; dates: CurveDate[]; seq: number }> {
  const address = { tenantId, propertyId };
  const { businessDate, setup, seq } = await properties.view(address);
  const clock = clockOf(setup.property);
  const first = Math.min(from, businessDate) - DAYS_BEFORE;
  const last = Math.min(to, businessDate);
  const starts = Array.from({ length: last - first + 1 }, (_, n) => endOfBusinessDay(first + n - 1, clock));
  const moves = await salesFigures.moves(address, { from, to }, first, starts);
  return { businessDate, dates: bookingCurve(moves), seq };
}

/** Room nights and revenue of a period by each segment. @throws DomainError PROPERTY_NOT_FOUND */
export async function readSalesMix(
  { properties, salesFigures }: Reading,
  { tenantId }: Caller,
  { propertyId, from, to }: SalesQuery,
): Promise<SalesMix & { currency: string; seq: number }> {
  const address = { tenantId, propertyId };
  const { currency, seq, setup } = await properties.view(address);
  const { timezone } = setup.property.metadata;
  return { currency, seq, ...salesMix(await salesFigures.mix(address, { from, to }, { timezone, currency })) };
}

/** Rates of each competitor for the nights of a room type. @throws DomainError PROPERTY_NOT_FOUND */
export async function readCompetitorRates(
  { properties, competitors }: Pick<Services, 'properties' | 'competitors'>,
  { tenantId }: Caller,
  { propertyId, roomType, from, to }: CompetitorRatesQuery,
) {
  const address = { tenantId, propertyId };
  const { currency, seq } = await properties.view(address);
  const rates = await competitors.rates(address, { roomType, start: from, end: to, currency });
  const byCompetitor = Map.groupBy(rates, ({ competitorId }) => competitorId);
  return {
    currency,
    seq,
    competitors: [...byCompetitor].map(([competitorId, nights]) => ({ competitorId, nights })),
  };
}
