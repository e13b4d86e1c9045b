import type { CompetitorSyncReport } from '../../../../src/competitors/operations/read-competitor-sync.ts';
import type { Job } from '../../../../src/kernel/ports.ts';
import { formatDay } from '../../../../src/kernel/rules/dates.ts';
import type { Implemented } from '../../../../src/revenue/operations/implement-optimization.ts';
import type { ForecastNights } from '../../../../src/revenue/operations/read-forecast.ts';
import type { Optimization } from '../../../../src/revenue/ports.ts';
import type { RateAnalysis } from '../../../../src/revenue/rules/rate-analysis.ts';
import { wireMoney, wireMoneyOrNull } from '../../../http/money.ts';
import { iso } from '../../stay/render/reservation.ts';

type Json = Record<string, unknown>;

/** How rates of a period do (docs/reference/rates.md#analysis), and how fresh what they are held against is. */
export function renderAnalysis(
  { period, performance, optimization, competitors }: RateAnalysis,
  { lastSync, nextSync }: Pick<CompetitorSyncReport, 'lastSync' | 'nextSync'>,
): Json {
  const { averageMarketRate, ...market } = competitors;
  return {
    period: { startDate: formatDay(period.start), endDate: formatDay(period.end) },
    performance: {
      ...performance,
      averageRate: wireMoneyOrNull(performance.averageRate),
      revenuePAR: wireMoney(performance.revenuePAR),
    },
    optimization: {
      potentialRevenue: wireMoney(optimization.potentialRevenue),
      currentRevenue: wireMoney(optimization.currentRevenue),
      opportunityLoss: wireMoney(optimization.opportunityLoss),
      recommendations: optimization.recommendations.map(({ dates, currentRate, suggestedRate, ...one }) => ({
        ...one,
        dates: dates.map(formatDay),
        currentRate: wireMoney(currentRate),
        suggestedRate: wireMoney(suggestedRate),
      })),
    },
    competitors: {
      averageMarketRate: averageMarketRate === null ? null : wireMoney(averageMarketRate),
      ...market,
      lastSync: lastSync === undefined ? null : iso(lastSync),
      nextSync: nextSync === undefined ? null : iso(nextSync),
    },
  };
}

/** Rooms that nights are expected to end with: decimals tell more of their error than of them, so one is kept. */
export function renderForecast(propertyId: string, { asOf, nights }: ForecastNights): Json {
  const tenths = (rooms: number): number => Math.round(rooms * 10) / 10;
  return {
    propertyId,
    asOf: iso(asOf),
    nights: nights.map(({ night, capacity, booked, expected, low, high, method }) => ({
      date: formatDay(night),
      capacity,
      booked,
      expected: tenths(expected),
      low: tenths(low),
      high: tenths(high),
      method,
    })),
  };
}

/** An optimization as far as it is (docs/reference/rates.md#optimization). */
export function renderOptimization({ id, propertyId, status, progress, plan, createdAt }: Optimization): Json {
  return {
    optimizationId: id,
    propertyId,
    status,
    progress,
    results: plan
      ? {
          projectedRevenue: wireMoney(plan.projectedRevenue),
          currentRevenue: wireMoney(plan.currentRevenue),
          revenueIncrease: plan.revenueIncrease,
          averageRateChange: plan.averageRateChange,
          occupancyImpact: plan.occupancyImpact,
        }
      : null,
    ...(plan && { constraintsMet: (plan.unmet ?? []).length === 0, unmet: plan.unmet ?? [] }),
    recommendations: (plan?.recommendations ?? []).map(({ day, roomType, current, optimized, ...why }) => ({
      date: formatDay(day),
      roomType,
      currentRate: wireMoney(current),
      optimizedRate: wireMoney(optimized),
      ...why,
    })),
    implementationUrl: `/api/v1/rates/${id}/implement`,
    createdAt: iso(createdAt),
  };
}

export function renderImplemented({ optimizationId, affectedDates, implementedAt }: Implemented): Json {
  return { optimizationId, status: 'IMPLEMENTED', affectedDates, implementedAt: iso(implementedAt) };
}

/** A recalculation as far as it is. */
export function renderRecalculation({ id: jobId, state, progress, result, error }: Job<'rate-recalculation'>): Json {
  const { nights, optimizationId } = result ?? {};
  const optimizationUrl = optimizationId && `/api/v1/rates/optimizations/${optimizationId}`;
  return { jobId, state, progress: state === 'COMPLETED' ? 100 : progress, nights, optimizationUrl, error };
}
