import { v4 as uuidv4 } from 'uuid';

import type { TakenEvent } from '../channels/operations/taken-event.ts';
import { eventTypeOf, type Topic } from '../events/rules/topics.ts';
import { formatDay } from '../kernel/rules/dates.ts';
import { DAY, PROPERTY_ID, NOW } from './property-world.ts';

const { tenantId, propertyId } = PROPERTY_ID;

/** A record as others send it, about the property of `property-world.ts` at noon of its day. */
export function taken(
  topic: Topic,
  fields: Record<string, unknown>,
  headers: TakenEvent['headers'] = {},
): TakenEvent {
  const envelope = { eventId: uuidv4(), eventType: eventTypeOf(topic), timestamp: NOW, version: 1 };
  return { topic, value: { ...envelope, tenantId, ...fields }, headers };
}

export const availabilityRecord = (
  fields: Record<string, unknown> = {},
  headers?: TakenEvent['headers'],
): TakenEvent =>
  taken(
    'availability.updated',
    {
      propertyId,
      roomType: 'STD',
      date: formatDay(DAY + 5),
      totalRooms: 4,
      blockedRooms: 1,
      bookedRooms: null,
      heldRooms: null,
      availableRooms: null,
      seq: null,
      origin: 'external',
      ...fields,
    },
    headers,
  );

export const rateRecord = (fields: Record<string, unknown> = {}): TakenEvent =>
  taken('competitor.rates.updated', {
    propertyId,
    date: formatDay(DAY),
    roomType: 'STD',
    competitorId: 'plaza',
    rate: '100.00',
    currency: 'EUR',
    observedAt: NOW,
    ...fields,
  });

export const paymentRecord = (paymentId: string, fields: Record<string, unknown> = {}): TakenEvent =>
  taken('payment.processed', {
    paymentId,
    amount: '228.00',
    currency: 'EUR',
    status: 'SUCCESS',
    reservationId: null,
    ...fields,
  });
