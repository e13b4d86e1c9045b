import type { CompetitorSyncReport } from '../../../../src/competitors/operations/read-competitor-sync.ts';
import type { Job } from '../../../../src/kernel/ports.ts';
import { hundredths } from '../../../../src/kernel/rules/figures.ts';
import type { PropertyId } from '../../../../src/kernel/rules/ids.ts';
import type { AcceptanceRule } from '../../../../src/properties/rules/acceptance-rule.ts';
import type { acceptanceRuleAnswer } from '../../../../src/revenue/contracts/acceptance-rule.ts';
import type { groupQuoteAnswer } from '../../../../src/revenue/contracts/group-quote.ts';
import type { outcomesAnswer } from '../../../../src/revenue/contracts/outcomes.ts';
import type * as answers from '../../../../src/revenue/contracts/yield-answers.ts';
import type { RateOutcomes } from '../../../../src/revenue/operations/accepted-rates.ts';
import type { GroupQuote } from '../../../../src/revenue/operations/bid-prices/quote-group.ts';
import type { Implemented } from '../../../../src/revenue/operations/implement-optimization.ts';
import type { ForecastNights } from '../../../../src/revenue/operations/read-forecast.ts';
import type { Optimization, OptimizationRequest } from '../../../../src/revenue/ports.ts';
import type { RateAnalysis } from '../../../../src/revenue/rules/rate-analysis.ts';
import type { AcceptedByRule, AppliedConstraints } from '../../../../src/revenue/rules/yield-problem.ts';
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
  { asOf, currency, model, confidence, nights }: ForecastNights,
): AnswerOf<typeof answers.forecastAnswer> {
  const tenths = (rooms: number): number => Math.round(rooms * 10) / 10;
  return {
    propertyId,
    asOf,
    currency,
    model: model ?? null,
    confidence: confidence === undefined ? null : hundredths(confidence),
    nights: nights.map(({ night, capacity, booked, expected, low, high, method, money, event, ...one }) => ({
      date: night,
      capacity,
      booked,
      expected: tenths(expected),
      low: tenths(low),
      high: tenths(high),
      method,
      confidence: hundredths(one.confidence),
      adr: money?.adr ?? null,
      revenue: money?.revenue ?? null,
      revenueLow: money?.low ?? null,
      revenueHigh: money?.high ?? null,
      event: event?.name ?? null,
      eventRooms: event ? tenths(event.rooms) : null,
      eventBasis: event?.basis ?? null,
    })),
  };
}

/** The least rates of a block, with what it displaces (docs/reference/rates.md#group-quote). */
export function renderGroupQuote(
  propertyId: PropertyId,
  { asOf, minimumTotal, nights, method, bidPrices, confidence }: GroupQuote,
): AnswerOf<typeof groupQuoteAnswer> {
  return {
    propertyId,
    asOf,
    minimumTotal,
    nights: nights.map(({ day, roomType, rooms, available, minimumRate, displacedRooms, displacedRevenue }) => ({
      date: day,
      roomType,
      rooms,
      available,
      minimumRate,
      displaced: { rooms: Math.round(displacedRooms * 10) / 10, revenue: displacedRevenue },
    })),
    model: method,
    bidPrices,
    confidence,
  };
}

/** The state of an optimization (docs/reference/rates.md#optimization). */
export function renderOptimization({
  id,
  propertyId,
  status,
  progress,
  request,
  plan,
  createdAt,
}: Optimization): AnswerOf<typeof answers.optimizationAnswer> {
  return {
    optimizationId: id,
    propertyId,
    status,
    progress,
    results: plan ?? null,
    ...(plan?.constraints && { settings: settingsAnswer(request, plan.constraints) }),
    ...(plan?.model && { model: plan.model }),
    ...(plan?.confidence !== undefined && { confidence: plan.confidence }),
    ...(plan && { constraintsMet: (plan.unmet ?? []).length === 0, unmet: plan.unmet ?? [] }),
    recommendations: (plan?.recommendations ?? []).map(({ day, roomType, current, optimized, ...why }) => ({
      date: day,
      roomType,
      currentRate: current,
      optimizedRate: optimized,
      ...why,
    })),
    ...(plan?.byRule && { acceptedByRule: acceptedAnswer(plan.byRule) }),
    implementationUrl: `/api/v1/rates/${id}/implement`,
    createdAt,
  };
}

type SettingsAnswer = NonNullable<AnswerOf<typeof answers.optimizationAnswer>['settings']>;

function settingsAnswer(
  { start, end, objective, strategy }: OptimizationRequest,
  { minOccupancy, costPerOccupiedRoom, pricePoints, sameByWeekday, ...limits }: AppliedConstraints,
): SettingsAnswer {
  return {
    startDate: start,
    endDate: end,
    objective,
    strategy,
    ...limits,
    minOccupancy: minOccupancy ?? null,
    costPerOccupiedRoom: costPerOccupiedRoom ?? null,
    pricePoints: pricePoints ? [...pricePoints] : null,
    sameByWeekday: sameByWeekday ?? false,
  };
}

type AcceptedAnswer = NonNullable<AnswerOf<typeof answers.optimizationAnswer>['acceptedByRule']>;

function acceptedAnswer({ nights, ...rule }: AcceptedByRule): AcceptedAnswer {
  return { ...rule, nights: nights.map(({ roomType, day }) => ({ roomType, date: day })) };
}

/** The rule of a property (docs/reference/rates.md#acceptance-by-rule). */
export function renderAcceptanceRule(
  propertyId: PropertyId,
  { rule, seq, names }: { rule: AcceptanceRule | undefined; seq: number; names: ReadonlyMap<string, string> },
): AnswerOf<typeof acceptanceRuleAnswer> {
  const { enabled = false, upToPercent = null, byLead, roomTypes = null, setBy = null, setAt = null } = rule ?? {};
  const limits = byLead?.map((one) => ({ fromDays: one.fromDays, acceptUpToPercent: one.upToPercent })) ?? null;
  const setByName = names.get(setBy ?? '') ?? null;
  return {
    propertyId,
    enabled,
    acceptUpToPercent: upToPercent,
    byLead: limits,
    roomTypes,
    setBy,
    setByName,
    setAt,
    seq,
  };
}

/** Accepted recommendations, and what came of them. */
export function renderOutcomes(
  propertyId: PropertyId,
  { outcomes, totals }: RateOutcomes,
): AnswerOf<typeof outcomesAnswer> {
  return {
    propertyId,
    totals,
    items: outcomes.map(({ day, from, to, roomsExpected, revenueExpected, actual, ...one }) => ({
      ...one,
      date: day,
      rateBefore: from,
      rateAfter: to,
      expected: { rooms: roomsExpected, revenue: revenueExpected },
      actual: actual ?? null,
    })),
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
