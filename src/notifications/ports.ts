import type { BehindBreaker, Delivery, Page, PagePosition } from '../kernel/ports.ts';
import type { By, Done, RequestKey } from '../kernel/rules/administration.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { MailId, ReservationId, PropertyId, TenantId } from '../kernel/rules/ids.ts';
import type { Booking, JournalEntry } from '../kernel/rules/journal.ts';
import type { Language } from '../kernel/rules/languages.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { Property } from '../properties/rules/property.ts';
import type { Reservation } from '../stay/rules/reservation.ts';
import type { WaitlistEntry } from '../stay/rules/waitlist.ts';
import type { Invitation, InvitationLetter } from '../tenants/rules/tenant.ts';
import type { LetterKind, OwnTexts } from './rules/letter-kinds.ts';
import type { MailText } from './rules/message.ts';
import type {
  ArrivalClock,
  MessageStatus,
  NotificationChannel,
  NotificationEnd,
  NotificationKind,
  ReminderDay,
} from './rules/notification.ts';
import type { StayMail } from './rules/stay-mail.ts';
import type { WaitingMatter } from './rules/waiting-matter.ts';

/** Subject of a message, for the development mailbox; the letter of an invitation has its id as that of the stay. */
type About = { tenantId: TenantId; reservationId: ReservationId; kind: NotificationKind | 'INVITATION' };

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

/** The letter of an invitation that is being sent. */
export type LeasedInvitation = Pick<Invitation, 'id' | 'email' | 'name' | 'role' | 'expiresAt'> &
  Pick<InvitationLetter, 'letterLanguage' | 'letterAt' | 'letterAttempts'> & {
    tenant: string;
    /** Mail address of who has invited. */
    replyTo?: string;
  };

/** Counts what waits at a property; what there is none of is left out. */
export type WaitingMatters = (to: Address, now: Instant) => Promise<WaitingMatter[]>;

/** Letters of the open invitations of a tenant. */
export interface InvitationLetters {
  /**
   * Takes some that are due to send them, of which no other sender takes any; what was being sent until its time was
   * over may have arrived.
   * @param until when those that are taken count as interrupted
   */
  lease(tenantId: TenantId, now: Instant, until: Instant, limit: number): Promise<LeasedInvitation[]>;
  /** Notes how it ended, unless the invitation has another letter meanwhile. */
  record(
    tenantId: TenantId,
    letter: Pick<LeasedInvitation, 'id' | 'letterAt'>,
    outcome: Pick<InvitationLetter, 'letterState' | 'letterDueAt' | 'letterSentAt' | 'letterError'>,
  ): Promise<void>;
}

/** Data for the text of a notification; a reminder uses the current reservation. */
export type NotificationMatter = {
  booking?: Booking;
  reservation: Reservation;
  property: Property;
  /** Name of the booked room type; its code when the type no longer exists. */
  roomType: string;
  /** Of the guest's profile. */
  language?: string;
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
  /** Data for each text, in their order; `undefined` for a missing reservation, request or mail. */
  read(
    tenantId: TenantId,
    waiting: readonly WaitingNotification[],
  ): Promise<((() => NotificationMatter | OfferMatter | StayMail) | undefined)[]>;
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

/** A message of a stay, and what became of it. */
export type SentMessage = Pick<NotificationKey, 'kind' | 'channel' | 'occasion'> & {
  status: MessageStatus;
  /** When that happened of which it informs. */
  at: Instant;
  sentAt: Instant | null;
  attempts: number;
  error: string | null;
};

/** A message in the list of its property; the number is absent where no reservation has this id. */
export type ListedMessage = SentMessage & { reservationId: ReservationId; confirmationNumber: string | null };

/** Conditions that all hold; `reservation` is the beginning of a confirmation number, or an id. */
type MessageFilter = { kind?: NotificationKind; status?: MessageStatus; reservation?: string };

/** What guests were sent, within one tenant. */
export interface SentMessages {
  /** Oldest first; messages that ended more than a month ago are forgotten. */
  ofStay(tenantId: TenantId, id: ReservationId): Promise<SentMessage[]>;
  /** Of a property, newest first. */
  ofProperty(of: Address, filter: MessageFilter, limit: number, after?: PagePosition): Promise<Page<ListedMessage>>;
  /** Sends one that has not arrived, or may not have. @returns whether there is such a one */
  sendAgain(
    tenantId: TenantId,
    id: ReservationId,
    message: Pick<NotificationKey, 'kind' | 'channel' | 'occasion'>,
  ): Promise<boolean>;
}

/** Mails that staff send about stays, within one tenant. No actor owns them: no journal has an address. */
export interface StayMails {
  /** Adds a mail that is not there yet. @throws DomainError INVALID_STATE when the stay has too many */
  add(tenantId: TenantId, mail: StayMail): Promise<void>;
  get(tenantId: TenantId, id: MailId): Promise<StayMail | undefined>;
  /** Mails about stays, oldest first. */
  ofStays(tenantId: TenantId, ids: readonly ReservationId[]): Promise<StayMail[]>;
  /** The link in the mail opens nothing any more. */
  revoke(tenantId: TenantId, id: MailId, at: Instant): Promise<void>;
  /** Removes the mails about stays, and those to one of the addresses. */
  removeOf(tenantId: TenantId, ids: readonly ReservationId[], addresses: readonly string[]): Promise<void>;
}

/** Own texts of a property for a kind of letter in a language; none after they were taken back. */
export type LetterTemplate = {
  kind: LetterKind;
  language: Language;
  texts: OwnTexts;
  /** Counts changes, from 1. */
  version: number;
  by: string;
  at: Instant;
};

/** Own texts for letters of properties, within one tenant. */
export interface LetterTemplates {
  list(of: Address): Promise<LetterTemplate[]>;
  get(of: Address, kind: LetterKind, language: Language): Promise<LetterTemplate | undefined>;
  /**
   * Replaces the own texts, idempotent by key; the administration journal has them before and after.
   * @param options.ifVersion changes only this version; 0 is that of one that nobody has changed
   * @throws DomainError STALE_VERSION
   */
  put(
    by: By,
    template: Pick<LetterTemplate, 'kind' | 'language' | 'texts'> & { propertyId: PropertyId },
    options?: { key?: RequestKey; ifVersion?: number },
  ): Promise<Done<LetterTemplate>>;
}

/** A message as it would have been sent; an SMS has neither subject nor HTML. */
export type DevMessage = {
  id: string;
  channel: NotificationChannel;
  kind: NotificationKind | 'INVITATION';
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
