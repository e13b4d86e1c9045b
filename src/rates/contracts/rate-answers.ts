import { z } from 'zod';

import { at, dayField, listOf, moneyField, count, figure, idField } from '../../kernel/contracts/answers.ts';
import { CHANGE_RULES, GUARANTEES, PENALTY_KINDS } from '../rules/plan-terms.ts';
import { FINDINGS, SEVERITIES } from '../rules/rate-findings.ts';
import { DAY_NAMES, PLAN_STATUSES, STRATEGIES } from '../rules/rate-plan.ts';
import { baseRatesOfQuote as changedRates, limits } from './quote-answers.ts';

/** Answers of the rate service other than quotes (docs/reference/rates.md#rates). */
const optionalMoney = moneyField.nullable();
const percent = figure;

/** A percentage of the price, and when it is due. */
export const instalmentField = z.object({
  percent,
  due: z.union([z.object({ at: z.literal('BOOKING') }), z.object({ daysBefore: count })]),
});

const penaltyRule = z
  .object({ kind: z.enum(PENALTY_KINDS), value: figure })
  .describe('NIGHTS: the first ones; PERCENT: a part of them; with taxes and fees.');

/** Terms of a booking. */
export const termsField = z.object({
  cancellation: z.object({ freeUntilHours: figure.nullable(), penalty: penaltyRule }),
  earlyDeparture: penaltyRule,
  noShow: penaltyRule,
  change: z.enum(CHANGE_RULES),
  changeFee: moneyField.optional(),
});

export const planAnswer = z.object({
  id: idField,
  propertyId: z.string(),
  code: z.string(),
  name: z.string(),
  strategy: z.enum(STRATEGIES),
  status: z.enum(PLAN_STATUSES),
  cancellationPolicy: z.string(),
  guarantee: z.enum([...GUARANTEES, 'CHANNEL']),
  depositSchedule: z.array(instalmentField).nullable(),
  releaseHour: z.string().nullable(),
  companyId: z.string().nullable(),
  terms: termsField,
  inherits: z
    .array(z.enum(['guarantee', 'terms']))
    .describe('Members that the plan does not set itself and that follow the policies of the property.'),
  currency: z.string(),
  baseRate: optionalMoney,
  validFrom: dayField.nullable(),
  validTo: dayField.nullable(),
  roomTypes: z.array(z.string()).nullable().describe('Null: all.'),
  occupancyPricing: z
    .array(
      z.object({
        roomType: z.string().optional(),
        included: count,
        extraAdult: moneyField,
        single: moneyField.optional(),
        bands: z.record(z.string(), moneyField),
      }),
    )
    .nullable(),
  parentCode: z.string().nullable(),
  adjustmentPercent: percent,
  adjustmentAmount: moneyField,
  minRatePercent: percent,
  maxRatePercent: percent,
  minRate: optionalMoney,
  maxRate: optionalMoney,
  rules: z.object({
    minLengthOfStay: count,
    maxLengthOfStay: count,
    minAdvanceBooking: count,
    maxAdvanceBooking: count,
    occupancyRules: z.object({
      singleRate: optionalMoney,
      doubleRate: optionalMoney,
      extraPersonRate: optionalMoney,
    }),
    dayOfWeekRates: z.object(Object.fromEntries(DAY_NAMES.map((name) => [name, moneyField.optional()]))),
    lengthOfStayRules: z.array(z.object({ minNights: count, percent })),
    advanceRules: z.array(z.object({ minDays: count.optional(), maxDays: count.optional(), percent })),
    dayUse: z.array(z.object({ roomType: z.string().optional(), rate: moneyField })),
    strategyRules: z.record(z.string(), z.unknown()).meta({ description: 'Rules that differ from the defaults.' }),
  }),
  version: count.describe('For `If-Match`.'),
});
export const planListAnswer = listOf(planAnswer);
export const planRemoved = z.object({ id: idField, status: z.literal('REMOVED') });

export const priceMove = z.object({ roomType: z.string(), date: dayField, from: optionalMoney, to: optionalMoney });

export const previewAnswer = z.object({
  id: idField,
  kind: z.enum(['RATE_CHANGE', 'OPTIMIZATION']),
  items: z.array(priceMove),
  /** Revenue is visible to MANAGER and above. */
  forecast: z.object({ revenueBefore: optionalMoney, revenueAfter: optionalMoney }),
});

/** Answer to a change, or to a dry run of it. */
export const baseRatesAnswer = z.union([changedRates, previewAnswer]);

const changedNights = z.object({
  rateId: idField,
  items: z.array(priceMove).describe('What each night cost, and costs now.'),
  updatedAt: at,
  previewUrl: z.string(),
});

/** Answer to a change of single nights, or to a dry run of it. */
export const nightRatesAnswer = z.union([changedNights, previewAnswer]);

export const calendarDayAnswer = z.object({
  date: dayField,
  rate: optionalMoney,
  roomType: z.string().nullable(),
  rateCode: z.string().nullable(),
  availability: count,
  restrictions: limits.extend({ closedToArrival: z.boolean(), closedToDeparture: z.boolean() }).nullable(),
  stay: z
    .object({ checkIn: dayField, checkOut: dayField })
    .nullable()
    .describe('The shortest stay that has the night at this rate, and can be booked.'),
});

const baseNightAnswer = z.object({
  date: dayField,
  roomType: z.string(),
  baseRate: moneyField.nullable().describe('Null when it is not set.'),
  season: z
    .object({ multiplier: figure, amount: moneyField })
    .nullable()
    .describe('Season: base rate times the multiplier, plus the amount.'),
  rate: moneyField.nullable().describe('Price under BAR.'),
});

export const setRatesAnswer = z.object({
  propertyId: z.string(),
  currency: z.string(),
  items: z.array(baseNightAnswer),
  seq: count,
});

export const calendarAnswer = z.object({
  propertyId: z.string(),
  currency: z.string(),
  items: z.array(calendarDayAnswer),
  seq: count,
});

export const finding = z.object({
  code: z.enum(FINDINGS),
  severity: z.enum(SEVERITIES),
  detail: z.string(),
  roomType: z.string().nullable(),
  rateCode: z.string().nullable(),
  startDate: dayField.nullable(),
  endDate: dayField.nullable(),
});

export const validationAnswer = z.object({
  propertyId: z.string(),
  valid: z.boolean().meta({ description: 'No finding is an ERROR.' }),
  findings: z.array(finding),
});
export const flushAnswer = z.object({ evicted: count });
