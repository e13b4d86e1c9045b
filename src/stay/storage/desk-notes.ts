import type { Address } from '../../kernel/rules/caller.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import type { DeskNotes } from '../ports.ts';
import { type DeskNote, MAX_NOTES_OF_STAY, MAX_OPEN_SHIFT_NOTES } from '../rules/desk-note.ts';

const NOTES = `
  select id as "noteId", property_id as "propertyId", reservation_id as "reservationId",
    business_date - date '1970-01-01' as "businessDate", text, written_by as by, ${ms('written_at')} as at,
    done_by as "doneBy", ${ms('done_at')} as "doneAt"
  from desk_notes where tenant_id = ?`;
const OLDEST_FIRST = 'order by written_at, id limit ?';

const ADD = `
  insert into desk_notes (tenant_id, id, property_id, reservation_id, business_date, text, written_by, written_at)
  values (?, ?::uuid, ?, ?::uuid, ?::date, ?, ?, ?::timestamptz) on conflict do nothing`;
const OF_STAY = 'select count(*)::int as notes from desk_notes where tenant_id = ? and reservation_id = ?::uuid';
const OPEN = `
  select count(*)::int as notes from desk_notes
  where tenant_id = ? and property_id = ? and reservation_id is null and done_at is null`;
const SET_DONE = `
  update desk_notes set done_by = ?, done_at = ?::timestamptz where tenant_id = ? and id = ?::uuid`;
const REMOVE = 'delete from desk_notes where tenant_id = ? and id = ?::uuid';
const REMOVE_OF_STAYS = 'delete from desk_notes where tenant_id = ? and reservation_id = any (?::uuid[])';
const WITH_WORDS = `
  ${NOTES} and exists (select from json_array_elements_text(?::json) w where strpos(lower(text), lower(w)) > 0)`;
const SET_TEXT = 'update desk_notes set text = ? where tenant_id = ? and id = ?::uuid';

/** Notes of one answer: a stay has fewer, and a shift reads fewer. */
const MAX_LISTED = 2_000;

type Row = Omit<DeskNote, 'reservationId' | 'done'> & {
  reservationId: DeskNote['reservationId'] | null;
  doneBy: string | null;
  doneAt: number | null;
};

/** Notes of staff in PostgreSQL. */
export function databaseDeskNotes(database: Database): DeskNotes {
  const read = async (tenantId: TenantId, sql: string, ...values: unknown[]): Promise<DeskNote[]> =>
    database.readTenant(tenantId, async (em) =>
      (await em.execute<Row[]>(`${NOTES} ${sql} ${OLDEST_FIRST}`, [tenantId, ...values, MAX_LISTED])).map(noteOf),
    );
  const write = (tenantId: TenantId, sql: string, values: unknown[]): Promise<unknown> =>
    database.inTenant(tenantId, (em) => em.execute(sql, values));
  return {
    add: (tenantId, note) =>
      database.inTenant(tenantId, async (em) => {
        const { reservationId, propertyId } = note;
        const [sql, about, most] = reservationId
          ? ([OF_STAY, reservationId, MAX_NOTES_OF_STAY] as const)
          : ([OPEN, propertyId, MAX_OPEN_SHIFT_NOTES] as const);
        const [{ notes } = { notes: 0 }] = await em.execute<{ notes: number }[]>(sql, [tenantId, about]);
        if (notes >= most) throw new DomainError('INVALID_STATE', `There are ${notes} notes already.`);
        await em.execute(ADD, valuesOf(tenantId, note));
      }),
    get: async (tenantId, id) => (isUuid(id) ? (await read(tenantId, 'and id = ?::uuid', id))[0] : undefined),
    ofStays: (tenantId, ids) => read(tenantId, 'and reservation_id = any (?::uuid[])', arrayOf(ids)),
    ofDay: ({ tenantId, propertyId }: Address, day: Day) =>
      read(
        tenantId,
        `and property_id = ? and reservation_id is null
          and (business_date = ?::date or business_date < ?::date and done_at is null)`,
        propertyId,
        formatDay(day),
        formatDay(day),
      ),
    async setDone(tenantId, id, done) {
      const at = done ? formatInstant(done.at) : null;
      await write(tenantId, SET_DONE, [done?.by ?? null, at, tenantId, id]);
    },
    async remove(tenantId, id) {
      await write(tenantId, REMOVE, [tenantId, id]);
    },
    async removeOfStays(tenantId, ids) {
      await write(tenantId, REMOVE_OF_STAYS, [tenantId, arrayOf(ids)]);
    },
    replaceTexts: (tenantId, words, replace) =>
      database.inTenant(tenantId, async (em) => {
        const some = words.filter((word) => word !== '');
        for (const { noteId, text } of await em.execute<Row[]>(WITH_WORDS, [tenantId, JSON.stringify(some)])) {
          const replaced = replace(text);
          if (replaced !== text) await em.execute(SET_TEXT, [replaced, tenantId, noteId]);
        }
      }),
  };
}

const arrayOf = (ids: readonly string[]): string => `{${ids.join(',')}}`;

function valuesOf(tenantId: TenantId, note: DeskNote): unknown[] {
  const { noteId, propertyId, reservationId = null, businessDate, text, by, at } = note;
  return [tenantId, noteId, propertyId, reservationId, formatDay(businessDate), text, by, formatInstant(at)];
}

function noteOf({ reservationId, doneBy, doneAt, ...note }: Row): DeskNote {
  return {
    ...note,
    ...(reservationId !== null && { reservationId }),
    ...(doneBy !== null && doneAt !== null && { done: { by: doneBy, at: doneAt } }),
  };
}
