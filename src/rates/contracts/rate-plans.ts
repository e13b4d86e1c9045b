import { z } from 'zod';

import {
  amount,
  date,
  optionalRoomType,
  optionalText,
  page,
  policyName,
  priceField,
  propertyId,
  roomTypeCode,
  surcharge,
  text,
  withoutDuplicates,
} from '../../kernel/contracts/fields.ts';
import { isCurrency } from '../../kernel/rules/money.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import {
  BID_PRICES_BY,
  DAY_NAMES,
  DEFAULT_RULES,
  PLAN_STATUSES,
  STRATEGIES,
  STRATEGY_MEMBERS,
} from '../rules/rate-plan.ts';
import { checkGuarantee, guaranteeFields } from './plan-terms.ts';

/** Bodies and queries of `/rates/plans` (docs/reference/rates.md#rate-plans). */

export const adjustment = z.number().min(-99).max(1_000).multipleOf(0.01, 'has more than two decimals');
const ofBase = z.number().min(0).max(10_000).multipleOf(0.01, 'has more than two decimals');
const nights = z.int().min(1).max(MAX_NIGHTS);
const ahead = z.int().min(0).max(1_095);
const monthDay = z.string().regex(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'is not MM-DD');

export const strategyRules = z.strictObject({
  weekendPercent: adjustment.optional(),
  lastMinuteDays: ahead.optional(),
  lastMinutePercent: adjustment.optional(),
  earlyBirdDays: ahead.optional(),
  earlyBirdPercent: adjustment.optional(),
  seasons: z
    .array(z.strictObject({ start: monthDay, end: monthDay, percent: adjustment }))
    .max(20)
    .optional(),
  bidPercentPerRoom: adjustment.min(0).optional(),
  bidCeilingPercent: adjustment.min(0).optional(),
  bidPriceBy: z.enum(BID_PRICES_BY).optional(),
  marketSharePercent: adjustment.min(0).max(100).optional(),
  marketMostPercent: adjustment.min(0).max(100).optional(),
});

const dayOfWeekRates = z.strictObject(
  Object.fromEntries(DAY_NAMES.map((name) => [name, priceField.optional()])) as Record<
    (typeof DAY_NAMES)[number],
    z.ZodOptional<typeof priceField>
  >,
);

const occupancyPricing = z
  .array(
    z.strictObject({
      roomType: optionalRoomType,
      included: z.int().min(1).max(20).default(2).describe('Guests in the price of the room.'),
      extraAdult: amount,
      single: surcharge.optional().describe('For a guest who is alone; less than 0 is a reduction.'),
      bands: z
        .record(text(50), amount)
        .default({})
        .describe('Amount for each further child, by the age bands of the property.'),
    }),
  )
  .min(1)
  .max(100)
  .superRefine(withoutDuplicates('roomType', 'has prices already'))
  .describe('What guests add to the price of a room type or, without one, of all others.');

/** Defaults are those of a plan. */
const rules = z.strictObject({
  minLengthOfStay: nights.default(DEFAULT_RULES.minLengthOfStay),
  maxLengthOfStay: nights.default(DEFAULT_RULES.maxLengthOfStay),
  minAdvanceBooking: ahead.default(DEFAULT_RULES.minAdvanceBooking),
  maxAdvanceBooking: ahead.default(DEFAULT_RULES.maxAdvanceBooking),
  occupancyRules: z
    .strictObject({
      singleRate: priceField.optional(),
      doubleRate: priceField.optional(),
      extraPersonRate: amount.optional(),
    })
    .optional(),
  occupancyPricing: occupancyPricing.optional(),
  dayOfWeekRates: dayOfWeekRates.optional(),
  lengthOfStayRules: z
    .array(z.strictObject({ minNights: nights, percent: adjustment }))
    .max(20)
    .optional(),
  advanceRules: z
    .array(z.strictObject({ minDays: ahead.optional(), maxDays: ahead.optional(), percent: adjustment }))
    .max(20)
    .optional(),
  strategyRules: strategyRules.optional(),
  dayUse: z
    .array(z.strictObject({ roomType: optionalRoomType, rate: priceField }))
    .max(100)
    .superRefine(withoutDuplicates('roomType', 'has a price already'))
    .optional()
    .describe('Prices of stays without a night, one for a room type or, without it, for all others.'),
});

const shape = {
  name: text(100),
  strategy: z.enum(STRATEGIES).default('FIXED'),
  status: z.enum(PLAN_STATUSES).default('ACTIVE'),
  /** Defaults to the property's policy for a new plan, and to the current one for an existing plan. */
  cancellationPolicy: policyName.optional(),
  ...guaranteeFields,
  currency: z.string().refine(isCurrency, 'is no currency of ISO 4217 in use, with at most two decimals').optional(),
  baseRate: priceField.optional(),
  validFrom: date.optional(),
  validTo: date.optional(),
  roomTypes: z
    .array(roomTypeCode)
    .min(1)
    .max(100)
    .superRefine(withoutDuplicates(undefined, 'is named already'))
    .optional()
    .describe('Room types that it sells; all when absent.'),
  occupancyPricing: occupancyPricing.optional(),
  /** Derived from this plan: its price, then the adjustment. */
  parentCode: optionalText(50),
  adjustmentPercent: adjustment.default(0),
  adjustmentAmount: surcharge.optional(),
  minRatePercent: ofBase.default(60),
  maxRatePercent: ofBase.default(200),
  minRate: priceField.optional(),
  maxRate: priceField.optional(),
  rules: rules.default(rules.parse({})),
};

