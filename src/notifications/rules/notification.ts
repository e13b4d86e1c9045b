import type { Day } from '../../kernel/rules/dates.ts';
import type { Booking, BookingEvent } from '../../kernel/rules/journal.ts';
import { instantAt, type Instant, localTime } from '../../kernel/rules/property-time.ts';

/** Kinds of notifications, by mail or SMS (docs/concepts/notifications.md#notifications). */
export const NOTIFICATION_KINDS = ['CONFIRMATION', 'MODIFICATION', 'CANCELLATION', 'REMINDER'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export const NOTIFICATION_CHANNELS = ['MAIL', 'SMS'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

/** How a notification ends: `UNKNOWN` may have arrived, and is not sent again; `DROPPED` had become obsolete. */
export type NotificationEnd = 'SENT' | 'FAILED' | 'UNKNOWN' | 'DROPPED';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses between attempts: after the last one it has FAILED, some 16 hours after the first. */
const PAUSES_MS = [1, 2, 5, 10, 30, 60, 120, 240, 480].map((minutes) => minutes * MINUTE_MS);

/**
 * The notification of each event. A PENDING reservation was not confirmed, and its changes are not notified; but that
 * it has ended is, also where the time to pay ran out: the guest may expect to have a room.
 */
const NOTIFIED_AS: Record<BookingEvent, (booking: Booking) => NotificationKind | undefined> = {
  HELD: () => undefined,
  CREATED: ({ status }) => (status === 'CONFIRMED' ? 'CONFIRMATION' : undefined),
  CONFIRMED: () => 'CONFIRMATION',
  RELEASED: () => undefined,
  MODIFIED: ({ status }) => (status === 'PENDING' ? undefined : 'MODIFICATION'),
  CANCELLED: () => 'CANCELLATION',
  EXPIRED: () => 'CANCELLATION',
  ROOM_ASSIGNED: () => undefined,
  CHECKED_IN: () => undefined,
  CHECKED_OUT: () => undefined,
  NO_SHOW: () => 'CANCELLATION',
  // Who learned that it had ended learns that it has not, also where it waits for its payment again.
  REINSTATED: ({ status }) => (status === 'CONFIRMED' ? 'CONFIRMATION' : 'MODIFICATION'),
  PAID: () => undefined,
  REFUNDED: () => undefined,
};

/** Notification of an event; most have none. */
export function kindOf(booking: Booking): NotificationKind | undefined {
  return NOTIFIED_AS[booking.event]?.(booking);
}

/** How long to wait after so many attempts; `undefined` when there is no further one. */
export function pauseAfter(attempts: number): number | undefined {
  return PAUSES_MS[attempts - 1];
}

/** When and where guests of a property may come; some of the properties that go by it, for naming one that is wrong. */
export type ArrivalClock = { timezone: string; checkInTime: string; properties?: readonly string[] };

/** Guests who arrive on `day` are reminded, except those who were informed of it at `since` or later. */
export type ReminderDay = { day: Day; since: Instant };

/** Days of arrival whose check-in time is so many hours away or less (24 by default), and not over. */
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
