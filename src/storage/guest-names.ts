import type { BookingEvent, JournalEntry } from '../domain/journal.ts';
import { bookingsOf } from '../domain/journal.ts';
import type { Database } from './database.ts';

const NAMES = `
  select id, concat_ws(' ', nullif(details -> 'guest' ->> 'firstName', ''), nullif(details -> 'guest' ->> 'lastName', ''))
    as name
  from reservations where tenant_id = current_setting('innkeeper.tenant')
    and id in (select value::uuid from json_array_elements_text(?::json))`;

/** A hold that may come to nothing is told to nobody by name, nor is its end. */
const NAMELESS: ReadonlySet<BookingEvent> = new Set(['HELD', 'RELEASED']);

/** The reservation that an entry is about; none where it is about several, or nobody is named with it. */
function namedBy(entry: JournalEntry): string | undefined {
  const [booking] = bookingsOf(entry);
  if (booking?.reservationId !== entry.entity || NAMELESS.has(booking.event)) return undefined;
  return booking.reservationId;
}

/**
 * Entries with the names of their guests, as their reservations have them now: the journal has them sealed, and not with
 * every entry. They are those that whoever followed all the time was told; nobody's is there where he was erased.
 */
export async function named(
  database: Database,
  tenantId: string,
  entries: readonly JournalEntry[],
): Promise<JournalEntry[]> {
  const ids = [...new Set(entries.map(namedBy))].filter((id) => id !== undefined);
  if (ids.length === 0) return [...entries];
  const rows = await database.readTenant(tenantId, (em) => em.execute(NAMES, [JSON.stringify(ids)]));
  const names = new Map((rows as unknown as { id: string; name: string }[]).map(({ id, name }) => [id, name]));
  return entries.map((entry) => ({ ...entry, guestName: names.get(namedBy(entry) ?? '') || undefined }));
}
