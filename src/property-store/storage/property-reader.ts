import type { EntityManager } from '@mikro-orm/postgresql';

import { type Page, pageOfRead, type PagePosition } from '../../kernel/ports.ts';
import type { PropertyId, TenantId } from '../../kernel/rules/ids.ts';
import { type Database, rowsOf } from '../../platform/database/database.ts';
import {
  PropertyEntity,
  RoomEntity,
  type RoomRow,
  RoomTypeEntity,
} from '../../platform/database/entities/properties.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import type { Property, Room } from '../../properties/rules/property.ts';
import { toProperty } from '../../properties/storage/property-row.ts';
import { maintenancesFrom } from '../../rooms/storage/maintenances.ts';
import { toRoom, toRoomType } from '../../rooms/storage/room-row.ts';
import type { TenantStatus } from '../../tenants/rules/tenant.ts';
import type { PropertyReader } from '../ports.ts';
import { type LoadedPlan, PLAN_COLUMNS, storedPlanOf } from './property-load.ts';

const IS_REMOVED = `
  select 1 from properties where tenant_id = ? and property_id = ? and deleted_at is not null`;

const SOLD_ONLINE = `
  select t.status as "tenantStatus"
  from properties p join tenants t on t.tenant_id = p.tenant_id and t.deleted_at is null
  where p.tenant_id = ? and p.property_id = ? and p.deleted_at is null
    and p.metadata #>> '{bookingPage,enabled}' = 'true'`;

const REMOVED_PLAN = `
  select to_json(x) as document from (
    select property_id as "propertyId", ${PLAN_COLUMNS}
    from rates where tenant_id = ? and id = ? and deleted_at is not null) x`;

const TOTAL_ROOMS = `
  select property_id as "propertyId", sum(total_rooms)::int as total from room_types
  where tenant_id = ? and property_id in (select json_array_elements_text(?::json)) and deleted_at is null
  group by property_id`;

/** Rooms that are restored with their type at most: a command has to fit in a call. */
const MAX_ROOMS = 2_000;

/** Properties of a tenant, newest first; soft-deleted ones are not listed (docs/reference/set-up.md#property). */
export function databasePropertyReader(database: Database): PropertyReader {
  return {
    async isRemoved({ tenantId, propertyId }) {
      const rows = await database.readTenant(tenantId, (em) => em.execute(IS_REMOVED, [tenantId, propertyId]));
      return (rows as unknown as unknown[]).length > 0;
    },
    async soldOnline({ tenantId, propertyId }) {
      const rows = await database.readTenant(tenantId, (em) =>
        em.execute<{ tenantStatus: TenantStatus }[]>(SOLD_ONLINE, [tenantId, propertyId]),
      );
      return rows[0];
    },
    removedRoomType: (to, code) =>
      database.readTenant(to.tenantId, async (em) => {
        const removed = {
          tenant_id: to.tenantId,
          property_id: to.propertyId,
          room_type: code,
          deleted_at: { $ne: null },
        };
        const [row] = await rowsOf(em.createQueryBuilder(RoomTypeEntity, 'o').where(removed));
        if (!row) return undefined;
        const rooms = em.createQueryBuilder(RoomEntity, 'o').where(removed).orderBy({ room_number: 'asc' });
        return { roomType: toRoomType(row), rooms: (await rowsOf(rooms.limit(MAX_ROOMS))).map(asItWas) };
      }),
    rooms: (to, today) =>
      database.readTenant(to.tenantId, async (em) => {
        const { tenantId: tenant_id, propertyId: property_id } = to;
        const here = em.createQueryBuilder(RoomEntity, 'o').where({ tenant_id, property_id, deleted_at: null });
        const rooms = (await rowsOf(here.orderBy({ room_number: 'asc' }))).map(toRoom);
        return { rooms, maintenances: await maintenancesFrom(em, to, today) };
      }),
    removedRoom: (to, roomNumber) =>
      database.readTenant(to.tenantId, async (em) => {
        const { tenantId: tenant_id, propertyId: property_id } = to;
        const removed = { tenant_id, property_id, room_number: roomNumber, deleted_at: { $ne: null } };
        const [row] = await rowsOf(em.createQueryBuilder(RoomEntity, 'o').where(removed));
        return row && asItWas(row);
      }),
    async removedPlan(tenantId, id) {
      if (!isUuid(id)) return undefined;
      const rows = await database.readTenant(tenantId, (em) => em.execute(REMOVED_PLAN, [tenantId, id]));
      const [row] = rows as unknown as { document: LoadedPlan & { propertyId: PropertyId } }[];
      if (!row) return undefined;
      const { propertyId, ...plan } = row.document;
      return { propertyId, plan: storedPlanOf(plan) };
    },
    list: (tenantId, limit, after) => database.readTenant(tenantId, (em) => readPage(em, tenantId, limit, after)),
    async totalRooms(tenantId, ids) {
      const rows = await database.readTenant(tenantId, (em) =>
        em.execute(TOTAL_ROOMS, [tenantId, JSON.stringify(ids)]),
      );
      const counted = rows as unknown as { propertyId: PropertyId; total: number }[];
      return new Map(counted.map(({ propertyId, total }) => [propertyId, total]));
    },
  };
}

/** A removed room has no guest. */
function asItWas(row: RoomRow): Room {
  const { reservationId: _occupant, ...room } = toRoom(row);
  return room;
}

async function readPage(
  em: EntityManager,
  tenantId: TenantId,
  limit: number,
  after?: PagePosition,
): Promise<Page<Property>> {
  const query = em
    .createQueryBuilder(PropertyEntity, 'o')
    .where({ tenant_id: tenantId, deleted_at: null })
    .orderBy({ created_at: 'desc', property_id: 'desc' })
    .limit(limit + 1);
  if (after) query.andWhere('(o.created_at, o.property_id) < (?, ?)', [new Date(after.createdAt), after.id]);
  const properties = (await rowsOf(query)).map(toProperty);
  return pageOfRead(properties, limit, ({ propertyId }) => propertyId);
}
