import { z } from 'zod';

import { at, listOf, count } from '../../kernel/contracts/answers.ts';
import { instant, optionalText, page, propertyId, queryInt } from '../../kernel/contracts/fields.ts';
import { type Day, parseDay } from '../../kernel/rules/dates.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/** The audit trail of a tenant (docs/concepts/audit-trail.md#query-it). */

const DAY_MS = 86_400_000;

/** Entries of one page, and of one export. */
const MAX_LISTED = 200;
export const MAX_EXPORTED = 1_000;

/** A moment with its zone, or a day: its start or its end in UTC. */
const momentOrDay = (ofDay: (day: Day) => Instant) =>
  z
    .string()
    .transform((value, context): Instant => {
      const day = parseDay(value);
      if (day !== undefined) return Math.max(0, ofDay(day));
      const moment = instant.safeParse(value);
      if (moment.success) return moment.data;
      const message = 'is neither a calendar day YYYY-MM-DD nor a moment with its zone from 1970 on';
      context.addIssue({ code: 'custom', message, params: { field: 'NO_SUCH_DATE' } });
      return z.NEVER;
    })
    .meta({ type: 'string', description: 'A day, or a moment with its zone' });

const AUDIT_FORMATS = ['json', 'csv', 'ndjson'] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

export const auditTrailQuery = z
  .object({
    /** A kind of entity, such as `reservation`, or the id of one. */
    entity: optionalText(255),
    subject: optionalText(100),
    propertyId: propertyId.optional().describe('Its journal, and what administration did about it.'),
    action: optionalText(100).describe('Such as `CANCEL` or `CHANGED`.'),
    from: momentOrDay((day) => day * DAY_MS).optional(),
    to: momentOrDay((day) => (day + 1) * DAY_MS - 1).optional(),
    /** Defaults to the `Accept` header. */
    format: z.enum(AUDIT_FORMATS).optional(),
    cursor: page.cursor,
    limit: queryInt(z.int().min(1).max(MAX_EXPORTED)).optional(),
  })
  .superRefine(({ from, to, limit, format = 'json' }, context) => {
    const blame = (path: string, message: string, field: string): void =>
      context.addIssue({ code: 'custom', path: [path], message, params: { field } });
    if (from !== undefined && to !== undefined && from > to) blame('to', 'is before from', 'REVERSED');
    if (format === 'json' && limit !== undefined && limit > MAX_LISTED)
      blame('limit', `at most ${MAX_LISTED} in a list, ${MAX_EXPORTED} in an export`, 'TOO_MANY');
  });
export type AuditTrailQuery = z.infer<typeof auditTrailQuery>;

export const auditTrailEntry = z.object({
  at,
  userId: z.string().meta({ description: 'Id of the user, or a part of the service such as `system`.' }),
  action: z.string(),
  entity: z.string().meta({ description: 'Kind of thing, such as `reservation`.' }),
  entityId: z.string(),
  propertyId: z.string().nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  requestId: z.string(),
  journal: z.enum(['PROPERTY', 'ADMINISTRATION']),
  seq: count.meta({ description: 'Number in its journal.' }),
  hash: z.string().meta({ description: 'Covers this entry and all before it in its journal.' }),
});

export const auditTrailAnswer = listOf(auditTrailEntry);
