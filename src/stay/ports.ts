import type { Page, PagePosition } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type {
  BookingId,
  HoldId,
  PropertyId,
  GuestId,
  GroupId,
  TenantId,
  ReservationId,
  InquiryId,
  NoteId,
  WaitlistId,
} from '../kernel/rules/ids.ts';
import type { Minor } from '../kernel/rules/money.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { Property } from '../properties/rules/property.ts';
import type { DeskNote } from './rules/desk-note.ts';
import type { Hold } from './rules/hold.ts';
import type { Inquiry, InquiryStatus } from './rules/inquiry.ts';
import type { OnlineCheckIn, StayOfPage, StayPage } from './rules/online-check-in.ts';
import type { Reservation, ReservationStatus } from './rules/reservation.ts';
import type { WaitlistEntry, WaitlistStatus } from './rules/waitlist.ts';

/** Holds of all tenants that need work: the only read across tenants (docs/concepts/storage.md#schemas-and-roles). */
export interface HoldSweep {
  /** Properties with a hold that expired by `now`: activating their actor ends it. */
  expired(now: Instant, limit: number): Promise<Address[]>;
  /** Holds whose payment has no known outcome: LATE ones, and PAYING ones that began before `before`. */
  unsettled(before: number, limit: number): Promise<{ to: Address; holdId: HoldId }[]>;
  /** The whole hold, read within its tenant. */
  hold(to: Address, holdId: HoldId): Promise<Hold | undefined>;
}

/** Filters of `GET /reservations` (docs/reference/reservations.md#search), combined with AND. */
export type ReservationFilter = {
  propertyId?: PropertyId;
  status?: ReservationStatus;
  arrivalFrom?: Day;
  arrivalTo?: Day;
  departureFrom?: Day;
  departureTo?: Day;
  inHouseOn?: Day;
  guestId?: GuestId;
  email?: string;
  confirmationNumber?: string;
  channel?: string;
  groupId?: GroupId;
  bookingId?: BookingId;
  externalId?: string;
  updatedSince?: Instant;
  /** Those that may give the desk a task on a business date (`rules/desk-task.ts`). */
  deskTasksOn?: Day;
};

/** A page of reservations, and the ids of those of its rows that cannot be read. */
export type ReservationPage = Page<Reservation> & { unreadable?: ReservationId[] };

