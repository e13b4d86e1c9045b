import { z } from 'zod';

import { at, count, idField, listOf, moneyField } from '../../kernel/contracts/answers.ts';
import { page, propertyId } from '../../kernel/contracts/fields.ts';
import { IMPORT_OUTCOMES, IMPORT_STATUSES, MAX_FILE_LINES } from '../rules/import.ts';
import { IMPORT_KINDS } from '../rules/mapping.ts';

/** Queries and answers of imports (docs/reference/import.md#requests). */

/** Longer ones are a file of the archive. */
const MAX_MAPPING_CHARACTERS = 6_000;

export const importQuery = z.object({
  propertyId,
  dryRun: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .describe('Reads and decides everything, and stores nothing.'),
  mapping: z
    .string()
    .max(MAX_MAPPING_CHARACTERS)
    .optional()
    .describe('How the file is read, as JSON; in an archive it may be a file `mapping.json` instead.'),
});
export type ImportQuery = z.infer<typeof importQuery>;

export const importsQuery = z.object({ propertyId, ...page });
export type ImportsQuery = z.infer<typeof importsQuery>;

export const importReportQuery = z.object({
  outcome: z.enum(IMPORT_OUTCOMES).optional(),
  cursor: page.cursor,
  limit: z.coerce.number().int().min(1).max(MAX_FILE_LINES).optional().describe('50 where absent; of a file all.'),
  format: z.enum(['json', 'csv']).optional().describe('As `Accept` says where absent.'),
});
export type ImportReportQuery = z.infer<typeof importReportQuery>;

const sums = z.object({ charges: moneyField, payments: moneyField, balance: moneyField });

const difference = z.object({
  file: z.string(),
  line: count,
  externalId: z.string(),
  read: sums,
  stored: sums,
});

export const importAnswer = z.object({
  importId: idField,
  propertyId: z.string(),
  status: z.enum(IMPORT_STATUSES),
  dryRun: z.boolean(),
  lines: count.describe('Lines of all files, without header lines.'),
  done: count.describe('Lines that have an outcome.'),
  counts: z.object({ created: count, unchanged: count, changed: count, refused: count }),
  reconciliation: z
    .object({ reservations: count, read: sums, stored: sums, differences: z.array(difference) })
    .nullable()
    .describe('Of an import that is COMPLETED: what was read, and what the stored reservations say now.'),
  failure: z.string().nullable(),
  createdAt: at,
  finishedAt: at.nullable(),
});

export const importListAnswer = listOf(importAnswer);

export const reportedLine = z.object({
  file: z.string(),
  line: count,
  kind: z.enum(IMPORT_KINDS),
  externalId: z.string().nullable(),
  outcome: z.enum(IMPORT_OUTCOMES),
  code: z.string().nullable(),
  reason: z.string().nullable(),
  recordId: z.string().nullable(),
});

export const importReportAnswer = listOf(reportedLine);
