import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import { formatDay } from '../../../../src/kernel/rules/dates.ts';
import type { PlanOfProperty } from '../../../../src/rates/operations/find-rate-plans.ts';
import type { RatePreview } from '../../../../src/rates/operations/preview-rates.ts';
import type { CalendarDay } from '../../../../src/rates/rules/queries.ts';
import type { Finding } from '../../../../src/rates/rules/rate-findings.ts';
import type { RatePlan } from '../../../../src/rates/rules/rate-plan.ts';
import { may } from '../../../auth/permissions.ts';
import { wireMoney } from '../../../http/money.ts';

type Json = Record<string, unknown>;

const optionalMoney = (amount: number | null | undefined): unknown => (amount == null ? null : wireMoney(amount));
const optionalDay = (day: number | undefined): string | null => (day === undefined ? null : formatDay(day));

/** A rate plan (docs/reference/rates.md#rate-plans). */
export function renderPlan({ propertyId, currency, plan }: PlanOfProperty): Json {
  const { id, code, name, strategy, status, cancellationPolicy } = plan;
  return {
    id,
    propertyId,
    code,
    name,
    strategy,
    status,
    cancellationPolicy,
    currency,
    baseRate: optionalMoney(plan.baseRate),
    validFrom: optionalDay(plan.validFrom),
    validTo: optionalDay(plan.validTo),
    parentCode: plan.parentCode ?? null,
    adjustmentPercent: plan.adjustmentPercent,
    adjustmentAmount: wireMoney(plan.adjustmentAmount ?? 0),
    minRatePercent: plan.minRatePercent,
    maxRatePercent: plan.maxRatePercent,
    minRate: optionalMoney(plan.minRate),
    maxRate: optionalMoney(plan.maxRate),
    rules: rulesOf(plan),
  };
}

function rulesOf(plan: RatePlan): Json {
  const { minLengthOfStay, maxLengthOfStay, minAdvanceBooking, maxAdvanceBooking, occupancyRules } = plan;
  const ofDays = Object.entries(plan.dayOfWeekRates ?? {});
  return {
    minLengthOfStay,
    maxLengthOfStay,
    minAdvanceBooking,
    maxAdvanceBooking,
    occupancyRules: {
      singleRate: optionalMoney(occupancyRules?.singleRate),
      doubleRate: optionalMoney(occupancyRules?.doubleRate),
      extraPersonRate: optionalMoney(occupancyRules?.extraPersonRate),
    },
    dayOfWeekRates: Object.fromEntries(ofDays.map(([name, rate]) => [name, wireMoney(rate)])),
    lengthOfStayRules: plan.lengthOfStayRules ?? [],
    advanceRules: plan.advanceRules ?? [],
    strategyRules: plan.strategyRules ?? {},
  };
}

/** Prices before and after a change (docs/reference/rates.md#base-rates); what they earn, for who may know. */
export function renderPreview({ id, kind, items, forecast }: RatePreview, caller: Pick<Caller, 'role'>): Json {
  const revenue = (amount: number): unknown => (may(caller, 'revenue.read') ? wireMoney(amount) : null);
  return {
    id,
    kind,
    items: items.map(({ roomType, day, from, to }) => ({
      roomType,
      date: formatDay(day),
      from: optionalMoney(from),
      to: optionalMoney(to),
    })),
    forecast: {
      revenueBefore: revenue(forecast.revenueBefore),
      revenueAfter: revenue(forecast.revenueAfter),
    },
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
  ...closed
}: CalendarDay): Json {
  return {
    date: formatDay(day),
    rate: optionalMoney(rate),
    roomType: roomType ?? null,
    rateCode: rateCode ?? null,
    availability: available ?? 0,
    restrictions: restrictions ? { ...restrictions, ...closed } : null,
  };
}

/** Something wrong or odd about rates. */
export function findingAnswer({ code, severity, detail, roomType, rateCode, start, end }: Finding): Json {
  return {
    code,
    severity,
    detail,
    roomType: roomType ?? null,
    rateCode: rateCode ?? null,
    startDate: optionalDay(start),
    endDate: optionalDay(end),
  };
}
