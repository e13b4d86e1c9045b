import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';

import type { PropertyId, ReservationId, TenantId } from '../../kernel/rules/ids.ts';
import { documentOf, type DocumentRow, documentRows, readDocuments } from '../../money/storage/invoice-documents.ts';
import { type Database, rowsOf } from '../../platform/database/database.ts';
import type { StoredPropertyRow } from '../../platform/database/entities/properties.ts';
import {
  type PaymentRow,
  ReservationEntity,
  type ReservationRow,
} from '../../platform/database/entities/reservations.ts';
import { ms } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import { toProperty } from '../../properties/storage/property-row.ts';
import type { ReservationReader, StatusChange } from '../ports.ts';
import { isUnfinished } from '../rules/reservation-states.ts';
import type { Reservation } from '../rules/reservation.ts';
import { readIds, readPage, withPayments } from './reservation-list.ts';
import { toReservation } from './reservation-row.ts';

/** Reservations whose property is cached. */
const MAX_HOMES = 50_000;

const HAS_KEY = `
  select 1 from idempotency where tenant_id = ? and subject = ? and key = ? and expires_at > app_now()`;

/** Reads reservations from the tables, within one tenant; soft-deleted ones are not returned. */
export function databaseReservationReader(database: Database): ReservationReader {
  // A reservation never moves to another property.
  const homes = new LRUCache<string, string>({ max: MAX_HOMES });
  return {
    async get(tenantId, id) {
      return isUuid(id) ? readOne(database, tenantId, id) : undefined;
    },
    async list(tenantId, filter, limit, after) {
      const { guestId, bookingId } = filter;
      if ([guestId, bookingId].some((id) => id !== undefined && !isUuid(id))) return { items: [] };
      return database.readTenant(tenantId, (em) => readPage(em, tenantId, filter, limit, after));
    },
    ids: (tenantId, filter, limit, after) =>
      database.readTenant(tenantId, (em) => readIds(em, tenantId, filter, limit, after)),
    async statusHistory(tenantId, id) {
      if (!isUuid(id)) return [];
      const [rows] = await database.readAtOnce(tenantId, [STATUS_HISTORY, tenantId, id]);
      type Row = Omit<StatusChange, 'reason' | 'notes'> & { reason: string | null; notes: string | null };
      return (rows as Row[]).map(({ reason, notes, ...change }) => ({
        ...change,
        ...(reason !== null && { reason }),
        ...(notes !== null && { notes }),
      }));
    },
    async hasKey(tenantId, subject, key) {
      const [rows] = await database.readAtOnce(tenantId, [HAS_KEY, tenantId, subject, key]);
      return rows!.length > 0;
    },
    async propertyOf(tenantId, id) {
      if (!isUuid(id)) return undefined;
      const key = `${tenantId} ${id}`;
      const known = homes.get(key);
      if (known !== undefined) return known;
      const found = await readPropertyId(database, tenantId, id);
      if (found !== undefined) homes.set(key, found);
      return found;
    },
  };
}

/** Reads reservations by id with their payments, in the order of the ids; missing ones are left out. */
export async function readReservations(
  database: Database,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<Reservation[]> {
  if (ids.length === 0) return [];
  const found = await database.readTenant(tenantId, async (em) => {
    const query = em.createQueryBuilder(ReservationEntity);
    const rows = await rowsOf(query.where({ tenant_id: tenantId, id: { $in: ids }, deleted_at: null }));
    return withIssued(em, await withPayments(em, tenantId, rows));
  });
  const byId = new Map(found.map((reservation) => [reservation.id, reservation]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Loads the documents of stays that are over; those of other stays sum to zero, and most reads are of others. */
export async function withIssued(em: EntityManager, reservations: Reservation[]): Promise<Reservation[]> {
  const over = reservations.filter(({ status }) => !isUnfinished(status));
  const documents = await readDocuments(
    em,
    over.map(({ id }) => id),
  );
  const byReservation = Map.groupBy(documents, ({ reservationId }) => reservationId);
  return reservations.map((reservation) => {
    const issued = byReservation.get(reservation.id);
    return issued ? { ...reservation, documents: issued } : reservation;
  });
}

const STATUS_HISTORY = `
  select reservation_id as "reservationId", old_status as "from", new_status as "to", ${ms('changed_at')}::float8 as at,
    coalesce(changed_by, 'system') as by, reason, notes
  from reservation_status_history where tenant_id = ? and reservation_id = ? order by id limit 500`;

/** Also of a deleted reservation: its property still decides about it. */
async function readPropertyId(
  database: Database,
  tenantId: TenantId,
  id: ReservationId,
): Promise<PropertyId | undefined> {
  const sql = 'select property_id from reservations where tenant_id = ? and id = ?';
  const [rows] = await database.readAtOnce(tenantId, [sql, tenantId, id]);
  return (rows as { property_id: string }[])[0]?.property_id;
}

const OF_ONE = 'tenant_id = ? and reservation_id = ? order by created_at, id';
const OF_HOME =
  'tenant_id = ? and property_id = (select property_id from reservations where tenant_id = ? and id = ?)';

async function readOne(database: Database, tenantId: TenantId, id: ReservationId) {
  const home = [tenantId, tenantId, id];
  const [rows, payments, issued, properties, actors] = (await database.readAtOnce(
    tenantId,
    ['select * from reservations where tenant_id = ? and id = ? and deleted_at is null', tenantId, id],
    [`select * from payments where ${OF_ONE}`, tenantId, id],
    documentRows([id]),
    // A property that was removed from the listings still names its old reservations.
    [`select * from properties where ${OF_HOME}`, ...home],
    [`select seq, epoch from property_actor where ${OF_HOME}`, ...home],
  )) as [ReservationRow[], PaymentRow[], DocumentRow[], StoredPropertyRow[], { seq: number; epoch: number }[]];
  const [row] = rows;
  if (!row) return undefined;
  const [property] = properties;
  if (!property) throw new Error(`reservation ${id} belongs to property ${row.property_id}, which is not there`);
  const reservation = toReservation(row, payments);
  const documents = isUnfinished(row.status) || issued.length === 0 ? {} : { documents: issued.map(documentOf) };
  const { seq = 0, epoch = 0 } = actors[0] ?? {};
  return { reservation: { ...reservation, ...documents }, property: toProperty(property), seq, epoch };
}
