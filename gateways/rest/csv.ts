/** The type of a file whose first line names its columns. */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** Whether somebody who says nothing of a format accepts a file. */
export const acceptsCsv = (accept = ''): boolean => /\btext\/csv\b/.test(accept);

/** A line of RFC 4180; what is no text as JSON, nothing for what is absent. */
export function csvLine(fields: readonly unknown[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

/** Text that a spreadsheet would take for a formula gets a quote in front; a number below 0 is none. */
export function csvField(field: unknown): string {
  const plain =
    field === null || field === undefined ? '' : typeof field === 'string' ? field : JSON.stringify(field);
  const text = typeof field === 'string' && /^[=+\-@\t\r\n]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
