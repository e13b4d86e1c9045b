import { sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { availabilityUpdated } from '../contracts/taken-events.ts';
import { InvalidRecord } from '../rules/invalid-record.ts';
import {
  asInvalidRecord,
  CONSUMER,
  fieldsOf,
  SKEW_MS,
  type Taken,
  type TakenEvent,
  tenantOfEvent,
} from './taken-event.ts';

/**
 * Records published by `innkeeper` about its own cells are never applied as changes of them
 * (docs/reference/events.md#what-innkeeper-reads).
 */
const OURS = 'innkeeper';

/**
 * Applies the counts of a cell reported by a channel manager or another property system (`availability.updated`): rooms
 * and externally blocked rooms, absolute. The actor decides, in the commit of the cell itself, whether it already has a
 * newer report, so records may arrive repeatedly and in any order; prices follow as after any change of rooms.
 * @throws InvalidRecord; DomainError of a retryable failure
 */
export async function takeAvailability(
  services: Pick<Services, 'properties' | 'administration' | 'clock'>,
  event: TakenEvent,
): Promise<Taken> {
  if (event.value['origin'] === OURS) return { effect: 'none' };
  const tenantId = tenantOfEvent(event);
  const { eventId, timestamp, propertyId, roomType, date, totalRooms, blockedRooms, seq } = fieldsOf(
    availabilityUpdated,
    event,
  );
  // A report from the future would stay the newest until that moment.
  if (timestamp > services.clock.now() + SKEW_MS)
    throw new InvalidRecord('TIMESTAMP_AHEAD', 'its timestamp is in the future');
  await demandActive(services, tenantId);
  const to = { tenantId, propertyId };
  try {
    const { setup, businessDate, lastNight } = await services.properties.view(to);
    if (!setup.roomTypes.some((type) => type.roomType === roomType))
      throw new InvalidRecord('UNKNOWN_ROOM_TYPE', 'the property has no such room type');
    if (date < businessDate || date > lastNight)
      throw new InvalidRecord('DATE_OUTSIDE_HORIZON', 'the property does not sell this night');
    const counts = { roomType, start: date, end: date, totalRooms, blockedRooms };
    const command = { type: 'SET_INVENTORY' as const, ...counts, told: { at: timestamp, seq } };
    const key = { key: eventId, fingerprint: event.topic, ref: '' };
    const { result, replayed } = await sendAlways(
      services,
      { subject: CONSUMER, requestId: eventId },
      to,
      command,
      key,
    );
    return { effect: replayed || result.stale ? 'none' : 'taken' };
  } catch (error) {
    throw asInvalidRecord(error);
  }
}

/** Set-up of a tenant that is not active does not change (docs/concepts/tenants-and-roles.md#status-of-a-tenant). */
async function demandActive({ administration }: Pick<Services, 'administration'>, tenantId: TenantId): Promise<void> {
  const status = await administration.read(tenantId, async (records) => (await records.tenant())?.status);
  if (status !== undefined && status !== 'ACTIVE' && status !== 'TRIAL')
    throw new InvalidRecord('TENANT_NOT_ACTIVE', 'the tenant is not active');
}
