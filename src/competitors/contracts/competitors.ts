import { z } from 'zod';

import { at, count } from '../../kernel/contracts/answers.ts';
import { date, instant, priceField, roomTypeCode, text } from '../../kernel/contracts/fields.ts';
import { isCurrency } from '../../kernel/rules/money.ts';
import { JOB_STATES } from '../../kernel/rules/rounds.ts';
import { ROW_FAULTS } from '../../rates/rules/competitor-rate.ts';
import { SYNC_STATES } from '../rules/competitor-sync.ts';

/** A row of a competitor feed (docs/guide/production.md#partners); unknown members are ignored. */
export const competitorRow = z
  .object({
    competitorId: text(100),
    roomType: roomTypeCode,
    date,
    rate: priceField,
    currency: z.string().refine(isCurrency),
    observedAt: instant,
  })
  .transform(({ date: day, ...row }) => ({ ...row, day }));

/** Query of the status, and of a job's progress. */
export const syncStatusQuery = z.object({ jobId: z.string().max(100).optional() });
export type SyncStatusQuery = z.infer<typeof syncStatusQuery>;

const state = z.enum(SYNC_STATES);
const seconds = count.nullable().meta({ description: 'Since the last success.' });

const sourceAnswer = z.object({
  source: z.string(),
  status: state,
  properties: count,
  failing: count.meta({ description: 'Properties for which it failed the last time.' }),
  lastAttempt: at.nullable(),
  lastSuccess: at.nullable(),
  nextSync: at,
  ageSeconds: seconds,
  rates: count,
  leftOut: z.partialRecord(z.enum(ROW_FAULTS), count),
  error: z.string().nullable(),
});

/** Answer of `GET /admin/competitor-sync/status` (docs/reference/rates.md#administration). */
export const syncStatusAnswer = z.object({
  sources: z.array(sourceAnswer),
  lastSync: at.nullable(),
  nextSync: at.nullable(),
  ageSeconds: seconds,
  status: state,
  refresh: z
    .object({
      jobId: z.string(),
      state: z.enum(JOB_STATES),
      progress: count.meta({ description: 'Percent.' }),
      properties: count.optional().meta({ description: 'Queried properties, once the refresh is completed.' }),
      failing: count.optional(),
      error: z.string().optional(),
    })
    .optional(),
});

/** Answer of `POST /admin/competitor-sync/refresh`. */
export const refreshAnswer = z.object({ jobId: z.string(), statusUrl: z.string() });
