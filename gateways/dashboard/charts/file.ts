/** Lines of RFC 4180. Text that a spreadsheet would take for a formula is prefixed with a quote. */
export function csvText(lines: readonly (readonly (string | number | undefined)[])[]): string {
  return lines.map((line) => `${line.map(csvField).join(',')}\r\n`).join('');
}

function csvField(field: string | number | undefined): string {
  if (typeof field !== 'string') return field === undefined ? '' : String(field);
  const text = /^[=+\-@\t\r\n]/.test(field) ? `'${field}` : field;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Offers a file for saving. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Only once the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const csvBlob = (text: string): Blob => new Blob([text], { type: 'text/csv;charset=utf-8' });
