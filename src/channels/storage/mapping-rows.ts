import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';

import type { By } from '../../kernel/rules/administration.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import { placeOfLine } from '../rules/channel-values.ts';
import type { ChannelSettings } from '../rules/channel.ts';

const ROOM_TYPES = `
  select room_type as "roomType" from room_types where tenant_id = ? and property_id = ? and deleted_at is null`;
const RATE_PLANS = `
  select code from rates where tenant_id = ? and property_id = ? and deleted_at is null`;
const PUT = `
  insert into channel_mappings (tenant_id, id, property_id, room_type, channel_name, channel_code, external_room_id,
    mapping_config)
  values (?, ?, ?, ?, ?, ?, ?, ?::jsonb)
  on conflict (tenant_id, property_id, channel_code, external_room_id) where deleted_at is null do update
  set room_type = excluded.room_type, channel_name = excluded.channel_name, mapping_config = excluded.mapping_config,
    updated_at = app_now()`;
const REMOVE_OTHERS = `
  update channel_mappings set deleted_at = app_now(), updated_at = app_now()
  where tenant_id = ? and property_id = ? and channel_code = ? and deleted_at is null
    and not external_room_id = any (?::text[])`;

type Mapping = { roomType: string; externalRoom: string; rateMapping: Record<string, string> };

/**
 * Makes the mappings of a channel what its settings say: one for each of its rooms. Others of its code are deleted.
 * @throws DomainError UNKNOWN_ROOM_TYPE, UNKNOWN_RATE_CODE, VALIDATION_FAILED for a room with two types, a plan with two
 * codes or a code with two plans
 */
export async function putMappings(
  em: EntityManager,
  { tenantId }: By,
  settings: ChannelSettings & { propertyId: PropertyId },
): Promise<void> {
  const { propertyId, name, channelCode, availabilitySync, rateSyncEnabled, minRate, maxRate, commission } = settings;
  const mappings = mappingsOf(settings);
  const rows = await em.execute<{ roomType: string }[]>(ROOM_TYPES, [tenantId, propertyId]);
  const known = new Set(rows.map(({ roomType }) => roomType));
  const plans = await em.execute<{ code: string }[]>(RATE_PLANS, [tenantId, propertyId]);
  const sold = new Set(plans.map(({ code }) => code));
  const kept = `{${mappings.map(({ externalRoom }) => JSON.stringify(externalRoom)).join()}}`;
  await em.execute(REMOVE_OTHERS, [tenantId, propertyId, channelCode, kept]);
  for (const { roomType, externalRoom, rateMapping } of mappings) {
    if (!known.has(roomType))
      throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
    // Its nights would be sent as closed for ever, and nobody would learn why.
    const missing = Object.keys(rateMapping).find((plan) => !sold.has(plan));
    if (missing !== undefined)
      throw new DomainError('UNKNOWN_RATE_CODE', `The property has no rate plan ${missing}.`);
    const config = definedMembers({ rateMapping, availabilitySync, rateSyncEnabled, minRate, maxRate, commission });
    const values = [tenantId, uuidv7(), propertyId, roomType, name, channelCode, externalRoom];
    await em.execute(PUT, [...values, JSON.stringify(config)]);
  }
}

function mappingsOf({ mappings }: ChannelSettings): Mapping[] {
  const rooms = new Map<string, Mapping>();
  const places = new Set<string>();
  for (const [index, { roomType, ratePlan, externalRoom, externalRate }] of mappings.entries()) {
    // A code may be `__proto__`.
    const rateMapping = Object.create(null) as Record<string, string>;
    const room = rooms.get(externalRoom) ?? { roomType, externalRoom, rateMapping };
    rooms.set(externalRoom, room);
    if (room.roomType !== roomType) throw twice(`/mappings/${index}/externalRoom`, 'is that of another room type');
    if (Object.hasOwn(room.rateMapping, ratePlan)) throw twice(`/mappings/${index}/ratePlan`, 'is there before');
    // It would be sent the values of both.
    const place = placeOfLine({ externalRoom, externalRate });
    if (places.has(place)) throw twice(`/mappings/${index}/externalRate`, 'is that of another plan of the room');
    places.add(place);
    room.rateMapping[ratePlan] = externalRate;
  }
  return [...rooms.values()];
}

const twice = (pointer: string, detail: string): DomainError =>
  new DomainError('VALIDATION_FAILED', 'A room of the channel is mapped twice.', {
    errors: [{ pointer, code: 'DUPLICATE', detail }],
  });
