import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';

import type { PropertyId, ReservationId, TenantId } from '../../kernel/rules/ids.ts';
import { readDocuments } from '../../money/storage/invoice-documents.ts';
import { type Database, rowsOf } from '../../platform/database/database.ts';
import { PropertyActorEntity, PropertyEntity } from '../../platform/database/entities/properties.ts';
import { ReservationEntity } from '../../platform/database/entities/reservations.ts';
import { ms } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import { toProperty } from '../../properties/storage/property-row.ts';
import type { ReservationReader, StatusChange } from '../ports.ts';
import { isUnfinished } from '../rules/reservation-states.ts';
import type { Reservation } from '../rules/reservation.ts';
import { readIds, readPage, withPayments } from './reservation-list.ts';

/** Reservations whose property is cached. */
const MOST_HOMES = 50_000;

/** Reads reservations from the tables, within one tenant; soft-deleted ones are not returned. */
export function databaseReservationReader(database: Database): ReservationReader {
  // A reservation never moves to another property.
  const homes = new LRUCache<string, string>({ max: MOST_HOMES });
  return {
    async get(tenantId, id) {
      return isUuid(id) ? database.readTenant(tenantId, (em) => readOne(em, tenantId, id)) : undefined;
    },
    async list(tenantId, filter, limit, after) {
      if (filter.guestId !== undefined && !isUuid(filter.guestId)) return { items: [] };
      return database.readTenant(tenantId, (em) => readPage(em, tenantId, filter, limit, after));
    },
    ids: (tenantId, filter, limit, after) =>
      database.readTenant(tenantId, (em) => readIds(em, tenantId, filter, limit, after)),
    async statusHistory(tenantId, id) {
      if (!isUuid(id)) return [];
      const rows = await database.readTenant(tenantId, (em) => em.execute(STATUS_HISTORY, [tenantId, id]));
      return (rows as unknown as (Omit<StatusChange, 'reason'> & { reason: string | null })[]).map(
        ({ reason, ...change }) => ({ ...change, ...(reason !== null && { reason }) }),
      );
    },
    async propertyOf(tenantId, id) {
      if (!isUuid(id)) return undefined;
      const key = `${tenantId} ${id}`;
      const known = homes.get(key);
      if (known !== undefined) return known;
      const found = await database.readTenant(tenantId, (em) => readPropertyId(em, tenantId, id));
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
    coalesce(changed_by, 'system') as by, reason
  from reservation_status_history where tenant_id = ? and reservation_id = ? order by id limit 500`;

/** Also of a deleted reservation: its property still decides about it. */
async function readPropertyId(
  em: EntityManager,
  tenantId: TenantId,
  id: ReservationId,
): Promise<PropertyId | undefined> {
  const query = em.createQueryBuilder(ReservationEntity).select('property_id').where({ tenant_id: tenantId, id });
  const rows = await query.execute<{ property_id: string }[]>('all', false);
  return rows[0]?.property_id;
}

async function readOne(em: EntityManager, tenantId: TenantId, id: ReservationId) {
  const found = { tenant_id: tenantId, id, deleted_at: null };
  const rows = await rowsOf(em.createQueryBuilder(ReservationEntity).where(found));
  const [reservation] = await withIssued(em, await withPayments(em, tenantId, rows));
  if (!reservation) return undefined;
  const key = { tenant_id: tenantId, property_id: reservation.propertyId };
  // A property that was removed from the listings still names its old reservations.
  const [property] = await rowsOf(em.createQueryBuilder(PropertyEntity).where(key));
  const [actor] = await rowsOf(em.createQueryBuilder(PropertyActorEntity).where(key));
  if (!property)
    throw new Error(`reservation ${id} belongs to property ${reservation.propertyId}, which is not there`);
  return { reservation, property: toProperty(property), seq: actor?.seq ?? 0, epoch: actor?.epoch ?? 0 };
}
