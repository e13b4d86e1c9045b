import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { AnalysisQuery } from '../contracts/yield.ts';
import { analyzeRates } from '../rules/rate-analysis.ts';
import type { Analyzed } from './analyses.ts';
import { optimized, problemOfYield } from './optimize-yield.ts';
import { reversedPeriod } from './read-forecast.ts';
import { revenueNights } from './revenue-nights.ts';

/** Where nothing is said, so many nights from today. */
const USUAL_NIGHTS = 30;

/**
 * How rates of a period do, what they could, and where they stand in the market (`GET /rates/analysis`,
 * docs/reference/rates.md#analysis), at most an hour old and never older than the rates.
 * @throws DomainError VALIDATION_FAILED, UNKNOWN_ROOM_TYPE
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
  const of = `${to.propertyId}\n${start} ${end} ${roomType ?? ''}`;
  const { analysisCacheSeconds } = await services.settings.of(tenantId);
  const { ratesStand: rates } = view;
  const old = services.analyses.find(tenantId, of, { at: now, rates }, analysisCacheSeconds * 1_000);
  if (old) return { ...old, ageSeconds: Math.floor((now - old.at) / 1_000) };
  const nights = await revenueNights(services, to, view, { start, end, roomType });
  const request = {
    start,
    end,
    objective: 'MAXIMIZE_REVENUE' as const,
    constraints: {},
    strategy: 'DYNAMIC' as const,
  };
  const [plan, sold] = await Promise.all([
    optimized(services, problemOfYield(view, request, nights)),
    services.revenue.read(to, start, end),
  ]);
  const mine = sold.filter((night) => (roomType ?? night.roomType) === night.roomType);
  const rooms = mine.reduce((sum, night) => sum + night.rooms, 0);
  const revenue = mine.reduce((sum, night) => sum + night.revenue, 0);
  const best = plan.status === 'COMPLETED' ? plan : undefined;
  const analysis = analyzeRates({ start, end }, nights, { rooms, revenue }, best);
  const analyzed = { analysis, seq: view.seq, at: now, rates };
  services.analyses.keep(tenantId, of, analyzed);
  return { ...analyzed, ageSeconds: 0 };
}
