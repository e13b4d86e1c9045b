import type { roomingListAnswer } from '../../../src/groups/contracts/rooming-list.ts';
import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { roomTypeListAnswer } from '../../../src/properties/contracts/property-answers.ts';
import type { groupAnswer, groupListAnswer } from '../../../src/rates/contracts/sales-answers.ts';
import type { availabilityAnswer } from '../../../src/revenue/contracts/availability-answers.ts';
import { ask, propertyPath, read, readPages, type SignedAccess } from '../api.ts';
import type { ListRow } from './rooming-list.ts';

export type GroupView = WireOf<typeof groupAnswer>;
export type RoomingReport = WireOf<typeof roomingListAnswer>;
export type BlockableType = WireOf<typeof roomTypeListAnswer>['items'][number];

const GROUPS = '/api/v1/reservations/groups';
const TRIES = 3;
/** Pages of groups that are read at most. */
const MAX_PAGES = 5;

/** GroupsStore of a property with nights to come, those that arrive first at the top. @throws ApiError */
export async function groupsOf(access: SignedAccess, propertyId: string): Promise<GroupView[]> {
  const items = await readPages<GroupView>(MAX_PAGES, (page) =>
    read<WireOf<typeof groupListAnswer>>(access, 'reservation', GROUPS, { propertyId, ...page }),
  );
  return items.sort((a, b) => firstNight(a).localeCompare(firstNight(b)) || a.name.localeCompare(b.name));
}

const firstNight = ({ blocks }: GroupView): string => blocks[0]?.date ?? '';

/** @throws ApiError */
export function readGroup(access: SignedAccess, id: string): Promise<GroupView> {
  return read<GroupView>(access, 'reservation', pathOf(id));
}

/** Creates a group, or replaces one. @throws ApiError */
export async function putGroup(access: SignedAccess, body: object, key: string, id?: string): Promise<GroupView> {
  const path = id === undefined ? GROUPS : pathOf(id);
  const method = id === undefined ? 'POST' : 'PUT';
  return (await ask(access, 'reservation', path, { method, body, key }, TRIES)).body as GroupView;
}

/** @throws ApiError */
export async function removeGroup(access: SignedAccess, id: string, key: string): Promise<void> {
  await ask(access, 'reservation', pathOf(id), { method: 'DELETE', body: {}, key }, TRIES);
}

/** Books a room for each row, all or none; a dry run only reports what does not fit. @throws ApiError */
export async function bookList(
  access: SignedAccess,
  id: string,
  rows: readonly ListRow[],
  { dryRun, key }: { dryRun: boolean; key: string },
): Promise<RoomingReport> {
  const path = `${pathOf(id)}/rooming-list${dryRun ? '?dryRun=true' : ''}`;
  return (await ask(access, 'reservation', path, { method: 'POST', body: { rows }, key }, TRIES))
    .body as RoomingReport;
}

/** @throws ApiError */
export async function roomTypesOf(access: SignedAccess, propertyId: string): Promise<BlockableType[]> {
  const path = `${propertyPath(access.user, propertyId)}/room-types`;
  return (await read<WireOf<typeof roomTypeListAnswer>>(access, 'reservation', path)).items;
}

/** Fewest rooms left of each type on some nights. @throws ApiError */
export async function freeRooms(
  access: SignedAccess,
  propertyId: string,
  nights: { first: string; last: string },
): Promise<Map<string, number>> {
  const path = `/api/v1/tenants/${encodeURIComponent(access.user.tenantId)}/availability`;
  const query = { property_id: propertyId, start_date: nights.first, end_date: nights.last };
  const { items } = await read<WireOf<typeof availabilityAnswer>>(access, 'reservation', path, query);
  const free = new Map<string, number>();
  for (const { roomType, availableRooms } of items)
    free.set(roomType, Math.min(free.get(roomType) ?? Infinity, availableRooms));
  return free;
}

const pathOf = (id: string): string => `${GROUPS}/${encodeURIComponent(id)}`;
