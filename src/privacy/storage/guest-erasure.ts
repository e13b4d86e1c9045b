import type { EntityManager } from '@mikro-orm/postgresql';

import {
  answerWithoutPerson,
  isErased,
  namesOf,
  partOfGuest,
  unnaming,
  withoutGuest,
} from '../../guests/rules/erasure.ts';
import type { By, Done, RequestKey } from '../../kernel/rules/administration.ts';
import type { IdempotencyRecord } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId, GuestId, ReservationId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { InvoiceDocument } from '../../money/rules/invoice-document.ts';
import { type IssuedTo, invoiceOf, issuedTo } from '../../money/rules/invoice.ts';
import { readDocuments } from '../../money/storage/invoice-documents.ts';
import { type Database, rowsOf } from '../../platform/database/database.ts';
import { ReservationEntity } from '../../platform/database/entities/reservations.ts';
import { onceUnderKey } from '../../platform/database/idempotency-records.ts';
import { ofTenant } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import { reservationRow } from '../../property-store/storage/rows.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { toReservation } from '../../stay/storage/reservation-row.ts';
import { appendAdministration } from '../../tenants/storage/administration-journal.ts';
import type { GuestErasure } from '../ports.ts';

const HISTORY = `
  select h.reservation_id, h.id, h.changed_by, h.reason, h.notes from reservation_status_history h
  where ${ofTenant('h')} and h.reservation_id in (select value::uuid from json_array_elements_text(?::json))`;

/** Invoice lines of release 0.1.0, which have the typed texts of charges. */
const ITEMS = `
  select v.reservation_id, l.id, l.description from invoices v
  join invoice_items l on l.tenant_id = v.tenant_id and l.invoice_id = v.id
  where ${ofTenant('v')} and ${ofTenant('l')}
    and v.reservation_id in (select value::uuid from json_array_elements_text(?::json))`;

const REWORD = 'select reword_invoice_lines_v1(?, ?::json)';

/** Answers that contain the guest's id, of any kind. */
const ANSWERS = `
  select i.subject, i.key, i.answer from idempotency i
  where ${ofTenant('i')} and i.answer is not null and strpos(i.answer::text, ?) > 0`;

const UNFINISHED = `
  select g.id from guests g where ${ofTenant('g')} and g.deleted_at is not null and g.erased_at is null limit ?`;

/** A reason code, as opposed to free text. */
const CODE = /^[A-Z_]+$/;

const IDS = 'select guest_ids_v1(?, ?::uuid) as ids';
const LOCK = 'select lock_guests_v1(?, ?::uuid[]) as survivors';
const BEGIN = 'select begin_erasure_v4(?, ?, ?) as begun';

/** Members of the profile and all reservations of a guest with names. */
const NAMED = `
  select json_build_object('firstName', g.first_name, 'lastName', g.last_name, 'email', g.email, 'phone', g.phone)
    as guest, null as billing
  from guests g where ${ofTenant('g')} and g.id = ?
  union all
  select r.details -> 'guest', r.details -> 'billing' from reservations r where ${ofTenant('r')} and r.guest_id = ?
  union all
  select r.sharer::json, null from reservations r where ${ofTenant('r')} and r.sharer_id = ?`;

/** Changes of a profile, encrypted under the key of the guest. */
const SEALED = `
  select side.text as sealed from administration_journal j,
    lateral (values (j.before ->> 'personal'), (j.after ->> 'personal')) as side (text)
  where ${ofTenant('j')} and j.entity = 'guest' and j.entity_id = ? and side.text is not null`;

const FORGET_CHARGEBACKS = 'select forget_chargeback_texts_v1(?, ?::json)';

const FORGET_SHARER = 'select forget_sharer_v1(?, ?, ?::json)';

const FORGET_WISHES = 'select forget_room_wishes_v1(?, ?::json)';

const KEEP_NAMES = 'select keep_invoice_names_v1(?, ?::json)';

const ISSUED_TO = `
  select v.billing from invoices v
  where ${ofTenant('v')} and v.reservation_id = ? and v.billing is not null`;

const NAMES_TO_CLEAR = `
  select g.preferences ->> 'erasing' as names from guests g
  where ${ofTenant('g')} and g.id = ? and g.deleted_at is not null`;

/** Start of an erasure: blocked by unfinished stays, or done, with the time of the profile's removal. */
type Begun = { stays: string[] } | { at: Instant; first: boolean };

const noSuch = (): DomainError => new DomainError('GUEST_NOT_FOUND', 'The tenant has no such guest.');

type HistoryRow = {
  reservation_id: string;
  id: string;
  changed_by: string | null;
  reason: string | null;
  notes: string | null;
};
type NamedRow = Pick<Reservation, 'guest' | 'billing'>;
type AnswerRow = { subject: string; key: string; answer: IdempotencyRecord };
type ItemRow = { reservation_id: string; id: string; description: string };
type Rewritten = { answers?: object[]; history?: object[]; items?: object[]; orphans?: object[] };

