import type { Page, PagePosition } from '../kernel/ports.ts';
import type { AdministrationChange, By, Done, RequestKey } from '../kernel/rules/administration.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { ReservationId, TenantId, GuestId, NoteId } from '../kernel/rules/ids.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { ReservationStatus } from '../stay/rules/reservation.ts';
import type { Consent, Guest } from './rules/guest.ts';
import type { TakenMembers } from './rules/merge.ts';
import type { StaySurvey } from './rules/stay-survey.ts';

/** A profile that was merged into another one, as it was then. */
export type MergedProfile = Omit<Guest, 'former'> & { consent?: Consent; mergedAt: Instant };

/** A guest profile with the nights that its loyalty tier is based on; with merged profiles those of all of them. */
export type Profile = Guest & {
  nights: number;
  consent?: Consent;
  /** Profiles that were merged into this one, oldest merge first. */
  merged?: MergedProfile[];
  /** Counts changes of the profile, from 1. */
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** Search conditions, combined with AND. */
export type GuestFilter = {
  /** Words that all occur in the name, or in the e-mail address where that may be searched. */
  words?: readonly string[];
  /** Digits of a phone number that follow each other in that of the guest. */
  phoneDigits?: string;
  searchesEmail: boolean;
  email?: string;
  /** Nights stayed, `least` inclusive and `below` exclusive. */
  nights?: { least: number; below?: number };
};

/** Counts over all stays of a guest. */
export type StaysInShort = {
  byStatus: Partial<Record<ReservationStatus, number>>;
  /** Nights of stays that are over. */
  nights: number;
  firstArrival?: Day;
  lastDeparture?: Day;
};

/** A change of a profile; `null` removes an optional member. */
export type ProfileChange = Partial<Pick<Guest, 'firstName' | 'lastName' | 'email'>> & {
  phone?: string | null;
  language?: Guest['language'] | null;
  preferences?: Guest['preferences'] | null;
  consent?: Consent | null;
};

/** Changeable members of a profile before the change, its time, and the version after it. */
export type Changed = { before: Required<ProfileChange>; at: Instant; version: number };
export type GuestDisclosure<T> = { result: T; entry: AdministrationChange };

/** A row of the status history, as stored. */
export type StatusEntry = {
  reservationId: ReservationId;
  oldStatus: ReservationStatus | null;
  newStatus: ReservationStatus;
  at: Instant;
  by: string | null;
  reason: string | null;
  notes: string | null;
};

/** A mail or text message about a stay, with its delivery status. */
export type DisclosedGuest = {
  reservationId: ReservationId;
  kind: string;
  channel: string;
  state: string;
  at: Instant;
  sentAt: Instant | null;
};

/** Two profiles under lock: what the surviving one takes, and the entries of the administration journal. */
export type JoinProfiles = (
  surviving: Profile,
  other: Profile,
) => { taken: TakenMembers; entries: AdministrationChange[] };

/** A note of staff about a guest; guests never see it. */
export type GuestNote = { noteId: NoteId; guestId: GuestId; text: string; by: string; at: Instant };

/** Notes about guests, within one tenant: in the table of the notes about stays. */
export interface GuestNotes {
  /**
   * Writes a note, idempotent by key; the administration journal says that it was, without its text.
   * @throws DomainError INVALID_STATE when the guest has too many
   */
  add(by: By, note: GuestNote, key?: RequestKey): Promise<Done<{ noteId: NoteId }>>;
  /** Notes of a guest and of what was merged into it, oldest first. */
  of(tenantId: TenantId, guestId: GuestId): Promise<GuestNote[]>;
  /** Deletes a note of this profile, idempotent by key. @throws DomainError NOTE_NOT_FOUND */
  remove(by: By, note: Pick<GuestNote, 'noteId' | 'guestId'>, key?: RequestKey): Promise<Done<{ noteId: NoteId }>>;
  /** Removes all notes of one profile for its erasure. */
  forget(tenantId: TenantId, guestId: GuestId): Promise<void>;
}

/** Guest profiles for staff, within one tenant; erased and merged ones are not returned. */
export interface GuestBook {
  /** Newest first. `since` is the day from which departures count for loyalty. */
  list(
    tenantId: TenantId,
    filter: GuestFilter,
    since: Day,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<Profile>>;
  /** One profile; of a merged one that which it was merged into. */
  get(tenantId: TenantId, id: GuestId, since: Day): Promise<Profile | undefined>;
  /** Nights of stays with departures since a day, by guest; guests without any are left out. */
  nightsOf(tenantId: TenantId, guestIds: readonly string[], since: Day): Promise<Map<string, number>>;
  stays(tenantId: TenantId, id: GuestId): Promise<StaysInShort>;
  /**
   * Changes a profile, idempotent by key. `tell` derives the answer from the previous profile, and the entry of the
   * administration journal.
   * @param options.ifVersion changes only this version
   * @returns TAKEN when another profile has this e-mail and last name
   * @throws DomainError GUEST_NOT_FOUND, STALE_VERSION
   */
  change<T>(
    by: By,
    id: GuestId,
    change: ProfileChange,
    disclose: (changed: Changed) => GuestDisclosure<T>,
    options?: { key?: RequestKey; ifVersion?: number },
  ): Promise<Done<T> | 'TAKEN'>;
  /**
   * Merges the profile `from` into a surviving one, idempotent by key. Both are locked, with all that were merged into
   * them, in the order of their ids. Two that are one already stay as they are.
   * @throws DomainError GUEST_NOT_FOUND, GUEST_MERGED when one of them was merged into a third one
   */
  merge(
    by: By,
    guests: { survivor: GuestId; from: GuestId; since: Day },
    join: JoinProfiles,
    key?: RequestKey,
  ): Promise<Done<{ guestId: GuestId }>>;
  /** Status histories and notifications of all reservations of a guest, oldest first. */
  records(tenantId: TenantId, id: GuestId): Promise<{ statuses: StatusEntry[]; notifications: DisclosedGuest[] }>;
}

/** A guest as a booking needs it: profile id, and encryption of personal fields for the journal. */
export type GuestIdentity = {
  guestId: GuestId;
  /** The guest's wrapped data key when the profile is new: stored with the first booking. */
  wrappedKey?: string;
  /** Encrypts under the guest's own key (docs/concepts/guests-and-erasure.md#encryption). */
  seal(plain: string): string;
};

/** Guest profiles of a tenant, found by e-mail and last name, case-folded. */
export interface GuestDirectory {
  /** The existing profile, of a merged one the surviving one, or a new identity that becomes one when a booking with it commits. */
  identify(tenantId: TenantId, guest: { email: string; lastName: string }): Promise<GuestIdentity>;
  /** Identity of an existing profile. */
  byId(tenantId: TenantId, guestId: GuestId): Promise<GuestIdentity>;
  /** Decrypts texts, keyed by ciphertext; those of erased guests are left out. */
  open(tenantId: TenantId, sealed: { guestId: GuestId; name: string }[]): Promise<Map<string, string>>;
}

/** Answers of guests about their stays. */
export interface StaySurveys {
  /**
   * Stores the first answer about a stay that is over and whose guest was not erased.
   * @returns whether it was stored
   */
  store(
    tenantId: TenantId,
    reservationId: ReservationId,
    survey: Pick<StaySurvey, 'rating' | 'comment'>,
  ): Promise<boolean>;
  of(tenantId: TenantId, reservationId: ReservationId): Promise<StaySurvey | undefined>;
  /** All answers of a guest, by reservation. */
  ofGuest(tenantId: TenantId, guestId: GuestId): Promise<ReadonlyMap<string, StaySurvey>>;
}