/** Reservations as the database has them, within one tenant. */
export interface ReservationReader {
  get(
    tenantId: TenantId,
    id: ReservationId,
  ): Promise<{ reservation: Reservation; property: Property; seq: number; epoch: number } | undefined>;
  list(tenantId: TenantId, filter: ReservationFilter, limit: number, after?: PagePosition): Promise<ReservationPage>;
  /** The ids of the same, also of rows that nobody can read: work that goes over many fails for each alone. */
  ids(
    tenantId: TenantId,
    filter: ReservationFilter,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<ReservationId>>;
  /** How its status moved, the oldest first. */
  statusHistory(tenantId: TenantId, id: ReservationId): Promise<StatusChange[]>;
  /** Whether a request under an idempotency key of a subject is on record. */
  hasKey(tenantId: TenantId, subject: string, key: string): Promise<boolean>;
  /** Which property a reservation belongs to; immutable, so callers may remember it. */
  propertyOf(tenantId: TenantId, id: ReservationId): Promise<PropertyId | undefined>;
}

/** A reservation as stored, for an audit of its money. */
export type AuditedReservation = {
  id: ReservationId;
  /** Columns that reports read. */
  stored: { total: Minor; balance: Minor };
  read: { reservation: Reservation } | { unreadable: string };
};

/** Last reservation of a page, in the order of arrival days. */
export type MoneyAuditPosition = { checkIn: Day; id: ReservationId };

/** Reads the money of a property from its tables, within its tenant. */
export interface MoneyAuditReader {
  /** How many invoices and credit notes there are, and sequences with missing numbers. */
  numbers(to: Address): Promise<{ documents: number; gaps: { kind: string; year: number; missing: number }[] }>;
  /** Its reservations with payments and documents, by arrival day. */
  page(
    to: Address,
    limit: number,
    after?: MoneyAuditPosition,
  ): Promise<{ items: AuditedReservation[]; next?: MoneyAuditPosition }>;
}

/** A request on a waitlist with its property, and its place among those that wait. */
export type ListedWaiting = WaitlistEntry & { propertyId: PropertyId; position: number | null };

/** Requests on waitlists as the database has them, within one tenant. */
export interface WaitlistReader {
  get(tenantId: TenantId, id: WaitlistId): Promise<ListedWaiting | undefined>;
  /** In order of their arrival. */
  list(
    to: Address,
    status: WaitlistStatus | undefined,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<ListedWaiting>>;
  /** Requests that are not over, of guests with one of these e-mail addresses. */
  ofAddresses(tenantId: TenantId, addresses: readonly string[]): Promise<ListedWaiting[]>;
}

/** An inquiry with its property. */
export type ListedInquiry = Inquiry & { propertyId: PropertyId };

/** Inquiries as the database has them, within one tenant. */
export interface InquiryReader {
  get(tenantId: TenantId, id: InquiryId): Promise<ListedInquiry | undefined>;
  /** Newest first. */
  list(
    to: Address,
    status: InquiryStatus | undefined,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<ListedInquiry>>;
  /** Inquiries that are not over, of guests with one of these e-mail addresses. */
  ofAddresses(tenantId: TenantId, addresses: readonly string[]): Promise<ListedInquiry[]>;
}

export type StatusChange = {
  reservationId: ReservationId;
  from: ReservationStatus | null;
  to: ReservationStatus;
  at: Instant;
  by: string;
  reason?: string;
  notes?: string;
};

/** Notes of staff, within one tenant. No actor owns them: their texts are personal data, which no journal has. */
export interface DeskNotes {
  /**
   * Adds a note that is not there yet.
   * @throws DomainError INVALID_STATE when the stay, or the shift notes of the property, has too many
   */
  add(tenantId: TenantId, note: DeskNote): Promise<void>;
  get(tenantId: TenantId, id: NoteId): Promise<DeskNote | undefined>;
  /** Notes of stays, oldest first. */
  ofStays(tenantId: TenantId, ids: readonly ReservationId[]): Promise<DeskNote[]>;
  /** Shift notes of a business date, and those of earlier dates that are not done; oldest first. */
  ofDay(to: Address, day: Day): Promise<DeskNote[]>;
  /** Marks a shift note done, or takes that back. */
  setDone(tenantId: TenantId, id: NoteId, done: DeskNote['done']): Promise<void>;
  remove(tenantId: TenantId, id: NoteId): Promise<void>;
  /** Removes the notes of stays. */
  removeOfStays(tenantId: TenantId, ids: readonly ReservationId[]): Promise<void>;
  /** Changes the texts of all notes that have one of these words, ignoring case. */
  replaceTexts(tenantId: TenantId, words: readonly string[], replace: (text: string) => string): Promise<void>;
}

/** Pages of stays for their guests, within one tenant. No actor owns them: no journal has a signature. */
export interface StayPages {
  get(tenantId: TenantId, id: ReservationId): Promise<StayPage | undefined>;
  /** Check-ins online of stays. */
  checkIns(tenantId: TenantId, ids: readonly ReservationId[]): Promise<OnlineCheckIn[]>;
  /** Links that were signed before open nothing any more. */
  revokeLinks(tenantId: TenantId, of: StayOfPage, at: Instant): Promise<void>;
  /** Replaces the check-in online of a stay. */
  checkIn(tenantId: TenantId, of: StayOfPage, signed: Omit<OnlineCheckIn, 'reservationId'>): Promise<void>;
  /** Removes the pages of stays. */
  removeOfStays(tenantId: TenantId, ids: readonly ReservationId[]): Promise<void>;
}
