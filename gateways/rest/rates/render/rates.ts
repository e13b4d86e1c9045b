import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import type { PriceChange } from '../../../../src/kernel/rules/commands/rates.ts';
import { type Minor, NO_MONEY } from '../../../../src/kernel/rules/money.ts';
import type * as answers from '../../../../src/rates/contracts/rate-answers.ts';
import type { PlanOfProperty } from '../../../../src/rates/operations/find-rate-plans.ts';
import type { RatePreview } from '../../../../src/rates/operations/preview-rates.ts';
import type { CalendarDay, BaseNight } from '../../../../src/rates/rules/queries.ts';
import type { Finding } from '../../../../src/rates/rules/rate-findings.ts';
import { planVersion, type RatePlan } from '../../../../src/rates/rules/rate-plan.ts';
import { termsOfPlan } from '../../../../src/stay/rules/booking-terms.ts';
import { guaranteeUnder } from '../../../../src/stay/rules/guarantee.ts';
import { may } from '../../../auth/permissions.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/** A rate plan (docs/reference/rates.md#rate-plans), with the guarantee and the terms that a booking of it has. */
export function renderPlan({ property, plan }: PlanOfProperty): AnswerOf<typeof answers.planAnswer> {
  const { currency, policies } = property.metadata;
  const guarantee = guaranteeUnder(plan, policies, {});
  const { ofPlan: _, ...terms } = termsOfPlan(plan, policies);
  const inherits = [
    ...(plan.guarantee === undefined ? (['guarantee'] as const) : []),
    ...(plan.terms === undefined ? (['terms'] as const) : []),
  ];
  const { id, code, name, strategy, status, cancellationPolicy } = plan;
  return {
    id,
    propertyId: property.propertyId,
    code,
    name,
    strategy,
    status,
    cancellationPolicy,
    guarantee: guarantee.kind,
    depositSchedule: guarantee.kind === 'PREPAY' ? guarantee.schedule : null,
    releaseHour: guarantee.kind === 'NONE' ? guarantee.releaseHour : null,
    companyId: plan.companyId ?? null,
    terms,
    inherits,
    currency,
    baseRate: plan.baseRate ?? null,
    validFrom: plan.validFrom ?? null,
    validTo: plan.validTo ?? null,
    roomTypes: plan.roomTypes ?? null,
    occupancyPricing: plan.occupancyPricing ?? null,
    parentCode: plan.parentCode ?? null,
    adjustmentPercent: plan.adjustmentPercent,
    adjustmentAmount: plan.adjustmentAmount ?? NO_MONEY,
    minRatePercent: plan.minRatePercent,
    maxRatePercent: plan.maxRatePercent,
    minRate: plan.minRate ?? null,
    maxRate: plan.maxRate ?? null,
    rules: rulesOf(plan),
    version: planVersion(plan),
  };
}

function rulesOf(plan: RatePlan): AnswerOf<typeof answers.planAnswer>['rules'] {
  const { minLengthOfStay, maxLengthOfStay, minAdvanceBooking, maxAdvanceBooking, occupancyRules } = plan;
  return {
    minLengthOfStay,
    maxLengthOfStay,
    minAdvanceBooking,
    maxAdvanceBooking,
    occupancyRules: {
      singleRate: occupancyRules?.singleRate ?? null,
      doubleRate: occupancyRules?.doubleRate ?? null,
      extraPersonRate: occupancyRules?.extraPersonRate ?? null,
    },
    dayOfWeekRates: plan.dayOfWeekRates ?? {},
    lengthOfStayRules: plan.lengthOfStayRules ?? [],
    advanceRules: plan.advanceRules ?? [],
    strategyRules: plan.strategyRules ?? {},
    dayUse: plan.dayUse ?? [],
  };
}

/** Prices before and after a change (docs/reference/rates.md#base-rates), with revenue for roles with access. */
export function renderPreview(
  { id, kind, items, forecast }: RatePreview,
  caller: Pick<Caller, 'role'>,
): AnswerOf<typeof answers.previewAnswer> {
  const revenue = (amount: Minor): Minor | null => (may(caller, 'revenue.read') ? amount : null);
  return {
    id,
    kind,
    items: items.map(moveAnswer),
    forecast: {
      revenueBefore: revenue(forecast.revenueBefore),
      revenueAfter: revenue(forecast.revenueAfter),
    },
  };
}

/** What a night cost, and costs after a change. */
export function moveAnswer({ roomType, day, from, to }: PriceChange): AnswerOf<typeof answers.priceMove> {
  return { roomType, date: day, from: from ?? null, to: to ?? null };
}

/** Base rate and price of a night. */
export function baseNight({
  day,
  roomType,
  base,
  multiplier,
  amount,
  rate,
}: BaseNight): AnswerOf<typeof answers.setRatesAnswer>['items'][0] {
  const hasSeason = multiplier !== 100 || amount !== 0;
  return {
    date: day,
    roomType,
    baseRate: base < 0 ? null : base,
    season: hasSeason ? { multiplier: multiplier / 100, amount } : null,
    rate,
  };
}

/** The cheapest offer of a day. */
export function calendarDay({
  day,
  rate,
  roomType,
  rateCode,
  available,
  restrictions,
  closedToArrival = false,
  closedToDeparture = false,
  stay,
}: CalendarDay): AnswerOf<typeof answers.calendarDayAnswer> {
  return {
    date: day,
    rate: rate ?? null,
    roomType: roomType ?? null,
    rateCode: rateCode ?? null,
    availability: available ?? 0,
    restrictions: restrictions ? { ...restrictions, closedToArrival, closedToDeparture } : null,
    stay: stay ?? null,
  };
}

/** An error or anomaly in rates. */
export function findingAnswer({
  code,
  severity,
  detail,
  roomType,
  rateCode,
  start,
  end,
}: Finding): AnswerOf<typeof answers.finding> {
  return {
    code,
    severity,
    detail,
    roomType: roomType ?? null,
    rateCode: rateCode ?? null,
    startDate: start ?? null,
    endDate: end ?? null,
  };
}
