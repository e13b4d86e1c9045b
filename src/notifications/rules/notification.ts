import type { Day } from '../../kernel/rules/dates.ts';
import type { Booking, BookingEvent, Facts } from '../../kernel/rules/journal.ts';
import { instantAt, type Instant, localTime } from '../../kernel/rules/property-time.ts';
import { STAY_MAIL_KINDS, type StayMailKind } from './stay-mail.ts';

/** Kinds of notifications, by mail or SMS (docs/concepts/notifications.md#notifications). */
export const NOTIFICATION_KINDS = [
  'CONFIRMATION',
  'MODIFICATION',
  'CANCELLATION',
  'REMINDER',
  'PAYMENT_FAILED',
  'WAITLIST_OFFER',
  ...STAY_MAIL_KINDS,
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** Kinds about an event of a booking; an offer is about a request that waits, and staff send the others. */
export type BookingNotice = Exclude<NotificationKind, 'WAITLIST_OFFER' | StayMailKind>;

export const NOTIFICATION_CHANNELS = ['MAIL', 'SMS'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

/** States of a message, the last four of which are ends. */
export const MESSAGE_STATUSES = ['WAITING', 'SENDING', 'SENT', 'FAILED', 'UNKNOWN', 'DROPPED'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Outcome of a notification: `UNKNOWN` may have arrived and is not sent again; `DROPPED` had become obsolete. */
export type NotificationEnd = 'SENT' | 'FAILED' | 'UNKNOWN' | 'DROPPED';

/** Properties whose journals are read at once for notifications. */
export const UNREAD_PROPERTIES = 50;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses between attempts: after the last one it has FAILED, some 16 hours after the first. */
const PAUSES_MS = [1, 2, 5, 10, 30, 60, 120, 240, 480].map((minutes) => minutes * MINUTE_MS);

/**
 * Notification of each event. A PENDING reservation was not confirmed, and its changes are not notified; but its end
 * is, also when the time to pay ran out: the guest may expect to have a room.
 */
const NOTIFIED_AS: Record<BookingEvent, (booking: Booking) => BookingNotice | undefined> = {
  HELD: () => undefined,
  CREATED: ({ status }) => (status === 'CONFIRMED' ? 'CONFIRMATION' : undefined),
  CONFIRMED: () => 'CONFIRMATION',
  RELEASED: () => undefined,
  MODIFIED: ({ status }) => (status === 'PENDING' ? undefined : 'MODIFICATION'),
  CANCELLED: () => 'CANCELLATION',
  EXPIRED: () => 'CANCELLATION',
  ROOM_ASSIGNED: () => undefined,
  CHECKED_IN: () => undefined,
  CHECK_IN_UNDONE: () => undefined,
  CHECKED_OUT: () => undefined,
  NO_SHOW: () => 'CANCELLATION',
  // A guest who was notified of the end is notified of the reinstatement, also when it waits for payment again.
  REINSTATED: ({ status }) => (status === 'CONFIRMED' ? 'CONFIRMATION' : 'MODIFICATION'),
  PAID: () => undefined,
  REFUNDED: () => undefined,
  PAYMENT_FAILED: () => 'PAYMENT_FAILED',
};

/** Notification of an event; most have none. */
export function kindOf(booking: Booking): BookingNotice | undefined {
  return NOTIFIED_AS[booking.event]?.(booking);
}

/** Requests to which a journal row offers a room. */
export function offeredIn({ setup = [] }: Pick<Facts, 'setup'>): string[] {
  const statusOf = (of: unknown): unknown => (of as { status?: unknown } | null | undefined)?.status;
  return setup.flatMap(({ kind, id, before, after }) =>
    kind === 'waitlist' && statusOf(before) === 'WAITING' && statusOf(after) === 'OFFERED' ? [id] : [],
  );
}

/** Pause after so many attempts; `undefined` when there is no further one. */
export function pauseAfter(attempts: number): number | undefined {
  return PAUSES_MS[attempts - 1];
}

/** Time zone and check-in time of properties; some of them by id, for the log when the clock is invalid. */
export type ArrivalClock = { timezone: string; checkInTime: string; properties?: readonly string[] };

/** Guests who arrive on `day` are reminded, except those who were informed of it at `since` or later. */
export type ReminderDay = { day: Day; since: Instant };

/** Days of arrival whose check-in time is at most so many hours away (24 by default), and not past. */
export function reminderDays(now: Instant, { timezone, checkInTime }: ArrivalClock, hours: number): ReminderDay[] {
  const today = localTime(now, timezone).day;
  // One day more than the hours say: in spring a night is an hour shorter than its clocks say.
  const days = Array.from({ length: Math.ceil(hours / 24) + 2 }, (_, ahead) => today + ahead);
  return days.flatMap((day) => {
    const arrival = instantAt(day, checkInTime, timezone);
    const since = arrival - hours * HOUR_MS;
    return since <= now && now < arrival ? [{ day, since }] : [];
  });
}
