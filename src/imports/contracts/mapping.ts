import { z } from 'zod';

import { DELIMITERS } from '../rules/csv-lines.ts';
import { MAX_IMPORT_FILES } from '../rules/import.ts';
import { isDateFormat } from '../rules/line-values.ts';
import { ENCODINGS, IMPORT_KINDS, type ImportMapping } from '../rules/mapping.ts';

/** How files of another system are read (docs/reference/import.md#mapping). */

const column = z.string().min(1).max(200);
const said = z.string().max(200);
const format = z.string().max(40).refine(isDateFormat, 'needs year, month and day');

const fieldRule = z
  .strictObject({
    column: column.optional(),
    columns: z.array(column).min(1).max(5).optional(),
    sum: z.array(column).min(1).max(5).optional(),
    value: said.optional(),
    line: said.optional(),
    map: z.record(z.string().max(200), said).optional(),
    default: said.optional(),
    format: format.optional(),
  })
  .refine(
    ({ column: one, columns, sum, value, line }) =>
      [one, columns, sum, value, line].filter((source) => source !== undefined).length === 1,
    'needs one of column, columns, sum, value and line',
  );

const fileMapping = z.strictObject({
  kind: z.enum(IMPORT_KINDS),
  file: z.string().min(1).max(200).optional(),
  fields: z.record(z.string().max(50), z.union([column, fieldRule])),
});

export const importMapping: z.ZodType<ImportMapping> = z.strictObject({
  encoding: z.enum(ENCODINGS).default('utf-8'),
  delimiter: z.enum(DELIMITERS).optional(),
  dateFormat: format.default('YYYY-MM-DD'),
  decimalSeparator: z.enum(['.', ',']).default('.'),
  shiftDays: z.int().min(-20_000).max(20_000).default(0),
  overbooking: z.boolean().default(false),
  terms: z.enum(['PLAN', 'FREE']).default('PLAN'),
  files: z.array(fileMapping).min(1).max(MAX_IMPORT_FILES),
});
