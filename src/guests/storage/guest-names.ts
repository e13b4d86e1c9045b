import type { EntityManager } from '@mikro-orm/postgresql';

import { type BookingEvent, bookingsOf, type JournalEntry } from '../../kernel/rules/journal.ts';

const NAMES = `
  select id, concat_ws(' ', nullif(details -> 'guest' ->> 'firstName', ''), nullif(details -> 'guest' ->> 'lastName', ''))
    as name
  from reservations where tenant_id = current_setting('innkeeper.tenant')
    and id in (select value::uuid from json_array_elements_text(?::json))`;

/**
 * Entries with the name of the guest whose reservation they are about, as it has it now: the journal has names sealed, and
 * not with every entry. Nobody's name is there where the guest was erased, nor of a hold, which is none's before it is
 * booked.
 *
 * @param em of a transaction of the tenant
 */
export async function named(em: EntityManager, entries: readonly JournalEntry[]): Promise<JournalEntry[]> {
  const ids = [...new Set(entries.filter(isNamed).map(({ entity }) => entity))];
  if (ids.length === 0) return [...entries];
  const rows = await em.execute(NAMES, [JSON.stringify(ids)]);
  const names = new Map((rows as unknown as { id: string; name: string }[]).map(({ id, name }) => [id, name]));
  return entries.map((entry) =>
    isNamed(entry) ? { ...entry, guestName: names.get(entry.entity) || undefined } : entry,
  );
}

const OF_HOLDS: ReadonlySet<BookingEvent> = new Set(['HELD', 'RELEASED']);

function isNamed(entry: JournalEntry): boolean {
  return bookingsOf(entry).some(({ event, reservationId }) => reservationId === entry.entity && !OF_HOLDS.has(event));
}
