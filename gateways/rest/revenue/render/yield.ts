import type { CompetitorSyncReport } from '../../../../src/competitors/operations/read-competitor-sync.ts';
import type { Job } from '../../../../src/kernel/ports.ts';
import type { PropertyId } from '../../../../src/kernel/rules/ids.ts';
import type * as answers from '../../../../src/revenue/contracts/yield-answers.ts';
import type { Implemented } from '../../../../src/revenue/operations/implement-optimization.ts';
import type { ForecastNights } from '../../../../src/revenue/operations/read-forecast.ts';
import type { Optimization } from '../../../../src/revenue/ports.ts';
import type { RateAnalysis } from '../../../../src/revenue/rules/rate-analysis.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/** Analysis of the rates of a period (docs/reference/rates.md#analysis), with the age of its data. */
export function renderAnalysis(
  { period, performance, optimization, competitors }: RateAnalysis,
  { lastSync, nextSync }: Pick<CompetitorSyncReport, 'lastSync' | 'nextSync'>,
): AnswerOf<typeof answers.analysisAnswer> {
  return {
    period: { startDate: period.start, endDate: period.end },
    performance,
    optimization,
    competitors: { ...competitors, lastSync: lastSync ?? null, nextSync: nextSync ?? null },
  };
}

/** Forecast rooms of nights, with one decimal: more would suggest a false accuracy. */
export function renderForecast(
  propertyId: PropertyId,
  { asOf, nights }: ForecastNights,
): AnswerOf<typeof answers.forecastAnswer> {
  const tenths = (rooms: number): number => Math.round(rooms * 10) / 10;
  return {
    propertyId,
    asOf,
    nights: nights.map(({ night, capacity, booked, expected, low, high, method }) => ({
      date: night,
      capacity,
      booked,
      expected: tenths(expected),
      low: tenths(low),
      high: tenths(high),
      method,
    })),
  };
}

/** The state of an optimization (docs/reference/rates.md#optimization). */
export function renderOptimization({
  id,
  propertyId,
  status,
  progress,
  plan,
  createdAt,
}: Optimization): AnswerOf<typeof answers.optimizationAnswer> {
  return {
    optimizationId: id,
    propertyId,
    status,
    progress,
    results: plan ?? null,
    ...(plan && { constraintsMet: (plan.unmet ?? []).length === 0, unmet: plan.unmet ?? [] }),
    recommendations: (plan?.recommendations ?? []).map(({ day, roomType, current, optimized, ...why }) => ({
      date: day,
      roomType,
      currentRate: current,
      optimizedRate: optimized,
      ...why,
    })),
    implementationUrl: `/api/v1/rates/${id}/implement`,
    createdAt,
  };
}

export function renderImplemented({
  optimizationId,
  affectedDates,
  implementedAt,
}: Implemented): AnswerOf<typeof answers.implementedAnswer> {
  return { optimizationId, status: 'IMPLEMENTED', affectedDates, implementedAt };
}

/** The state of a recalculation. */
export function renderRecalculation({
  id: jobId,
  state,
  progress,
  result,
  error,
}: Job<'rate-recalculation'>): AnswerOf<typeof answers.recalculationAnswer> {
  const { nights, optimizationId } = result ?? {};
  const optimizationUrl = optimizationId && `/api/v1/rates/optimizations/${optimizationId}`;
  return { jobId, state, progress: state === 'COMPLETED' ? 100 : progress, nights, optimizationUrl, error };
}
