import { formatDay, type Day } from '../../kernel/rules/dates.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { EventRecord } from './events.ts';
import { eventTypeOf, TOPICS } from './topics.ts';

const TOPIC = 'reservation.created';
/** Id of a reservation that does not exist. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
const NOWHERE = 'event-test';

/**
 * A reservation event without reservation or tenant: shows that events reach their topic
 * (docs/concepts/events.md#to-look-at). The header `test` makes consumers ignore it.
 */
export function testEvent(eventId: string, at: Instant, today: Day): EventRecord<typeof TOPIC> {
  const checkIn = formatDay(today);
  const checkOut = formatDay(today + 1);
  const record = {
    topic: TOPIC,
    key: NOWHERE,
    headers: { test: 'true' },
    value: {
      eventId,
      eventType: eventTypeOf(TOPIC),
      timestamp: at,
      version: TOPICS[TOPIC].version,
      tenantId: null,
      propertyId: NOWHERE,
      reservationId: NO_ID,
      guestId: NO_ID,
      roomTypeId: 'TEST',
      roomType: 'TEST',
      checkInDate: checkIn,
      checkOutDate: checkOut,
      checkIn,
      checkOut,
      totalAmount: '0.00',
      currency: null,
      status: 'CONFIRMED',
      numberOfGuests: 1,
      source: { channel: null, medium: null, campaign: null },
    },
  };
  // The one record without a tenant and a journal position: its schema allows that, the type of own records does not.
  return record as unknown as EventRecord<typeof TOPIC>;
}
