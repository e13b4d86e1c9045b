import type { Unit } from './unit.ts';

/** Ids with a unit, so that one kind cannot be passed for another. */
export type TenantId = Unit<string, 'tenant'>;
export type PropertyId = Unit<string, 'property'>;
export type ReservationId = Unit<string, 'reservation'>;
export type GuestId = Unit<string, 'guest'>;
export type HoldId = Unit<string, 'hold'>;
export type PaymentId = Unit<string, 'payment'>;
/** Of the reservations that were booked together. */
export type BookingId = Unit<string, 'booking'>;
export type GroupId = Unit<string, 'group'>;
export type MaintenanceId = Unit<string, 'maintenance'>;
export type HousekeepingTaskId = Unit<string, 'housekeeping task'>;
export type WaitlistId = Unit<string, 'waitlist'>;
export type InquiryId = Unit<string, 'inquiry'>;
export type NoteId = Unit<string, 'note'>;
/** Of a mail that staff send about a stay. */
export type MailId = Unit<string, 'mail'>;
