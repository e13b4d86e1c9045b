import type { AdministrationChange, By, Done, RequestKey } from '../domain/administration.ts';
import type { Day } from '../domain/dates.ts';
import type { Instant } from '../domain/property-time.ts';
import type { ReservationStatus } from '../domain/reservation.ts';
import type { Guest } from '../domain/guest.ts';
import type { Page } from './page.ts';
import type { PagePosition } from './page.ts';

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
export type Told<T> = { result: T; entry: AdministrationChange };

/** A row of the status history, as it is kept. */
export type StatusEntry = {
  reservationId: string;
  oldStatus: ReservationStatus | null;
  newStatus: ReservationStatus;
  at: Instant;
  by: string | null;
  reason: string | null;
};

/** A mail or text about a stay, and what became of it. */
export type ToldGuest = {
  reservationId: string;
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
    tenantId: string,
    filter: GuestFilter,
    since: Day,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<Profile>>;
  get(tenantId: string, id: string, since: Day): Promise<Profile | undefined>;
  /** Nights stayed and checked out of since a day, of many guests; who has none is left out. */
  nightsOf(tenantId: string, guestIds: readonly string[], since: Day): Promise<Map<string, number>>;
  stays(tenantId: string, id: string): Promise<StaysInShort>;
  /**
   * Changes a profile once under a key. `tell` says from what it was before what is answered, and what the
   * administration journal keeps of it.
   * @returns TAKEN when another profile has this e-mail and last name
   * @throws Refusal GUEST_NOT_FOUND
   */
  change<T>(
    by: By,
    id: string,
    change: ProfileChange,
    tell: (changed: Changed) => Told<T>,
    key?: RequestKey,
  ): Promise<Done<T> | 'TAKEN'>;
  /** Status histories and notifications of all reservations of a guest, oldest first. */
  records(tenantId: string, id: string): Promise<{ statuses: StatusEntry[]; told: ToldGuest[] }>;
}
