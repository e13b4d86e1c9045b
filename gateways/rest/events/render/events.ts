import type { ShownEvent } from '../../../../src/events/operations/read-events.ts';
import { pageText } from '../../page.ts';

type Row = ReturnType<typeof eventOf>;

/** An event of the log in answers and pages. */
export function eventOf({ record: { topic, key, headers }, bytes, read, error }: ShownEvent) {
  return { topic, key, headers, bytes: bytes ?? null, value: read?.value ?? null, error: error ?? null };
}

/** The events as a page, newest first. */
export function eventTable(rows: readonly Row[]): string {
  const lines = rows.map(({ topic, headers: { propertyId, seq }, value, error }) => {
    const content = error ?? JSON.stringify(value, null, 2);
    const place = propertyId === undefined ? 'of no property' : `${pageText(propertyId)}, number ${seq}`;
    return `<h2>${topic}</h2><p>${place}</p><pre>${pageText(content)}</pre>`;
  });
  return lines.join('') || '<p>There are none here.</p>';
}
