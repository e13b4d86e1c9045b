import { z } from 'zod';

import { amount, uuid } from '../../kernel/contracts/fields.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import { type BookingTerms, CHANGE_RULES, GUARANTEES, PENALTY_KINDS, type PenaltyRule } from '../rules/plan-terms.ts';

/** Guarantee and terms in bodies of `/rates/plans` (docs/reference/rates.md#guarantee-and-terms). */

const percent = z.number().gt(0).max(100).multipleOf(0.01, 'has more than two decimals');
const MAX_HOURS = 8_760;
const MAX_INSTALMENTS = 10;

function contradiction(context: z.RefinementCtx, path: (string | number)[], message: string): void {
  context.addIssue({ code: 'custom', path, message, params: { field: 'CONTRADICTION' } });
}

const penalty = z
  .strictObject({ kind: z.enum(PENALTY_KINDS), value: z.number().min(0).default(0) })
  .superRefine(({ kind, value }, context) => {
    const isWrong =
      (kind === 'NONE' && value !== 0) ||
      (kind === 'NIGHTS' && !(Number.isInteger(value) && value >= 1 && value <= MAX_NIGHTS)) ||
      (kind === 'PERCENT' && !percent.safeParse(value).success);
    if (isWrong) contradiction(context, ['value'], WANTED[kind]);
  });

const WANTED: Record<PenaltyRule['kind'], string> = {
  NONE: 'is 0 where nothing is to be paid',
  NIGHTS: `is a number of nights, 1 to ${MAX_NIGHTS}`,
  PERCENT: 'is more than 0 and at most 100, with two decimals',
};

/** Whether one rule takes less than the other, as far as they can be compared. */
const isLess = (one: PenaltyRule, other: PenaltyRule): boolean =>
  one.kind === 'NONE' ? other.kind !== 'NONE' : one.kind === other.kind && one.value < other.value;

/** By default a no-show costs as much as a late cancellation, and changes are free of charge. */
export const planTerms = z
  .strictObject({
    cancellation: z.strictObject({ freeUntilHours: z.int().min(0).max(MAX_HOURS).nullable(), penalty }),
    earlyDeparture: penalty.default({ kind: 'NONE', value: 0 }),
    noShow: penalty.optional(),
    change: z.enum(CHANGE_RULES).default('FREE'),
    changeFee: amount.optional(),
  })
  .transform(({ noShow, ...terms }) => ({ ...terms, noShow: noShow ?? terms.cancellation.penalty }))
  .superRefine(({ cancellation, noShow, change, changeFee }, context) => {
    if (cancellation.freeUntilHours === null && cancellation.penalty.kind === 'NONE')
      contradiction(context, ['cancellation', 'penalty'], 'is nothing, though cancelling is never free of charge');
    if (isLess(noShow, cancellation.penalty))
      contradiction(context, ['noShow'], 'takes less than a late cancellation: nobody would cancel');
    if (change === 'FEE' && !changeFee) contradiction(context, ['changeFee'], 'is required where changes have a fee');
    if (change !== 'FEE' && changeFee !== undefined) contradiction(context, ['changeFee'], 'belongs to change FEE');
  }) satisfies z.ZodType<Omit<BookingTerms, 'ofPlan'>>;

const instalment = z.strictObject({
  percent,
  due: z.union([
    z.strictObject({ at: z.literal('BOOKING') }),
    z.strictObject({ daysBefore: z.int().min(0).max(1_095) }),
  ]),
});

/** Percentages of the price; the rest is paid at the property. */
const depositSchedule = z
  .array(instalment)
  .min(1)
  .max(MAX_INSTALMENTS)
  .superRefine((all, context) => {
    const cents = all.reduce((total, one) => total + Math.round(one.percent * 100), 0);
    if (cents > 10_000) contradiction(context, [], 'comes to more than 100 percent');
    const dues = all.map(({ due }) => JSON.stringify(due));
    if (new Set(dues).size < dues.length) contradiction(context, [], 'has two instalments that are due at once');
  });

/** Members of a plan's body; for defaults, and what `cancellationPolicy` replaces, see `put-rate-plan.ts`. */
export const guaranteeFields = {
  guarantee: z.enum(GUARANTEES).optional(),
  depositSchedule: depositSchedule.optional(),
  releaseHour: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not a time HH:MM')
    .nullable()
    .optional(),
  companyId: uuid.optional(),
  terms: planTerms.optional(),
};

type Guaranteed = z.infer<z.ZodObject<typeof guaranteeFields>>;

const BELONGS = { depositSchedule: 'PREPAY', releaseHour: 'NONE', companyId: 'COMPANY' } as const;

/** Rejects members that belong to another guarantee. */
export function checkGuarantee(plan: Guaranteed & { cancellationPolicy?: string }, context: z.RefinementCtx): void {
  for (const [member, guarantee] of Object.entries(BELONGS))
    if (plan[member as keyof typeof BELONGS] !== undefined && plan.guarantee !== guarantee)
      contradiction(context, [member], `belongs to guarantee ${guarantee}`);
  if (plan.terms && plan.cancellationPolicy !== undefined)
    contradiction(context, ['terms'], 'stand in the place of a cancellation policy; send one of the two');
}
