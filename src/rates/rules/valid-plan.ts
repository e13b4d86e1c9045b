import { MAX_AMOUNT, negated } from '../../kernel/rules/money.ts';
import { CHANGE_RULES, type Guarantee, GUARANTEES, PENALTY_KINDS } from './plan-terms.ts';
import {
  BID_PRICES_BY,
  DAY_NAMES,
  PLAN_STATUSES,
  type RatePlan,
  STRATEGIES,
  type StrategyRules,
} from './rate-plan.ts';

const MAX_PERCENT = 100_000;
const MAX_RULES = 100;

/** Whether a value is a number within bounds, both inclusive. */
export const isWithin = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most;
const isCount = (value: unknown): boolean => Number.isInteger(value) && isWithin(value, 0, MAX_PERCENT);
const isPercent = (value: unknown): boolean => isWithin(value, -100, MAX_PERCENT);
const isAmount = (value: unknown): boolean =>
  Number.isInteger(value) && isWithin(value, negated(MAX_AMOUNT), MAX_AMOUNT);
const isPrice = (value: unknown): boolean => Number.isInteger(value) && isWithin(value, 0, MAX_AMOUNT);
const isDay = (value: unknown): boolean => Number.isInteger(value);

/** Whether a value is absent or valid. */
const optional = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function isListOf(value: unknown, is: (item: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(value) && value.length <= MAX_RULES && value.every((item) => isRecord(item) && is(item));
}

/**
 * Whether a plan from the database, which other programs may have written, can be priced: an invalid one must neither
 * stop the property nor sell for NaN.
 */
export function isValidPlan(plan: RatePlan): boolean {
  const { minRatePercent, maxRatePercent } = plan;
  return (
    STRATEGIES.includes(plan.strategy) &&
    PLAN_STATUSES.includes(plan.status) &&
    isWithin(minRatePercent, 0, MAX_PERCENT) &&
    isWithin(maxRatePercent, minRatePercent, MAX_PERCENT) &&
    [plan.minLengthOfStay, plan.maxLengthOfStay, plan.minAdvanceBooking, plan.maxAdvanceBooking].every(isCount) &&
    [plan.minRate, plan.maxRate, plan.baseRate].every((value) => optional(value, isPrice)) &&
    [plan.validFrom, plan.validTo].every((value) => optional(value, isDay)) &&
    optional(plan.parentCode, (value) => typeof value === 'string') &&
    optional(plan.roomTypes, (types) => Array.isArray(types) && types.every((type) => typeof type === 'string')) &&
    isPercent(plan.adjustmentPercent) &&
    optional(plan.guarantee, (value) => GUARANTEES.includes(value as Guarantee)) &&
    optional(plan.depositSchedule, (all) => isListOf(all, isInstalment)) &&
    optional(plan.terms, (terms) => isRecord(terms) && areTerms(terms)) &&
    optional(plan.adjustmentAmount, isAmount) &&
    hasSoundRules(plan)
  );
}

function isInstalment({ percent, due }: Record<string, unknown>): boolean {
  return isWithin(percent, 0, 100) && isRecord(due) && (due['at'] === 'BOOKING' || isCount(due['daysBefore']));
}

function areTerms({ cancellation, earlyDeparture, noShow, change }: Record<string, unknown>): boolean {
  const isRule = (rule: unknown): boolean =>
    isRecord(rule) && PENALTY_KINDS.includes(rule['kind'] as never) && isWithin(rule['value'], 0, MAX_PERCENT);
  if (!isRecord(cancellation) || !CHANGE_RULES.includes(change as never)) return false;
  const { freeUntilHours, penalty } = cancellation;
  return (freeUntilHours === null || isCount(freeUntilHours)) && [penalty, earlyDeparture, noShow].every(isRule);
}

function hasSoundRules({ occupancyRules, dayOfWeekRates, ...plan }: RatePlan): boolean {
  const ofPersons = (rules: unknown): boolean => isRecord(rules) && Object.values(rules).every(isPrice);
  const ofDays = (rates: unknown): boolean =>
    isRecord(rates) && DAY_NAMES.every((name) => optional(rates[name], isPrice));
  return (
    optional(occupancyRules, ofPersons) &&
    optional(plan.occupancyPricing, (all) => isListOf(all, isOccupancyPrice)) &&
    optional(dayOfWeekRates, ofDays) &&
    optional(plan.lengthOfStayRules, (rules) =>
      isListOf(rules, ({ minNights, percent }) => isCount(minNights) && isPercent(percent)),
    ) &&
    optional(plan.advanceRules, (rules) =>
      isListOf(
        rules,
        ({ minDays, maxDays, percent }) =>
          optional(minDays, isCount) && optional(maxDays, isCount) && isPercent(percent),
      ),
    ) &&
    optional(plan.dayUse, (rates) =>
      isListOf(
        rates,
        ({ roomType, rate }) => isPrice(rate) && optional(roomType, (type) => typeof type === 'string'),
      ),
    ) &&
    optional(plan.strategyRules, (rules) => isRecord(rules) && areSound(rules))
  );
}

function isOccupancyPrice({ roomType, included, extraAdult, single, bands }: Record<string, unknown>): boolean {
  return (
    optional(roomType, (type) => typeof type === 'string') &&
    isCount(included) &&
    isPrice(extraAdult) &&
    optional(single, isAmount) &&
    isRecord(bands) &&
    Object.values(bands).every(isPrice)
  );
}

function areSound({ seasons, bidPriceBy, ...numbers }: StrategyRules): boolean {
  const isMonthDay = (value: unknown): boolean => typeof value === 'string' && /^\d\d-\d\d$/.test(value);
  return (
    Object.values(numbers).every((value) => optional(value, isPercent)) &&
    optional(bidPriceBy, (value) => BID_PRICES_BY.some((one) => one === value)) &&
    optional(seasons, (list) =>
      isListOf(list, ({ start, end, percent }) => isMonthDay(start) && isMonthDay(end) && isPercent(percent)),
    )
  );
}
