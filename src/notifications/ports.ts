import type { BehindBreaker, Delivery } from '../kernel/ports.ts';
import type { ReservationId, PropertyId, TenantId } from '../kernel/rules/ids.ts';
import type { Booking, JournalEntry } from '../kernel/rules/journal.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { Property } from '../properties/rules/property.ts';
import type { Reservation } from '../stay/rules/reservation.ts';
import type { MailText } from './rules/message.ts';
import type {
  ArrivalClock,
  NotificationChannel,
  NotificationEnd,
  NotificationKind,
  ReminderDay,
} from './rules/notification.ts';

/** Subject of a message, for the development mailbox. */
type About = { tenantId: TenantId; reservationId: ReservationId; kind: NotificationKind };

/** A mail to one guest, in the name of a property. */
export type Mail = MailText & {
  /** The same whenever the same mail is sent: mail servers know a second copy by it. */
  messageId: string;
  to: { name: string; address: string };
  /** Name of the property, and where answers go when it has an address. */
  from: { name: string; replyTo?: string };
  about: About;
};

/** Hands mails over for delivery; never throws for what a mail server answers. */
export interface MailSender extends BehindBreaker {
  /** @param signal the process is going: what is not on its way yet stays */
  send(mail: Mail, signal: AbortSignal): Promise<Delivery>;
}

/** What makes a notification one of its kind. */
type NotificationKey = {
  reservationId: ReservationId;
  kind: NotificationKind;
  channel: NotificationChannel;
  /** Number of its journal row; of a reminder the day of arrival. */
  occasion: number;
};

export type NewNotification = NotificationKey & { propertyId: PropertyId; at: Instant };

/** A waiting notification, as its lease holder has read it. */
export type WaitingNotification = NewNotification & { attempts: number };

/** Rows of a property's journal that nobody has read for notifications. */
export type UnreadJournal = {
  propertyId: PropertyId;
  entries: Pick<JournalEntry, 'seq' | 'at' | 'type' | 'entity' | 'facts'>[];
  /** The position after them. */
  seq: number;
  /** Whether there are more behind. */
  more: boolean;
};

/** What a notification is written from; the booking of a reminder is the reservation as it stands. */
export type NotificationMatter = {
  booking?: Booking;
  reservation: Reservation;
  property: Property;
  /** Name of the room type that was booked; its code when there is no such type any more. */
  roomType: string;
};

/** How an attempt ended: to be tried again at `dueAt`, or at its end and to be forgotten then. */
export type DeliveryAttempt = WaitingNotification & {
  state: 'WAITING' | NotificationEnd;
  /** The number of attempts from now on. */
  attempted: number;
  dueAt: Instant;
  sentAt?: Instant;
  error?: string;
};

/** Notifications of a tenant, and up to where its journals were read for them: all that survives a process. */
export interface Notifications {
  /** Properties with unread rows, in order of their ids, behind `after`. */
  unread(tenantId: TenantId, after?: string): Promise<UnreadJournal[]>;
  /**
   * Adds notifications that are not there yet, SMS only to guests with a phone, and moves the positions on, at once: to
   * read a journal twice changes nothing.
   */
  take(
    tenantId: TenantId,
    read: readonly { propertyId: PropertyId; seq: number }[],
    made: readonly NewNotification[],
  ): Promise<void>;
  /** Moves all positions to the end: earlier events are never notified. */
  skip(tenantId: TenantId): Promise<void>;
  /** The clocks of the tenant's properties, each once. */
  clocks(tenantId: TenantId): Promise<ArrivalClock[]>;
  /** Adds reminders of CONFIRMED arrivals that have none yet. @returns how many, a page at most */
  remind(
    tenantId: TenantId,
    clock: ArrivalClock,
    day: ReminderDay,
    now: Instant,
    channels: readonly NotificationChannel[],
  ): Promise<number>;
  /**
   * Takes the oldest that are due until `until`, of each reservation the first that is not at its end; who takes some
   * at the same time gets other ones.
   */
  lease(
    tenantId: TenantId,
    channel: NotificationChannel,
    now: Instant,
    until: Instant,
    limit: number,
  ): Promise<WaitingNotification[]>;
  /** What each is written from, in their order; `undefined` for one whose reservation is gone. */
  read(
    tenantId: TenantId,
    waiting: readonly WaitingNotification[],
  ): Promise<((() => NotificationMatter) | undefined)[]>;
  /**
   * Notes that these may be on their way from now on, before any of them is.
   * @returns the places of those that are still to be sent; others were taken by somebody else
   */
  begin(tenantId: TenantId, waiting: readonly WaitingNotification[], until: Instant): Promise<ReadonlySet<number>>;
  recordOutcome(tenantId: TenantId, attempted: readonly DeliveryAttempt[]): Promise<void>;
  /** Gives up what was on its way for too long: it may have arrived. @returns how many */
  giveUp(tenantId: TenantId, now: Instant, forgetAt: Instant): Promise<number>;
  /** Removes some of what has been at its end for long enough. @returns how many */
  forget(tenantId: TenantId, now: Instant): Promise<number>;
}

/** A message as it would have gone out; an SMS has neither subject nor HTML. */
export type DevMessage = {
  id: string;
  channel: NotificationChannel;
  kind: NotificationKind;
  to: string;
  subject: string | null;
  text: string;
  html: string | null;
  reservationId: ReservationId;
  sentAt: Instant;
};

/**
 * What development sends instead of sending it (docs/concepts/notifications.md#channels): in memory only, gone with the
 * process.
 */
export interface DevMailbox {
  /** Messages of a tenant that are still stored. */
  of(tenantId: TenantId): DevMessage[];
  /** Deletes the notifications of these reservations. */
  forget(tenantId: TenantId, reservationIds: readonly string[]): void;
}

/** A text to one guest (docs/guide/production.md#partners). */
export type Sms = { messageId: string; to: string; text: string; about: About };

/** Hands texts over for delivery; never throws for what the partner answers. */
export interface SmsSender extends BehindBreaker {
  /** @param signal the process is going */
  send(sms: Sms, signal: AbortSignal): Promise<Delivery>;
}
