import type { z } from 'zod';

import type { HttpResponse } from './answer.ts';

/** The type of a file whose first line names its columns. */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** Whether a request without a preferred format accepts CSV. */
export const acceptsCsv = (accept = ''): boolean => /\btext\/csv\b/.test(accept);

/** A line of RFC 4180; values other than text as JSON, absent ones empty. */
export function csvLine(fields: readonly unknown[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

/** Text that a spreadsheet would take for a formula is prefixed with a quote; a negative number is not. */
export function csvField(field: unknown): string {
  const plain =
    field === null || field === undefined ? '' : typeof field === 'string' ? field : JSON.stringify(field);
  const text = typeof field === 'string' && /^[=+\-@\t\r\n]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A report as CSV: a line with the member names, and one per item as on the wire. */
function csvOf(item: z.ZodObject, items: readonly Record<string, unknown>[]): Buffer {
  const names = Object.keys(item.shape);
  const lines = items.map((one) => csvLine(names.map((name) => plain(one[name]))));
  return Buffer.from([csvLine(names), ...lines].join(''));
}

/** Several requests, or several taxes with their amounts, share one field. */
const plain = (value: unknown): unknown => (Array.isArray(value) ? value.map(inOneField).join('; ') : value);

const inOneField = (part: unknown): unknown =>
  typeof part === 'object' && part !== null ? Object.values(part).map(asText).join(' ') : part;

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Whether a report is wanted as a file: by its query, or by the `Accept` header where that says nothing. */
export const wantsFile = ({ format }: { format?: string }, accept: string | undefined): boolean =>
  format === undefined ? acceptsCsv(accept) : format === 'csv';

/** A report as a file of this name, which has the columns of `item`. */
export function csvFile(response: HttpResponse, name: string, item: z.ZodObject, items: readonly object[]): Buffer {
  response.header('content-type', CSV_TYPE);
  response.header('content-disposition', `attachment; filename="${name}.csv"`);
  return csvOf(item, items as Record<string, unknown>[]);
}
