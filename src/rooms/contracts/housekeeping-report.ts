import { z } from 'zod';

import { at, count, dayField, figure } from '../../kernel/contracts/answers.ts';
import { date, MAX_RANGE_DAYS, propertyId } from '../../kernel/contracts/fields.ts';
import { HOUSEKEEPING_TASK_TYPES } from '../rules/housekeeping.ts';

/** Minutes that rooms have taken (docs/reference/set-up.md#minutes-per-room). */
export const housekeepingReportQuery = z
  .object({
    propertyId,
    from: date.optional().describe('First business date; defaults to the current one.'),
    to: date.optional().describe('Last business date, inclusive; defaults to `from`.'),
    format: z.enum(['json', 'csv']).optional().describe('Defaults to the `Accept` header.'),
  })
  .superRefine(({ from, to }, context) => {
    if (typeof to !== 'number') return;
    const blame = (message: string, field: string): void =>
      context.addIssue({ code: 'custom', path: ['to'], message, params: { field } });
    if (typeof from !== 'number') blame('needs from', 'MISSING');
    else if (to < from) blame('is before from', 'REVERSED');
    else if (to - from >= MAX_RANGE_DAYS) blame(`at most ${MAX_RANGE_DAYS} days at once`, 'TOO_MANY_DAYS');
  });
export type HousekeepingReportQuery = z.infer<typeof housekeepingReportQuery>;

const figures = {
  rooms: count.describe('Tasks that were completed.'),
  timedRooms: count.describe('Those of them that were started, so that their minutes are known.'),
  minutes: count,
  minutesPerRoom: figure.nullable().describe('Of the timed ones, with one decimal; null without any.'),
};

export const housekeepingReportLine = z.object({
  attendant: z.string().nullable(),
  taskType: z.enum(HOUSEKEEPING_TASK_TYPES),
  ...figures,
});

export const housekeepingReportAnswer = z.object({
  report: z.literal('housekeeping'),
  propertyId: z.string(),
  from: dayField,
  to: dayField,
  businessDate: dayField.describe('Business date of the property at the time of the report.'),
  createdAt: at,
  totals: z.object(figures),
  byTaskType: z.array(z.object({ taskType: z.enum(HOUSEKEEPING_TASK_TYPES), ...figures })),
  items: z.array(housekeepingReportLine).describe('By attendant and type; at most 1,000.'),
});
