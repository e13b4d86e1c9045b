import { DomainError } from '../../kernel/rules/domain-error.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { onceUnderKey } from '../../platform/database/idempotency-records.ts';
import { ms } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import { appendAdministration } from '../../tenants/storage/administration-journal.ts';
import type { GuestNote, GuestNotes } from '../ports.ts';

/** Notes of one profile. */
const MAX_NOTES_OF_GUEST = 100;

/** Notes of one answer: of several profiles that were merged. */
const MAX_LISTED = 2_000;

const ADD = `
  insert into desk_notes (tenant_id, id, property_id, guest_id, business_date, text, written_by, written_at)
  values (?, ?::uuid, '', ?::uuid, ?::date, ?, ?, ?::timestamptz)`;
const COUNT = 'select count(*)::int as notes from desk_notes where tenant_id = ? and guest_id = ?::uuid';
const OF_GUEST = `
  select id as "noteId", guest_id as "guestId", text, written_by as by, ${ms('written_at')} as at
  from desk_notes where tenant_id = ? and guest_id = any (guest_ids_v1(?, ?::uuid))
  order by written_at, id limit ?`;
const REMOVE = 'delete from desk_notes where tenant_id = ? and id = ?::uuid and guest_id = ?::uuid returning id';
const FORGET = 'delete from desk_notes where tenant_id = ? and guest_id = ?::uuid';

/** Notes of staff about guests in PostgreSQL. */
export function databaseGuestNotes(database: Database): GuestNotes {
  const entryOf = ({ guestId, noteId }: Pick<GuestNote, 'guestId' | 'noteId'>, action: string) => ({
    entity: 'guest',
    entityId: guestId,
    action,
    after: { noteId },
  });
  return {
    add: (by, note, key) =>
      database.inTenant(by.tenantId, (em) =>
        onceUnderKey(em, by, key, async () => {
          const { noteId, guestId, text } = note;
          const [{ notes } = { notes: 0 }] = await em.execute<{ notes: number }[]>(COUNT, [by.tenantId, guestId]);
          if (notes >= MAX_NOTES_OF_GUEST)
            throw new DomainError('INVALID_STATE', `There are ${notes} notes already.`);
          const at = formatInstant(note.at);
          await em.execute(ADD, [by.tenantId, noteId, guestId, at.slice(0, 10), text, note.by, at]);
          await appendAdministration(em, by, entryOf(note, 'NOTE_WRITTEN'));
          return { noteId };
        }),
      ),
    of: (tenantId, guestId) =>
      database.readTenant(tenantId, (em) =>
        em.execute<GuestNote[]>(OF_GUEST, [tenantId, tenantId, guestId, MAX_LISTED]),
      ),
    remove: (by, note, key) =>
      database.inTenant(by.tenantId, (em) =>
        onceUnderKey(em, by, key, async () => {
          const { noteId, guestId } = note;
          const gone = isUuid(noteId) ? await em.execute<unknown[]>(REMOVE, [by.tenantId, noteId, guestId]) : [];
          if (gone.length === 0) throw new DomainError('NOTE_NOT_FOUND', 'There is no such note, or it was deleted.');
          await appendAdministration(em, by, entryOf(note, 'NOTE_REMOVED'));
          return { noteId };
        }),
      ),
    async forget(tenantId, guestId) {
      await database.inTenant(tenantId, (em) => em.execute(FORGET, [tenantId, guestId]));
    },
  };
}
