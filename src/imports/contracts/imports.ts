import { z } from 'zod';

import { at, count, idField, listOf, moneyField, openObject } from '../../kernel/contracts/answers.ts';
import { page, propertyId } from '../../kernel/contracts/fields.ts';
import { DELIMITERS } from '../rules/csv-lines.ts';
import { IMPORT_OUTCOMES, IMPORT_STATUSES, MAX_FILE_LINES } from '../rules/import.ts';
import { ENCODINGS, IMPORT_KINDS } from '../rules/mapping.ts';
import { importMapping } from './mapping.ts';

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

export const uploadQuery = z.object({
  propertyId,
  name: z.string().min(1).max(200).default('file').describe('What the file is called, for lists and reports.'),
});
export type UploadQuery = z.infer<typeof uploadQuery>;

export const importRunBody = z.strictObject({ mapping: importMapping, dryRun: z.boolean().default(false) });
export type ImportRunBody = z.infer<typeof importRunBody>;

export const sampleQuery = z.object({
  encoding: z.enum(ENCODINGS).optional().describe('How the files are read; by their bytes where absent.'),
  delimiter: z.enum(DELIMITERS).optional().describe('Of CSV; that of the header line where absent.'),
});
export type SampleQuery = z.infer<typeof sampleQuery>;

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
  files: z.array(z.string()).describe('Names of its files, as far as the mapping says them.'),
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

export const importDetailAnswer = importAnswer.extend({
  mapping: openObject,
  problems: z
    .array(z.object({ code: z.string(), reason: z.string(), lines: count, firstLine: count }))
    .describe('Why lines were refused, the most frequent reasons first. Empty while it runs.'),
});

export const importListAnswer = listOf(importAnswer).extend({
  maxBytes: count.describe('What a body may have, and what is in an archive.'),
});

export const importSampleAnswer = z.object({
  importId: idField,
  encoding: z.enum(ENCODINGS),
  files: z.array(
    z.object({
      name: z.string(),
      format: z.enum(['CSV', 'NDJSON']),
      delimiter: z.string().nullable(),
      columns: z.array(
        z.object({
          name: z.string(),
          values: z.array(z.string()).describe('Up to 30 different texts that stand in it.'),
          more: z.boolean().describe('It has others.'),
        }),
      ),
      rows: z.array(z.object({ line: count, cells: z.array(z.string()) })),
      unreadable: z.array(z.object({ line: count, reason: z.string() })),
      lines: count.describe('Lines that were looked at.'),
    }),
  ),
  mapping: openObject.describe('The mapping to begin with.'),
  mappingFrom: z
    .enum(['SUGGESTED', 'EARLIER', 'ARCHIVE', 'OWN'])
    .describe('By names and texts of the columns; of an earlier import; in the archive; of this import.'),
});

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
