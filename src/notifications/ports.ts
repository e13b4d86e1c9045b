import type { BehindBreaker, Delivery } from '../kernel/ports.ts';
import type { ReservationId, PropertyId, TenantId } from '../kernel/rules/ids.ts';
import type { Booking, JournalEntry } from '../kernel/rules/journal.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { Property } from '../properties/rules/property.ts';
import type { Reservation } from '../stay/rules/reservation.ts';
import type { WaitlistEntry } from '../stay/rules/waitlist.ts';
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

/** A mail to one guest, on behalf of a property. */
export type Mail = MailText & {
  /** The same for each copy of a mail, so that mail servers recognize a second one. */
  messageId: string;
  to: { name: string; address: string };
  /** Name of the property, and the reply address if it has one. */
  from: { name: string; replyTo?: string };
  about: About;
};

/** Delivers mails; never throws for an answer of the mail server. */
export interface MailSender extends BehindBreaker {
  /** @param signal aborted at shutdown: a mail that is not being sent stays */
  send(mail: Mail, signal: AbortSignal): Promise<Delivery>;
}

/** Identity of a notification within its kind. */
type NotificationKey = {
  /** Of an offer the id of the request that waits. */
  reservationId: ReservationId;
  kind: NotificationKind;
  channel: NotificationChannel;
  /** `seq` of its journal row; for a reminder the day of arrival. */
  occasion: number;
};

export type NewNotification = NotificationKey & { propertyId: PropertyId; at: Instant };

/** A waiting notification, as its lease holder has read it. */
export type WaitingNotification = NewNotification & { attempts: number };

/** Rows of a property's journal that were not read for notifications yet. */
export type UnreadJournal = {
  propertyId: PropertyId;
  entries: Pick<JournalEntry, 'seq' | 'at' | 'type' | 'entity' | 'facts'>[];
  /** The position after them. */
  seq: number;
  /** Whether there are more rows. */
  more: boolean;
};

/** Data for the text of a notification; a reminder uses the current reservation. */
export type NotificationMatter = {
  booking?: Booking;
  reservation: Reservation;
  property: Property;
  /** Name of the booked room type; its code when the type no longer exists. */
  roomType: string;
};

/** Data for the text of an offer: the request as it is now. */
export type OfferMatter = { waiting: WaitlistEntry; property: Property; roomType: string };

/** Outcome of an attempt: to be retried at `dueAt`, or ended, and when to remove it. */
export type DeliveryAttempt = WaitingNotification & {
  state: 'WAITING' | NotificationEnd;
  /** Number of attempts including this one. */
  attempted: number;
  dueAt: Instant;
  sentAt?: Instant;
  error?: string;
};

/** Notifications of a tenant, and the positions up to which its journals were read. */
export interface Notifications {
  /** Properties with unread rows, in order of their ids, after `after`. */
  unread(tenantId: TenantId, after?: string): Promise<UnreadJournal[]>;
  /**
   * Adds missing notifications, SMS only to guests with a phone, and moves the positions in the same transaction:
   * reading a journal twice changes nothing.
   */
  take(
    tenantId: TenantId,
    read: readonly { propertyId: PropertyId; seq: number }[],
    notifications: readonly NewNotification[],
  ): Promise<void>;
  /** Moves all positions to the end: earlier events are never notified. */
  skip(tenantId: TenantId): Promise<void>;
  /** The distinct clocks of the tenant's properties. */
  clocks(tenantId: TenantId): Promise<ArrivalClock[]>;
  /** Adds missing reminders of CONFIRMED arrivals. @returns their number, a page at most */
  remind(
    tenantId: TenantId,
    clock: ArrivalClock,
    day: ReminderDay,
    now: Instant,
    channels: readonly NotificationChannel[],
  ): Promise<number>;
  /**
   * Leases the oldest due ones until `until`, of each reservation only its first unfinished one; concurrent callers get
   * others.
   */
  lease(
    tenantId: TenantId,
    channel: NotificationChannel,
    now: Instant,
    until: Instant,
    limit: number,
  ): Promise<WaitingNotification[]>;
  /** Data for each text, in their order; `undefined` for a missing reservation or request. */
  read(
    tenantId: TenantId,
    waiting: readonly WaitingNotification[],
  ): Promise<((() => NotificationMatter | OfferMatter) | undefined)[]>;
  /**
   * Records that these may be in progress from now on, before any of them is.
   * @returns indexes of those that are still to be sent; others were leased by another sender
   */
  begin(tenantId: TenantId, waiting: readonly WaitingNotification[], until: Instant): Promise<ReadonlySet<number>>;
  recordOutcome(tenantId: TenantId, attempted: readonly DeliveryAttempt[]): Promise<void>;
  /** Gives up deliveries in progress for too long: they may have arrived. @returns their number */
  giveUp(tenantId: TenantId, now: Instant, forgetAt: Instant): Promise<number>;
  /** Removes some notifications that ended long enough ago. @returns their number */
  forget(tenantId: TenantId, now: Instant): Promise<number>;
}

/** A message as it would have been sent; an SMS has neither subject nor HTML. */
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
 * Messages that development stores instead of sending (docs/concepts/notifications.md#channels): in memory only, lost
 * with the process.
 */
export interface DevMailbox {
  /** Stored messages of a tenant. */
  of(tenantId: TenantId): DevMessage[];
  /** Deletes the messages of these reservations. */
  forget(tenantId: TenantId, reservationIds: readonly string[]): void;
}

/** A text to one guest (docs/guide/production.md#partners). */
export type Sms = { messageId: string; to: string; text: string; about: About };

/** Delivers texts; never throws for an answer of the partner. */
export interface SmsSender extends BehindBreaker {
  /** @param signal aborted at shutdown */
  send(sms: Sms, signal: AbortSignal): Promise<Delivery>;
}