async function idsIn(em: EntityManager, tenantId: TenantId, guestId: GuestId): Promise<GuestId[]> {
  return (await em.execute<{ ids: GuestId[] }[]>(IDS, [tenantId, guestId]))[0]!.ids;
}

/** Empties one profile and destroys its key. */
async function emptied(em: EntityManager, by: By, id: GuestId, names: string): Promise<Instant> {
  const begun = (await em.execute<{ begun: Begun | null }[]>(BEGIN, [by.tenantId, id, names]))[0]!.begun;
  if (!begun) throw noSuch();
  if ('stays' in begun)
    throw new DomainError('GUEST_IN_USE', 'A guest can be erased when all stays are over.', {
      extra: { reservations: begun.stays },
    });
  if (begun.first) await appendAdministration(em, by, { entity: 'guest', entityId: id, action: 'ERASED' });
  return begun.at;
}

/** Erasure in the tables, in addition to that by properties (docs/concepts/guests-and-erasure.md#erasure). */
export class StoredGuestErasure implements GuestErasure {
  readonly #database: Database;
  readonly #vacuumSoon: () => void;

  /** @param vacuumSoon requests PostgreSQL to remove dead rows; does nothing without the rights to do so */
  constructor(database: Database, vacuumSoon = (): void => {}) {
    this.#database = database;
    this.#vacuumSoon = vacuumSoon;
  }

  vacuumSoon(): void {
    this.#vacuumSoon();
  }

