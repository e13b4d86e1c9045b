import type { HoldId, WaitlistId } from '../../kernel/rules/ids.ts';
import type { Language } from '../../kernel/rules/languages.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Stay } from '../../rates/rules/stay.ts';

/** States of a waiting request (docs/reference/waitlist.md#states); the first two are not over. */
export const WAITLIST_STATUSES = ['WAITING', 'OFFERED', 'BOOKED', 'LAPSED', 'EXPIRED', 'REMOVED'] as const;
export type WaitlistStatus = (typeof WAITLIST_STATUSES)[number];

/** Waiting and offered requests of a property: all of them are in memory. */
export const MAX_WAITING = 1_000;

/** How long a room is held for a guest to whom it is offered. */
export const OFFER_MS = 30 * 60_000;

/** Who waits, as typed: no profile is made before a booking. */
export type WaitingGuest = {
  firstName: string;
  lastName: string;
  email: string;
  phone?: string;
  language?: Language;
};

/** A room that is held for a waiting guest, at the price of that moment. */
export type WaitlistOffer = { holdId: HoldId; expiresAt: Instant; total: Minor; currency: string };

/** A request that was refused because there was no room, and that waits for one. */
export type WaitlistEntry = {
  waitlistId: WaitlistId;
  /** Order of arrival among those that are not over. */
  number: number;
  status: WaitlistStatus;
  stay: Stay;
  /** Highest accepted total of the stay. */
  maxTotal?: Minor;
  /** When the guest no longer wants it. */
  expiresAt?: Instant;
  /** Absent once it is over: a reservation has its own. */
  guest?: WaitingGuest;
  offer?: WaitlistOffer;
  createdAt: Instant;
  updatedAt: Instant;
};

/** Members that are stored as JSON. */
export type WaitlistDocument = Pick<WaitlistEntry, 'stay' | 'maxTotal' | 'expiresAt' | 'guest' | 'offer'>;

/** Whether a request still waits, or has a room held for it. */
export function isOpen({ status }: Pick<WaitlistEntry, 'status'>): boolean {
  return status === 'WAITING' || status === 'OFFERED';
}
