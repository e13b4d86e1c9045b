import { z } from 'zod';

import { at, count, dayField, figure, idField, moneyField, openObject } from '../../kernel/contracts/answers.ts';
import { dayToCome, propertyId, text } from '../../kernel/contracts/fields.ts';
import { adjustment, strategyRules } from '../../rates/contracts/rate-plans.ts';
import { STRATEGIES } from '../../rates/rules/rate-plan.ts';
import { EXPERIMENT_FINDINGS } from '../rules/price-experiments/experiment-result.ts';
import {
  EXPERIMENT_PAIRS,
  EXPERIMENT_STATUSES,
  MAX_EXPERIMENT_DAYS,
  STOP_REASONS,
} from '../rules/price-experiments/price-experiment.ts';

/** Bodies and answers of `/rates/experiments` (docs/reference/price-experiments.md#price-experiments). */

export const experimentBody = z
  .strictObject({
    propertyId,
    name: text(100),
    rateCode: text(50).default('BAR'),
    treatment: z
      .strictObject({
        adjustmentPercent: adjustment.optional(),
        strategy: z.enum(STRATEGIES).optional(),
        strategyRules: strategyRules.optional(),
      })
      .describe('What of the plan is another on the days on which it is tried.'),
    startDate: dayToCome.optional().describe('First day of sale; tomorrow when absent.'),
    pairs: z.int().min(EXPERIMENT_PAIRS.least).max(EXPERIMENT_PAIRS.most).default(28),
    blockDays: z.int().min(1).max(14).default(1).describe('Days of sale that share their rates.'),
    settleDays: z.int().min(0).max(13).default(0).describe('First days of each block, which do not count.'),
  })
  .superRefine(({ pairs, blockDays, settleDays }, context) => {
    const blame = (path: string, field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message, params: { field } });
    if (2 * pairs * blockDays > MAX_EXPERIMENT_DAYS)
      blame('pairs', 'TOO_MANY_DAYS', `takes more than ${MAX_EXPERIMENT_DAYS} days`);
    if (settleDays >= blockDays) blame('settleDays', 'TOO_BIG', 'leaves no day of a block');
  });
export type ExperimentBody = z.infer<typeof experimentBody>;

export const experimentsQuery = z.object({ propertyId });
export type ExperimentsQuery = z.infer<typeof experimentsQuery>;

const ofArm = z.object({
  days: count,
  roomNights: count,
  revenuePerDay: moneyField.describe('Room revenue booked on a day of sale that has not been cancelled.'),
});

export const experimentAnswer = z.object({
  id: idField,
  propertyId: z.string(),
  name: z.string(),
  rateCode: z.string(),
  treatment: openObject,
  control: openObject.describe('The same members of the plan before.'),
  startDate: dayField,
  endDate: dayField,
  pairs: count,
  blockDays: count,
  settleDays: count,
  status: z.enum(EXPERIMENT_STATUSES),
  stopReason: z.enum(STOP_REASONS).nullable(),
  createdAt: at,
  createdBy: z.string(),
});
export const experimentListAnswer = z.object({ propertyId: z.string(), items: z.array(experimentAnswer) });

export const experimentResultAnswer = experimentAnswer.extend({
  currency: z.string(),
  result: z.object({
    control: ofArm,
    treatment: ofArm,
    leftOut: count.describe('Days that do not count: settling, switched too late, or that of a stop.'),
    pairs: count.describe('Pairs of blocks that have both rates.'),
    finding: z
      .enum(EXPERIMENT_FINDINGS)
      .nullable()
      .describe('Null while it runs: a look before the end would find too much.'),
    uplift: z
      .object({
        perDay: moneyField,
        low: moneyField,
        high: moneyField.describe('With `low` the interval of 95 %.'),
        percent: figure,
        lowPercent: figure,
        highPercent: figure,
      })
      .nullable(),
    explained: figure.nullable().describe('Part of the noise that usual revenue by weekday has taken away, 0 to 1.'),
  }),
});