  async names(tenantId: TenantId, guestId: GuestId): Promise<{ names: string[]; sealed: string[] }> {
    if (!isUuid(guestId)) throw noSuch();
    const [named, sealed] = await this.#database.readTenant(tenantId, async (em) => [
      await em.execute<NamedRow[]>(NAMED, [guestId, guestId, guestId]),
      await em.execute<{ sealed: string }[]>(SEALED, [guestId]),
    ]);
    return { names: [...new Set(named.flatMap(namesOf))], sealed: sealed.map((row) => row.sealed) };
  }

  async namesToClear(tenantId: TenantId, guestId: GuestId): Promise<string | undefined> {
    const rows = await this.#database.readTenant(tenantId, (em) => em.execute(NAMES_TO_CLEAR, [guestId]));
    return (rows as unknown as { names: string | null }[])[0]?.names ?? undefined;
  }

  async idsOf(tenantId: TenantId, guestId: GuestId): Promise<GuestId[]> {
    if (!isUuid(guestId)) throw noSuch();
    return this.#database.readTenant(tenantId, (em) => idsIn(em, tenantId, guestId));
  }

  async begin(
    by: By,
    profiles: readonly { id: GuestId; names: string }[],
    key?: RequestKey,
  ): Promise<Done<{ at: Instant }> | 'MERGED'> {
    const { tenantId } = by;
    const ids = profiles.map(({ id }) => id);
    return this.#database.inTenant(tenantId, async (em) => {
      await em.execute(LOCK, [tenantId, `{${ids.join()}}`]);
      // Under the lock no profile joins or leaves.
      const now = await idsIn(em, tenantId, ids[0]!);
      if (now.length !== ids.length || !now.every((id) => ids.includes(id))) return 'MERGED';
      return onceUnderKey(em, by, key, async () => {
        let at: Instant | undefined;
        for (const { id, names } of profiles) at = await emptied(em, by, id, names);
        return { at: at! };
      });
    });
  }

  async remaining(tenantId: TenantId, guestId: GuestId, limit: number): Promise<Reservation[]> {
    return this.#database.readTenant(tenantId, async (em) => {
      const query = em
        .createQueryBuilder(ReservationEntity, 'r')
        .where({ tenant_id: tenantId })
        // A guest who has walked in may have no address, and one who was imported only a last name.
        .andWhere(
          `((r.guest_id = ? and (r.email_key is not null or r.details -> 'guest' ->> 'firstName' <> ''
              or r.details -> 'guest' ->> 'lastName' <> ''))
            or (r.sharer_id = ? and r.sharer ->> 'firstName' <> ''))`,
          [guestId, guestId],
        )
        .orderBy({ property_id: 'asc', id: 'asc' })
        .limit(limit);
      return (await rowsOf(query)).map((row) => toReservation(row, []));
    });
  }

  async clearHistory(
    tenantId: TenantId,
    guestId: GuestId,
    reservations: readonly Reservation[],
    names: readonly string[],
  ): Promise<void> {
    const ids = JSON.stringify(reservations.map(({ id }) => id));
    const [rows, lines, issued] = await this.#database.readTenant(tenantId, async (em) => [
      await em.execute<HistoryRow[]>(HISTORY, [ids]),
      await em.execute<ItemRow[]>(ITEMS, [ids]),
      await readDocuments(
        em,
        reservations.map(({ id }) => id),
      ),
    ]);
    const booked = reservations.filter(({ guest }) => guest.guestId === guestId);
    await this.#keepInvoiceNames(tenantId, booked);
    const unnamed = new Map(
      reservations.map((one) => [one.id, unnaming([...namesOf(partOfGuest(one, guestId)), ...names])]),
    );
    const isBooked = new Set(booked.map(({ id }) => id));
    const isNamed = ({ reservation_id, changed_by, reason, notes }: HistoryRow): boolean =>
      [changed_by, reason, notes].some((text) => text !== null && unnamed.get(reservation_id)!(text) !== text);
    // What was typed about a stay is that of who has booked it, as far as it does not name the sharer.
    const cleared = rows.filter((row) => isBooked.has(row.reservation_id) || isNamed(row));
    const history = cleared.map(({ reservation_id, id, changed_by, reason }) => ({
      reservation_id,
      id,
      reason: reason !== null && CODE.test(reason) ? reason : null,
      changed_by: unnamed.get(reservation_id)!(changed_by ?? undefined),
    }));
    const items = lines.flatMap(({ reservation_id, id, description: said }) => {
      const description = unnamed.get(reservation_id)!(said);
      return description === said ? [] : [{ id, description }];
    });
    await this.#rewrite(tenantId, { history, items });
    await this.#rewordDocuments(tenantId, issued, unnamed);
  }

  async issuedTo(tenantId: TenantId, reservationId: ReservationId): Promise<IssuedTo | undefined> {
    if (!isUuid(reservationId)) return undefined;
    const rows = await this.#database.readTenant(tenantId, (em) => em.execute(ISSUED_TO, [reservationId]));
    return (rows as unknown as { billing: IssuedTo }[])[0]?.billing;
  }

  /** Issued documents stay as they are, except for lines that name the guest. */
  async #rewordDocuments(
    tenantId: TenantId,
    issued: readonly InvoiceDocument[],
    unnamed: ReadonlyMap<string, (text: string) => string>,
  ): Promise<void> {
    const reworded = issued.flatMap(({ propertyId, number, reservationId, lines }) => {
      const said = lines.map(({ description }) => description);
      const descriptions = said.map(unnamed.get(reservationId)!);
      return descriptions.join() === said.join() ? [] : [{ property_id: propertyId, number, descriptions }];
    });
    if (reworded.length > 0) await this.#write(tenantId, REWORD, [tenantId, JSON.stringify(reworded)]);
  }

  /** Only invoices that release 0.1.0 wrote have a row. */
  async #keepInvoiceNames(tenantId: TenantId, reservations: readonly Reservation[]): Promise<void> {
    const issued = reservations
      .filter((one) => !isErased(one) && invoiceOf(one).status === 'ISSUED')
      .map((one) => ({ reservation_id: one.id, billing: issuedTo(one) }));
    if (issued.length > 0) await this.#write(tenantId, KEEP_NAMES, [tenantId, JSON.stringify(issued)]);
  }

  async clearOrphan(
    tenantId: TenantId,
    guestId: GuestId,
    reservation: Reservation,
    names: readonly string[],
  ): Promise<void> {
    const next = { ...withoutGuest(reservation, guestId, names), version: reservation.version + 1 };
    await this.#rewrite(tenantId, { orphans: [reservationRow(tenantId, next)] });
    await this.#write(tenantId, FORGET_SHARER, [tenantId, guestId, JSON.stringify([reservation.id])]);
    if (reservation.guest.guestId !== guestId) return;
    for (const forget of [FORGET_CHARGEBACKS, FORGET_WISHES])
      await this.#write(tenantId, forget, [tenantId, JSON.stringify([reservation.id])]);
  }

  async clearAnswers(tenantId: TenantId, guestId: GuestId, names: readonly string[]): Promise<void> {
    const rows = await this.#database.readTenant(tenantId, (em) => em.execute(ANSWERS, [guestId]));
    const answers = (rows as unknown as AnswerRow[]).map((row) => ({
      ...row,
      answer: answerWithoutPerson(row.answer, guestId, names),
    }));
    await this.#rewrite(tenantId, { answers });
  }

  async end(tenantId: TenantId, guestId: GuestId): Promise<void> {
    await this.#write(tenantId, 'select end_erasure_v1(?, ?)', [tenantId, guestId]);
  }

  async unfinished(tenantId: TenantId, limit: number): Promise<string[]> {
    const rows = await this.#database.readTenant(tenantId, (em) => em.execute(UNFINISHED, [limit]));
    return (rows as unknown as { id: string }[]).map(({ id }) => id);
  }

  async #rewrite(
    tenantId: TenantId,
    { answers = [], history = [], items = [], orphans = [] }: Rewritten,
  ): Promise<void> {
    if (answers.length + history.length + items.length + orphans.length === 0) return;
    const lists = [answers, history, items, orphans].map((list) => JSON.stringify(list));
    await this.#write(tenantId, 'select rewrite_kept_v1(?, ?::json, ?::json, ?::json, ?::json)', [
      tenantId,
      ...lists,
    ]);
  }

  #write(tenantId: TenantId, sql: string, values: unknown[]): Promise<unknown> {
    return this.#database.inTenant(tenantId, (em) => em.execute(sql, values));
  }
}
