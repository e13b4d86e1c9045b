import { LRUCache } from 'lru-cache';
import type { EntityManager, QueryBuilder } from '@mikro-orm/postgresql';
import { formatDay } from '../domain/dates.ts';
import type { Reservation } from '../domain/reservation.ts';
import type { StatusChange } from '../ports/property-store.ts';
import type { Page, PagePosition, ReservationFilter, ReservationReader } from '../ports/reservation-reader.ts';
import { type Database, rowsOf } from './database.ts';
import { PropertyActorEntity, PropertyEntity } from './entities/properties.ts';
import { PaymentEntity, ReservationEntity, type ReservationRow } from './entities/reservations.ts';
import { foldKey } from './guest-keys.ts';
import { toProperty } from './property-row.ts';
import { toReservation } from './reservation-row.ts';
import { ms } from './load-sql.ts';
import { isUuid, statusKey } from './row-values.ts';

/** Reservations whose property is remembered. */
const MOST_HOMES = 50_000;

/** Reservations from the tables, within one tenant; soft-deleted ones do not exist here (specification 1). */
export function databaseReservationReader(database: Database): ReservationReader {
  // A reservation never moves to another property (architecture.md 8).
  const homes = new LRUCache<string, string>({ max: MOST_HOMES });
  return {
    async get(tenantId, id) {
      return isUuid(id) ? database.readTenant(tenantId, (em) => readOne(em, tenantId, id)) : undefined;
    },
    async list(tenantId, filter, limit, after) {
      if (filter.guestId !== undefined && !isUuid(filter.guestId)) return { items: [] };
      return database.readTenant(tenantId, (em) => readPage(em, tenantId, filter, limit, after));
    },
    async statusHistory(tenantId, id) {
      if (!isUuid(id)) return [];
      const rows = await database.readTenant(tenantId, (em) => em.execute(STATUS_HISTORY, [tenantId, id]));
      return (rows as unknown as (Omit<StatusChange, 'reason'> & { reason: string | null })[]).map(
        ({ reason, ...change }) => ({ ...change, ...(reason !== null && { reason }) }),
      );
    },
    async nightsStayed(tenantId, guestId, since) {
      if (!isUuid(guestId)) return 0;
      const values = [tenantId, guestId, formatDay(since)];
      const rows = await database.readTenant(tenantId, (em) => em.execute(NIGHTS_STAYED, values));
      return (rows as unknown as { nights: number }[])[0]!.nights;
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

const STATUS_HISTORY = `
  select reservation_id as "reservationId", old_status as "from", new_status as "to", ${ms('changed_at')}::float8 as at,
    coalesce(changed_by, 'system') as by, reason
  from reservation_status_history where tenant_id = ? and reservation_id = ? order by id limit 500`;

const NIGHTS_STAYED = `select coalesce(sum(nights), 0)::int as nights from reservations
  where tenant_id = ? and guest_id = ? and status = 'CHECKED_OUT' and check_out >= ? and deleted_at is null`;

/** Also of a deleted reservation: its property still decides about it. */
async function readPropertyId(em: EntityManager, tenantId: string, id: string): Promise<string | undefined> {
  const query = em.createQueryBuilder(ReservationEntity).select('property_id').where({ tenant_id: tenantId, id });
  const rows = await query.execute<{ property_id: string }[]>('all', false);
  return rows[0]?.property_id;
}

async function readOne(em: EntityManager, tenantId: string, id: string) {
  const found = { tenant_id: tenantId, id, deleted_at: null };
  const rows = await rowsOf(em.createQueryBuilder(ReservationEntity).where(found));
  const [reservation] = await withPayments(em, tenantId, rows);
  if (!reservation) return undefined;
  const key = { tenant_id: tenantId, property_id: reservation.propertyId };
  // A house that was taken out of the listings still names its old reservations.
  const [property] = await rowsOf(em.createQueryBuilder(PropertyEntity).where(key));
  const [actor] = await rowsOf(em.createQueryBuilder(PropertyActorEntity).where(key));
  if (!property)
    throw new Error(`reservation ${id} belongs to property ${reservation.propertyId}, which is not there`);
  return { reservation, property: toProperty(property), seq: actor?.seq ?? 0, epoch: actor?.epoch ?? 0 };
}

async function readPage(
  em: EntityManager,
  tenantId: string,
  filter: ReservationFilter,
  limit: number,
  after?: PagePosition,
): Promise<Page<Reservation>> {
  const query = em
    .createQueryBuilder(ReservationEntity, 'r')
    .where({ tenant_id: tenantId, deleted_at: null })
    .orderBy({ created_at: 'desc', id: 'desc' })
    // One more than asked tells whether there is a next page.
    .limit(limit + 1);
  narrow(query, filter);
  if (after) query.andWhere('(r.created_at, r.id) < (?, ?)', [new Date(after.createdAt), after.id]);
  const rows = await rowsOf(query);
  const items = await withPayments(em, tenantId, rows.slice(0, limit));
  const last = items.at(-1);
  return rows.length > limit && last ? { items, next: { createdAt: last.createdAt, id: last.id } } : { items };
}

/** Adds what the filter names; each condition can be served by an index of 09-reservations.sql. */
function narrow(query: QueryBuilder<ReservationRow, 'r'>, filter: ReservationFilter): void {
  const { arrivalFrom, arrivalTo, departureFrom, departureTo, inHouseOn } = filter;
  if (filter.propertyId !== undefined) query.andWhere({ property_id: filter.propertyId });
  if (filter.status !== undefined) query.andWhere('r.status_key = ?', [statusKey(filter.status)]);
  if (arrivalFrom !== undefined) query.andWhere({ check_in: { $gte: formatDay(arrivalFrom) } });
  if (arrivalTo !== undefined) query.andWhere({ check_in: { $lte: formatDay(arrivalTo) } });
  if (departureFrom !== undefined) query.andWhere({ check_out: { $gte: formatDay(departureFrom) } });
  if (departureTo !== undefined) query.andWhere({ check_out: { $lte: formatDay(departureTo) } });
  if (inHouseOn !== undefined) {
    query.andWhere({ check_in: { $lte: formatDay(inHouseOn) }, check_out: { $gt: formatDay(inHouseOn) } });
  }
  if (filter.guestId !== undefined) query.andWhere({ guest_id: filter.guestId });
  if (filter.email !== undefined) query.andWhere('r.email_key = ?', [foldKey(filter.email)]);
  if (filter.confirmationNumber !== undefined) query.andWhere({ confirmation_number: filter.confirmationNumber });
  if (filter.groupId !== undefined) query.andWhere({ group_id: filter.groupId });
  if (filter.channel !== undefined) query.andWhere({ source: filter.channel });
  if (filter.updatedSince !== undefined) query.andWhere({ updated_at: { $gte: new Date(filter.updatedSince) } });
}

/** One question for the payments of all rows, whatever their number. */
async function withPayments(em: EntityManager, tenantId: string, rows: ReservationRow[]): Promise<Reservation[]> {
  if (rows.length === 0) return [];
  const payments = await rowsOf(
    em
      .createQueryBuilder(PaymentEntity)
      .where({ tenant_id: tenantId, reservation_id: { $in: rows.map((row) => row.id) } })
      .orderBy({ created_at: 'asc', id: 'asc' }),
  );
  const byReservation = Map.groupBy(payments, (payment) => payment.reservation_id);
  return rows.map((row) => toReservation(row, byReservation.get(row.id) ?? []));
}
