import type { Page, PagePosition } from '../kernel/ports.ts';
import type { AdministrationChange, By, Done, RequestKey } from '../kernel/rules/administration.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { ReservationId, TenantId, GuestId } from '../kernel/rules/ids.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { ReservationStatus } from '../stay/rules/reservation.ts';
import type { Guest } from './rules/guest.ts';
import type { StaySurvey } from './rules/stay-survey.ts';

/** A guest profile with the nights on which its loyalty tier rests. */
export type Profile = Guest & { nights: number; createdAt: Instant; updatedAt: Instant };

/** Who is looked for: all must hold. */
export type GuestFilter = {
  /** Words that all stand in the name, or in the e-mail address where that may be searched. */
  words?: readonly string[];
  searchesEmail: boolean;
  email?: string;
  /** Nights stayed, `least` inclusive and `below` exclusive. */
  nights?: { least: number; below?: number };
};

/** All stays of a guest, counted. */
export type StaysInShort = {
  byStatus: Partial<Record<ReservationStatus, number>>;
  /** Nights of stays that are over. */
  nights: number;
  firstArrival?: Day;
  lastDeparture?: Day;
};

/** What changes of a profile; null takes away what need not be there. */
export type ProfileChange = Partial<Pick<Guest, 'firstName' | 'lastName' | 'email'>> & {
  phone?: string | null;
  preferences?: Guest['preferences'] | null;
};

/** What may change of a profile, as it was before, and the moment of the change. */
export type Changed = { before: Required<ProfileChange>; at: Instant };
export type GuestDisclosure<T> = { result: T; entry: AdministrationChange };

/** A row of the status history, as stored. */
export type StatusEntry = {
  reservationId: ReservationId;
  oldStatus: ReservationStatus | null;
  newStatus: ReservationStatus;
  at: Instant;
  by: string | null;
  reason: string | null;
};

/** A mail or text about a stay, and what became of it. */
export type DisclosedGuest = {
  reservationId: ReservationId;
  kind: string;
  channel: string;
  state: string;
  at: Instant;
  sentAt: Instant | null;
};

/** Guest profiles as people read and correct them, within one tenant; erased ones do not exist here. */
export interface GuestBook {
  /** Newest first. `since` is the day from which departures count for loyalty. */
  list(
    tenantId: TenantId,
    filter: GuestFilter,
    since: Day,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<Profile>>;
  get(tenantId: TenantId, id: string, since: Day): Promise<Profile | undefined>;
  /** Nights stayed and checked out of since a day, of many guests; who has none is left out. */
  nightsOf(tenantId: TenantId, guestIds: readonly string[], since: Day): Promise<Map<string, number>>;
  stays(tenantId: TenantId, id: string): Promise<StaysInShort>;
  /**
   * Changes a profile once under a key. `tell` derives from the profile before the answer, and what the
   * administration journal keeps of it.
   * @returns TAKEN when another profile has this e-mail and last name
   * @throws DomainError GUEST_NOT_FOUND
   */
  change<T>(
    by: By,
    id: string,
    change: ProfileChange,
    tell: (changed: Changed) => GuestDisclosure<T>,
    key?: RequestKey,
  ): Promise<Done<T> | 'TAKEN'>;
  /** Status histories and notifications of all reservations of a guest, oldest first. */
  records(tenantId: TenantId, id: string): Promise<{ statuses: StatusEntry[]; told: DisclosedGuest[] }>;
}

/** A guest as a booking needs it: whose profile, and how personal fields are sealed for the journal. */
export type GuestIdentity = {
  guestId: GuestId;
  /** The guest's data key, wrapped, when the profile is new: stored with the first booking. */
  wrappedKey?: string;
  /** Ciphertext under the guest's own key (docs/concepts/guests-and-erasure.md#encryption). */
  seal(plain: string): string;
};

/** Guest profiles of a tenant, found by e-mail and last name, case-folded. */
export interface GuestDirectory {
  /** The known profile, or a new identity that becomes one when a booking with it commits. */
  identify(tenantId: TenantId, guest: { email: string; lastName: string }): Promise<GuestIdentity>;
  /** The identity of a profile that is known by id. */
  byId(tenantId: TenantId, guestId: GuestId): Promise<GuestIdentity>;
  /** Plain texts of sealed ones, by their ciphertext; those whose guest was erased are left out. */
  open(tenantId: TenantId, sealed: { guestId: GuestId; name: string }[]): Promise<Map<string, string>>;
}

/** Answers of guests about their stays. */
export interface StaySurveys {
  /**
   * Keeps the first answer about a stay that is over and whose guest was not forgotten.
   *
   * @returns whether it was stored
   */
  keep(
    tenantId: TenantId,
    reservationId: ReservationId,
    survey: Pick<StaySurvey, 'rating' | 'comment'>,
  ): Promise<boolean>;
  of(tenantId: TenantId, reservationId: ReservationId): Promise<StaySurvey | undefined>;
  /** All that a guest has said, by reservation. */
  ofGuest(tenantId: TenantId, guestId: GuestId): Promise<ReadonlyMap<string, StaySurvey>>;
}
