import type { TenantId, PropertyId, ReservationId, GuestId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Topic } from './topics.ts';

/** First member of every record (docs/reference/events.md#format). */
type EventEnvelope = { eventId: string; eventType: string; timestamp: Instant; version: number };

type Whose = { tenantId: TenantId; propertyId: PropertyId };

/** Members of own records after the envelope. Dates are ISO, amounts decimal texts, moments milliseconds. */
export type EventFields = {
  'rate.updated': Whose & {
    roomType: string;
    rateType: 'BASE';
    newRate: string;
    effectiveDate: string;
    updatedAt: Instant;
  };
  'promotion.created': Whose & {
    promotionId: string;
    promoCode: string;
    discount: { type: string; value: string };
    validity: { startDate: string; endDate: string };
  };
  'reservation.created': Whose & {
    reservationId: ReservationId;
    guestId: GuestId;
    roomTypeId: string;
    checkInDate: string;
    checkOutDate: string;
    totalAmount: string;
    status: string;
    numberOfGuests: number;
    roomType: string;
    checkIn: string;
    checkOut: string;
    source: { channel: string | null; medium: string | null; campaign: string | null };
    currency: string | null;
  };
  'reservation.modified': Whose & {
    reservationId: ReservationId;
    modificationId: string;
    changes: Record<string, { from: string | null; to: string | null }>;
    previousAmount: string;
    newAmount: string;
    modifiedAt: Instant;
  };
  'reservation.cancelled': Whose & {
    reservationId: ReservationId;
    cancellationId: string;
    reason: string;
    refundAmount: string;
    cancelledAt: Instant;
  };
  'guest.checkedin': Whose & {
    reservationId: ReservationId;
    guestId: GuestId;
    roomNumber: string;
    checkInTime: Instant;
    expectedCheckOut: Instant;
  };
  'guest.checkedout': Whose & {
    reservationId: ReservationId;
    guestId: GuestId;
    roomNumber: string;
    checkOutTime: Instant;
    finalAmount: string;
    satisfaction: { rating: number | null; comment: string | null; loyaltyPoints: number | null };
  };
  'availability.updated': Whose & {
    roomType: string;
    date: string;
    totalRooms: number;
    blockedRooms: number;
    bookedRooms: number;
    heldRooms: number;
    availableRooms: number;
    seq: number;
    origin: 'innkeeper';
  };
};

/** Topics that are published from the journal. */
export type PublishedTopic = keyof EventFields;

/** A record to be sent: the key keeps the records of a property in order. */
export type EventRecord<T extends PublishedTopic = PublishedTopic> = {
  [K in T]: {
    topic: K;
    key: string;
    headers: Readonly<Record<'tenantId' | 'propertyId' | 'seq' | 'generation' | 'requestId', string>>;
    value: EventEnvelope & EventFields[K];
  };
}[T];

/** A decoded record of any topic. */
export type ReadEvent = { topic: Topic; value: EventEnvelope & Record<string, unknown> };
