import type { JournalEntry } from '../domain/journal.ts';
import { bookingsOf } from '../domain/journal.ts';
import type { Database } from './database.ts';

const NAMES = `
  select id, concat_ws(' ', nullif(details -> 'guest' ->> 'firstName', ''), nullif(details -> 'guest' ->> 'lastName', ''))
    as name
  from reservations where tenant_id = current_setting('innkeeper.tenant')
    and id in (select value::uuid from json_array_elements_text(?::json))`;

/**
 * Entries with the names of their guests, as their reservations have them now: the journal has them sealed, and not with
 * every entry. Nobody's name is there where the guest was erased, or nothing has come of a hold yet.
 */
export async function named(
  database: Database,
  tenantId: string,
  entries: readonly JournalEntry[],
): Promise<JournalEntry[]> {
  const firstOf = (entry: JournalEntry): string | undefined => bookingsOf(entry)[0]?.reservationId;
  const ids = [...new Set(entries.map(firstOf))].filter((id) => id !== undefined);
  if (ids.length === 0) return [...entries];
  const rows = await database.readTenant(tenantId, (em) => em.execute(NAMES, [JSON.stringify(ids)]));
  const names = new Map((rows as unknown as { id: string; name: string }[]).map(({ id, name }) => [id, name]));
  return entries.map((entry) => ({ ...entry, guestName: names.get(firstOf(entry) ?? '') || undefined }));
}
