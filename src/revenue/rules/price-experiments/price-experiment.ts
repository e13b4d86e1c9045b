import { canonical } from '../../../kernel/rules/canonical.ts';
import type { Day } from '../../../kernel/rules/dates.ts';
import type { PropertyId } from '../../../kernel/rules/ids.ts';
import type { Instant } from '../../../kernel/rules/property-time.ts';
import type { RatePlan } from '../../../rates/rules/rate-plan.ts';

/** Pairs of blocks: with fewer nothing could be said, and with more a year is over. */
export const EXPERIMENT_PAIRS = { least: 4, most: 180 } as const;
export const MAX_EXPERIMENT_DAYS = 365;
/** Days after the business date on which one may begin: until it has ended the property has no other. */
export const MAX_DAYS_TO_START = 365;
/** A day counts if its rates came into effect this soon after it began. */
const IN_TIME_MS = 2 * 3_600_000;

/** Rates of a day of sale: those of before, or those that are tried. */
export type Arm = 'CONTROL' | 'TREATMENT';

/** Members of a rate plan that an experiment changes. */
const VARIED = ['adjustmentPercent', 'strategy', 'strategyRules'] as const;
export type PlanVariant = Partial<Pick<RatePlan, (typeof VARIED)[number]>>;

/** A day of sale, and since when its rates were in effect. */
export type SwitchedDay = { day: Day; arm: Arm; at: Instant };

export const EXPERIMENT_STATUSES = ['RUNNING', 'COMPLETED', 'STOPPED'] as const;
export const STOP_REASONS = ['BY_USER', 'PLAN_CHANGED', 'PLAN_REMOVED'] as const;

/** A plan sells at other rates on days that were drawn beforehand (docs/concepts/forecast.md#price-experiments). */
export type PriceExperiment = {
  id: string;
  propertyId: PropertyId;
  name: string;
  rateCode: string;
  /** What is tried, and the same members of the plan before. */
  treatment: PlanVariant;
  control: PlanVariant;
  first: Day;
  /** Days of sale that share their rates. */
  blockDays: number;
  /** Days at the beginning of a block that do not count, since guests still decide on the rates before. */
  settleDays: number;
  /** Of each block; two adjacent ones are a pair with one of each. */
  arms: Arm[];
  status: (typeof EXPERIMENT_STATUSES)[number];
  stopReason?: (typeof STOP_REASONS)[number];
  days: SwitchedDay[];
  createdAt: Instant;
  createdBy: string;
};

/** Draws for each pair of blocks which one is tried: neither season nor trend is on one side. */
export function drawArms(pairs: number, isTriedFirst: () => boolean): Arm[] {
  return Array.from({ length: pairs }, (): Arm[] =>
    isTriedFirst() ? ['TREATMENT', 'CONTROL'] : ['CONTROL', 'TREATMENT'],
  ).flat();
}

/** Last day of sale of an experiment. */
export function lastDayOf({ first, blockDays, arms }: Pick<PriceExperiment, 'first' | 'blockDays' | 'arms'>): Day {
  return first + blockDays * arms.length - 1;
}

/** The block of a day, from 0. */
export function blockNumberOf({ first, blockDays }: Pick<PriceExperiment, 'first' | 'blockDays'>, day: Day): number {
  return Math.floor((day - first) / blockDays);
}

/** Whether what was sold on a day is the effect of its rates alone: on the day of a stop they are those of both. */
export function isCounted(experiment: PriceExperiment, { day, at }: SwitchedDay, beganAt: Instant): boolean {
  const { first, blockDays, settleDays, status, days } = experiment;
  if (status === 'STOPPED' && day === days.at(-1)?.day) return false;
  return (day - first) % blockDays >= settleDays && at - beganAt <= IN_TIME_MS;
}

/** The members of a plan that a variant names. */
export function variantOf(plan: RatePlan, names: readonly string[]): PlanVariant {
  return Object.fromEntries(VARIED.filter((name) => names.includes(name)).map((name) => [name, plan[name]]));
}

/** The plan with these members; one that is undefined is left out. */
export function withVariant(plan: RatePlan, variant: PlanVariant): RatePlan {
  const varied: RatePlan = { ...plan, ...variant };
  if ('strategyRules' in variant && variant.strategyRules === undefined) delete varied.strategyRules;
  return varied;
}

/** No parameters of a strategy are the same as empty ones. */
export function isSameVariant(one: PlanVariant, other: PlanVariant): boolean {
  const [first, second] = [one, other].map(({ strategyRules = {}, ...rest }) =>
    canonical({ ...rest, strategyRules }),
  );
  return first === second;
}

/** What a plan is to be like on a day, and what becomes of the experiment with it. */
export type Switch =
  | { kind: 'SET'; arm: Arm; plan: RatePlan | undefined }
  | { kind: 'END'; plan: RatePlan | undefined }
  | { kind: 'STOP'; reason: Exclude<PriceExperiment['stopReason'], undefined> }
  | { kind: 'NONE' };

/** @param plan as it is; in the answer absent where it stays so */
export function switchOf(experiment: PriceExperiment, plan: RatePlan | undefined, day: Day): Switch {
  const { first, treatment, control, arms, days } = experiment;
  if (!plan) return { kind: 'STOP', reason: 'PLAN_REMOVED' };
  const now = variantOf(plan, Object.keys(treatment));
  if (!isSameVariant(now, treatment) && !isSameVariant(now, control)) return { kind: 'STOP', reason: 'PLAN_CHANGED' };
  const putting = (variant: PlanVariant): RatePlan | undefined =>
    isSameVariant(now, variant) ? undefined : withVariant(plan, variant);
  if (day > lastDayOf(experiment)) return { kind: 'END', plan: putting(control) };
  if (day < first || days.some((one) => one.day === day)) return { kind: 'NONE' };
  const arm = arms[blockNumberOf(experiment, day)]!;
  return { kind: 'SET', arm, plan: putting(arm === 'TREATMENT' ? treatment : control) };
}
