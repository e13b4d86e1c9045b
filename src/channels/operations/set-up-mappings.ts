import { v7 as uuidv7 } from 'uuid';

import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { By, Done, RequestKey } from '../../kernel/rules/administration.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import {
  administer,
  type Administering,
  alive,
  imageOf,
  mustBeRemoved,
} from '../../tenants/operations/administer.ts';
import type { TenantRecords } from '../../tenants/ports.ts';
import type { ChannelMapping, StoredRecord } from '../../tenants/rules/tenant.ts';

type Mapping = StoredRecord<'channelMapping'>;
type Mapped = Administering & Pick<Services, 'channels' | 'subscriptionChanges'>;
type MappingWish = Omit<ChannelMapping, 'id' | 'propertyId'>;

/** Lists mappings of channels to the room types of a property, newest first. @throws DomainError PROPERTY_NOT_FOUND */
export async function listMappings(
  { administration, signed }: Pick<Services, 'administration' | 'signed'>,
  { tenantId, propertyId }: Address,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ items: Mapping[]; nextCursor?: string }> {
  const after = positionOf(signed, cursor);
  const page = await administration.read(tenantId, async (records) => {
    await roomTypesOf(records, propertyId);
    return records.list('channelMapping', { propertyId }, limit, after);
  });
  return { items: page.items, nextCursor: nextCursor(signed, page.next) };
}

/** @throws DomainError PROPERTY_NOT_FOUND, CHANNEL_MAPPING_NOT_FOUND */
export function getMapping(
  { administration }: Pick<Services, 'administration'>,
  { tenantId, propertyId }: Address,
  id: string,
): Promise<Mapping> {
  return administration.read(tenantId, (records) => theMapping(records, propertyId, id));
}

/** @throws DomainError PROPERTY_NOT_FOUND, UNKNOWN_ROOM_TYPE, ALREADY_EXISTS when the channel's room is mapped */
export async function createMapping(
  services: Mapped,
  by: By,
  propertyId: PropertyId,
  wish: MappingWish,
  key?: RequestKey,
): Promise<Done<Mapping>> {
  const wanted = { ...wish, id: uuidv7(), propertyId };
  return followed(services, by, await administer(services, by, key, (records) => put(records, 'CREATED', wanted)));
}

/** @throws DomainError as {@link createMapping} does, and CHANNEL_MAPPING_NOT_FOUND */
export async function changeMapping(
  services: Mapped,
  by: By,
  propertyId: PropertyId,
  id: string,
  wish: MappingWish,
  key?: RequestKey,
): Promise<Done<Mapping>> {
  let former: Mapping | undefined;
  const done = await administer(services, by, key, async (records) => {
    const before = await theMapping(records, propertyId, id);
    former = before;
    return put(records, 'CHANGED', { ...wish, id: before.id, propertyId }, before);
  });
  if (former && former.channelCode !== wish.channelCode) await follow(services, by, former);
  return followed(services, by, done);
}

/** Soft-deletes a mapping. @throws DomainError PROPERTY_NOT_FOUND, CHANNEL_MAPPING_NOT_FOUND */
export async function removeMapping(
  services: Mapped,
  by: By,
  propertyId: PropertyId,
  id: string,
  key?: RequestKey,
): Promise<Done<null>> {
  let former: Mapping | undefined;
  const done = await administer(services, by, key, async (records) => {
    const before = await theMapping(records, propertyId, id);
    former = before;
    await records.remove('channelMapping', before.id);
    await records.note({ entity: 'channelMapping', entityId: before.id, action: 'REMOVED', before: shown(before) });
    return null;
  });
  if (former) await follow(services, by, former);
  return done;
}

/** @throws DomainError as {@link createMapping} does, INVALID_STATE when it was not deleted */
export async function restoreMapping(
  services: Mapped,
  by: By,
  propertyId: PropertyId,
  id: string,
  key?: RequestKey,
): Promise<Done<Mapping>> {
  const done = await administer(services, by, key, async (records) => {
    await roomTypesOf(records, propertyId);
    const found = await records.find('channelMapping', { id, propertyId });
    if (!found) throw noSuch();
    mustBeRemoved(found);
    const { createdAt: _created, updatedAt: _changed, removedAt: _removed, ...mapping } = found;
    return put(records, 'RESTORED', mapping);
  });
  return followed(services, by, done);
}

/** Has the channel of a mapping sent what the mapping says now. */
async function follow(
  { channels, subscriptionChanges }: Mapped,
  { tenantId }: By,
  { propertyId, channelCode }: Mapping,
): Promise<void> {
  const channelId = await channels.mappingChanged(tenantId, propertyId, channelCode);
  if (channelId !== undefined) subscriptionChanges.emit('changed', channelId);
}

async function followed(services: Mapped, by: By, done: Done<Mapping>): Promise<Done<Mapping>> {
  if (!done.replayed) await follow(services, by, done.result);
  return done;
}

async function put(
  records: TenantRecords,
  action: string,
  mapping: ChannelMapping,
  before?: Mapping,
): Promise<Mapping> {
  const { id, propertyId, roomType, channelCode, externalRoomId } = mapping;
  if (!(await roomTypesOf(records, propertyId)).includes(roomType))
    throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
  const same = alive(await records.find('channelMapping', { propertyId, channelCode, externalRoomId }));
  if (same && same.id !== id)
    throw new DomainError('ALREADY_EXISTS', `The room ${externalRoomId} of ${channelCode} is mapped already.`);
  const after = await records.put('channelMapping', mapping);
  const images = { before: before && shown(before), after: shown(after) };
  await records.note({ entity: 'channelMapping', entityId: id, action, ...images });
  return after;
}

/** Amounts as decimals, for the administration journal. */
function shown({ mappingConfig: { minRate, maxRate, ...config }, ...mapping }: Mapping): unknown {
  const limits = { minRate: minRate && minRate / 100, maxRate: maxRate && maxRate / 100 };
  return { ...imageOf(mapping), mappingConfig: { ...config, ...limits } };
}

async function theMapping(records: TenantRecords, propertyId: PropertyId, id: string): Promise<Mapping> {
  await roomTypesOf(records, propertyId);
  const mapping = alive(await records.find('channelMapping', { id, propertyId }));
  if (!mapping) throw noSuch();
  return mapping;
}

async function roomTypesOf(records: TenantRecords, propertyId: PropertyId): Promise<string[]> {
  const codes = await records.roomTypes(propertyId);
  if (!codes) throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
  return codes;
}

const noSuch = (): DomainError =>
  new DomainError('CHANNEL_MAPPING_NOT_FOUND', 'The property has no such channel mapping.');