type Bounded = z.infer<z.ZodObject<typeof shape>>;

function inOrder(plan: Bounded, context: z.RefinementCtx): void {
  const blame = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message, params: { field: 'REVERSED' } });
  const { rules: of } = plan;
  checkGuarantee(plan, context);
  if (plan.validFrom !== undefined && plan.validTo !== undefined && plan.validTo < plan.validFrom)
    blame(['validTo'], 'is before validFrom');
  if (plan.maxRatePercent < plan.minRatePercent) blame(['maxRatePercent'], 'is less than minRatePercent');
  if ((plan.maxRate ?? Infinity) < (plan.minRate ?? 0)) blame(['maxRate'], 'is less than minRate');
  if (of.maxLengthOfStay < of.minLengthOfStay) blame(['rules', 'maxLengthOfStay'], 'is less than minLengthOfStay');
  if (of.maxAdvanceBooking < of.minAdvanceBooking)
    blame(['rules', 'maxAdvanceBooking'], 'is less than minAdvanceBooking');
  of.advanceRules?.forEach(({ minDays = 0, maxDays = Infinity }, index) => {
    if (maxDays < minDays) blame(['rules', 'advanceRules', index, 'maxDays'], 'is less than minDays');
  });
}

/**
 * Refuses what would have no effect: a derived plan takes prices and rules of its parent, and a strategy has parameters
 * of its own only.
 */
function everyRuleCounts(plan: Bounded, context: z.RefinementCtx): void {
  const { parentCode, strategy, baseRate, rules: of } = plan;
  const byGuests = plan.occupancyPricing ?? of.occupancyPricing;
  const blame = (path: string[], field: string, message: string): void =>
    context.addIssue({ code: 'custom', path, message, params: { field } });
  const given = STRATEGIES_RULES.filter((name) => of.strategyRules?.[name] !== undefined);
  for (const name of given)
    if (!STRATEGY_MEMBERS[strategy].includes(name))
      blame(['rules', 'strategyRules', name], 'OTHER_STRATEGY', `is no parameter of ${strategy}`);
  const { singleRate, doubleRate } = of.occupancyRules ?? {};
  const ofGuests = (name: string, field: string, message: string): void =>
    blame(['rules', 'occupancyRules', name], field, message);
  if (plan.occupancyPricing && of.occupancyPricing)
    blame(['rules', 'occupancyPricing'], 'NO_EFFECT', 'stands beside rules already');
  if (byGuests && isSaid(of.occupancyRules))
    blame(['rules', 'occupancyRules'], 'NO_EFFECT', 'has no effect beside occupancyPricing');
  else if (singleRate !== undefined && doubleRate === undefined && baseRate === undefined)
    ofGuests('singleRate', 'NO_DOUBLE_RATE', 'needs doubleRate: their difference is what a single guest saves');
  else if (doubleRate !== undefined && singleRate === undefined)
    ofGuests('doubleRate', 'NO_EFFECT', 'has no effect without singleRate');
  if (parentCode === undefined) return;
  const ofParent = (path: string[]): void => blame(path, 'OF_PARENT', 'of a derived plan is that of its parent');
  if (strategy !== 'FIXED') ofParent(['strategy']);
  if (baseRate !== undefined) ofParent(['baseRate']);
  if (byGuests !== undefined) ofParent(['occupancyPricing']);
  for (const name of OF_PARENT) if (isSaid(of[name])) ofParent(['rules', name]);
}

/** Rules that a derived plan takes from its parent. */
const OF_PARENT = ['occupancyRules', 'dayOfWeekRates', 'lengthOfStayRules', 'advanceRules'] as const;
const STRATEGIES_RULES = Object.values(STRATEGY_MEMBERS).flat();

const isSaid = (rule: object | undefined): boolean => rule !== undefined && Object.keys(rule).length > 0;

export const ratePlanBody = z
  .strictObject({ propertyId, code: text(50).regex(/^\S+$/, 'has no spaces'), ...shape })
  .superRefine(inOrder)
  .superRefine(everyRuleCounts);
export type RatePlanBody = z.infer<typeof ratePlanBody>;

/** A plan keeps its property and code; everything else is replaced by the body. */
export const ratePlanChange = z.strictObject(shape).superRefine(inOrder).superRefine(everyRuleCounts);
export type RatePlanChange = z.infer<typeof ratePlanChange>;

export const ratePlansQuery = z.object({ propertyId, ...page });
export type RatePlansQuery = z.infer<typeof ratePlansQuery>;
