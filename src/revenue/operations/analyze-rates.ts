import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { AnalysisQuery } from '../contracts/yield.ts';
import type { NightAudit } from '../rules/night-audit.ts';
import { analyzeRates, isExact, pastSales } from '../rules/rate-analysis.ts';
import type { Analyzed } from './analysis-cache.ts';
import { demandModel } from './demand/demand-models.ts';
import { optimized, problemOfYield } from './optimize-yield.ts';
import { reversedPeriod } from './read-forecast.ts';
import { revenueNights } from './revenue-nights.ts';

/** Default number of nights from today. */
const USUAL_NIGHTS = 30;

/**
 * Analyzes rates of a period: performance, potential, and position in the market (`GET /rates/analysis`,
 * docs/reference/rates.md#analysis). The answer is at most an hour old and never older than the rates. Past days are
 * taken from their night audits.
 * @throws DomainError VALIDATION_FAILED, also when sums exceed exact cents; UNKNOWN_ROOM_TYPE
 */
export async function readAnalysis(
  services: Services,
  { tenantId }: Caller,
  query: AnalysisQuery,
): Promise<Analyzed & { ageSeconds: number }> {
  const to = { tenantId, propertyId: query.propertyId };
  const view = await services.properties.view(to);
  const { businessDate } = view;
  const start = query.startDate ?? businessDate;
  const end = query.endDate ?? start + USUAL_NIGHTS - 1;
  const { roomType } = query;
  if (end < start) throw reversedPeriod();
  if (roomType !== undefined && !view.setup.roomTypes.some((type) => type.roomType === roomType))
    throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
  const now = services.clock.now();
  const audits = await auditsOf(services, to, start, Math.min(end, businessDate - 1));
  // Days on which the property sold in another currency have no part: amounts of two are never added.
  const past = pastSales(
    audits.filter(({ currency }) => currency === view.currency),
    roomType,
  );
  const of = `${to.propertyId}\n${start} ${end} ${roomType ?? ''}\n${businessDate} ${past.days}`;
  const { analysisCacheSeconds } = await services.settings.of(tenantId);
  const { ratesStand: rates } = view;
  const old = services.analyses.find(tenantId, of, { at: now, rates }, analysisCacheSeconds * 1_000);
  if (old) return { ...old, ageSeconds: Math.floor((now - old.at) / 1_000) };
  const [nights, { demand }] = await Promise.all([
    revenueNights(services, to, view, { start, end, roomType }),
    demandModel(services, to, view),
  ]);
  const request = {
    start,
    end,
    objective: 'MAXIMIZE_REVENUE' as const,
    constraints: {},
    strategy: 'DYNAMIC' as const,
  };
  const [plan, sold] = await Promise.all([
    optimized(services, problemOfYield(view, request, nights, demand)),
    services.revenue(to, Math.max(start, businessDate), end),
  ]);
  const mine = sold.filter((night) => (roomType ?? night.roomType) === night.roomType);
  const rooms = mine.reduce((sum, night) => sum + night.rooms, 0);
  const revenue = mine.reduce((sum, night) => sum + night.revenue, 0);
  const best = plan.status === 'COMPLETED' ? plan : undefined;
  const analysis = analyzeRates({ start, end }, nights, { rooms, revenue }, best, past);
  if (!isExact(analysis)) throw tooMuch();
  const analyzed = { analysis, seq: view.seq, at: now, rates };
  services.analyses.store(tenantId, of, analyzed);
  return { ...analyzed, ageSeconds: 0 };
}

/** Night audits of past days; days without an audit yet are left out. */
async function auditsOf(
  { analytics }: Pick<Services, 'analytics'>,
  { tenantId, propertyId }: Address,
  from: Day,
  to: Day,
): Promise<NightAudit[]> {
  if (to < from) return [];
  const { items } = await analytics.list(tenantId, { propertyId, from, to }, to - from + 1);
  return items.map(({ content }) => content);
}

function tooMuch(): DomainError {
  const detail = 'the sums of the period cannot be said to the cent; ask for a shorter one';
  const errors = [{ parameter: 'endDate', code: 'TOO_BIG', detail }];
  return new DomainError('VALIDATION_FAILED', 'The sums of the period are too large.', { errors });
}
