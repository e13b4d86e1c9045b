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
