import { loyaltySince } from '../../guests/operations/loyalty.ts';
import { openCursor, signCursor } from '../../kernel/operations/cursor.ts';
import { existing } from '../../kernel/operations/existing.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId, TenantId } from '../../kernel/rules/ids.ts';
import { businessDate } from '../../kernel/rules/property-time.ts';
import { onlyProperty } from '../../properties/operations/only-property.ts';
import type { Property, Room } from '../../properties/rules/property.ts';
import { planRooms } from '../rules/maintenance.ts';
import { MAX_CONFLICTS, type RoomConflict } from '../rules/room-conflicts.ts';
import type { PlanRoom } from '../rules/room-plan.ts';

/** A room with its next assigned arrival. */
export type RoomNow = { propertyId: PropertyId; room: Room; nextArrival?: Day; seq: number };

/** Reads one room for the front desk (docs/reference/set-up.md#administration). @throws DomainError ROOM_NOT_FOUND */
export async function readRoom(
  services: Services,
  caller: Caller,
  roomNumber: string,
  propertyId?: PropertyId,
): Promise<RoomNow> {
  const to = await onlyProperty(services, caller, propertyId);
  const view = await services.properties.view(to);
  const room = existing(
    view.setup.rooms.find((one) => one.roomNumber === roomNumber),
    'ROOM_NOT_FOUND',
  );
  const nextArrival = view.nextArrival(roomNumber);
  return { propertyId: to.propertyId, room, seq: view.seq, ...(nextArrival !== undefined && { nextArrival }) };
}

/** Lists rooms of a property by number. @throws DomainError PROPERTY_NOT_FOUND, VALIDATION_FAILED */
export async function listRooms(
  { properties, signed }: Pick<Services, 'properties' | 'signed'>,
  to: Address,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ items: Room[]; nextCursor?: string; seq: number }> {
  const bound = `rooms of ${to.tenantId} ${to.propertyId}`;
  const after = cursor === undefined ? '' : (openCursor(signed, cursor, bound) as string);
  const { setup, seq } = await properties.view(to);
  const byNumber = setup.rooms.toSorted((a, b) => (a.roomNumber < b.roomNumber ? -1 : 1));
  const behind = byNumber.filter(({ roomNumber }) => roomNumber > after);
  const items = behind.slice(0, limit);
  const nextCursor = behind.length > limit ? signCursor(signed, items.at(-1)!.roomNumber, bound) : undefined;
  return { items, nextCursor, seq };
}

export type PropertyConflict = RoomConflict & { propertyId: PropertyId };

/** Maximum of properties of one request: each costs a snapshot of its stays. */
const MAX_PROPERTIES = 1_000;

/**
 * Reads room conflicts, the nearest first: of one property with its `seq`, or of all of the tenant, without activating
 * passive ones.
 * @throws DomainError PROPERTY_NOT_FOUND
 */
export async function readConflicts(
  services: Services,
  { tenantId }: Caller,
  propertyId?: PropertyId,
): Promise<{ conflicts: PropertyConflict[]; seq?: number }> {
  const all = propertyId === undefined ? await allProperties(services, tenantId) : [];
  const named = propertyId ?? (all.length === 1 ? all[0]!.propertyId : undefined);
  if (named !== undefined) {
    const to = { tenantId, propertyId: named };
    const { setup, businessDate, seq } = await services.properties.view(to);
    return { conflicts: await conflictsOf(services, to, planRooms(setup), businessDate), seq };
  }
  const conflicts: PropertyConflict[] = [];
  for (const property of all) {
    const to = { tenantId, propertyId: property.propertyId };
    const { timezone, policies } = property.metadata;
    const today = businessDate(services.clock.now(), { timezone, nightAuditHour: policies.nightAuditHour });
    const rooms = planRooms(await services.propertyReader.rooms(to, today));
    conflicts.push(...(await conflictsOf(services, to, rooms, today)));
  }
  const nearest = conflicts.sort((a, b) => a.day - b.day || (a.propertyId < b.propertyId ? -1 : 1));
  return { conflicts: nearest.slice(0, MAX_CONFLICTS) };
}

async function conflictsOf(
  services: Services,
  to: Address,
  rooms: readonly PlanRoom[],
  today: Day,
): Promise<PropertyConflict[]> {
  const stays = await services.roomStays(to, today, loyaltySince(services));
  const found = await services.computer.run('findConflicts', { rooms: [...rooms], stays, today });
  return found.map((one) => ({ propertyId: to.propertyId, ...one }));
}

/** @throws DomainError VALIDATION_FAILED when there are more than one request may read */
async function allProperties({ propertyReader }: Services, tenantId: TenantId): Promise<Property[]> {
  const { items } = await propertyReader.list(tenantId, MAX_PROPERTIES + 1);
  if (items.length <= MAX_PROPERTIES) return items;
  throw new DomainError('VALIDATION_FAILED', 'The tenant has too many properties for one question.', {
    errors: [{ parameter: 'propertyId', code: 'MISSING', detail: `is required beyond ${MAX_PROPERTIES} properties` }],
  });
}
