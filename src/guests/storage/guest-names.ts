import type { EntityManager } from '@mikro-orm/postgresql';

import { type BookingEvent, bookingsOf, type JournalEntry } from '../../kernel/rules/journal.ts';

const NAMES = `
  select id, concat_ws(' ', nullif(details -> 'guest' ->> 'firstName', ''), nullif(details -> 'guest' ->> 'lastName', ''))
    as name
  from reservations where tenant_id = current_setting('innkeeper.tenant')
    and id in (select value::uuid from json_array_elements_text(?::json))`;

/**
 * Adds the current name of the reservation's guest to journal entries: the journal has names encrypted, and not with
 * every entry. There is none for an erased guest, nor for a hold before it is booked.
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
