import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Hold } from './hold.ts';

/**
 * Rooms taken off sale without payment: holds requested by clients and unpaid reservations. A paid create between its
 * two commits does not count.
 */
export type HeldUnpaid = { holds: number; roomNights: number };

/**
 * Unpaid holds of a subject in other properties of the tenant, and its limits over all of them; a limit of 0 means
 * unlimited.
 */
export type HoldQuota = { elsewhere: HeldUnpaid; limits: HeldUnpaid };

/** Members of a command that may hold rooms without payment. */
export type MayHold = {
  /** Absent where the client has no limits. */
  quota?: HoldQuota;
};

/** Limits that can reject a hold, as metrics and problem details name them. */
export const HOLD_BOUNDS = ['cell', 'subject-holds', 'subject-room-nights', 'property-holds', 'card-holds'] as const;
export type HoldBound = (typeof HOLD_BOUNDS)[number];

/**
 * How long an expired hold still counts against its subject: the usual time of one more hold. A client that lets holds
 * expire cannot take the same rooms again at once; for everyone else they are free.
 */
export const COOL_DOWN_MS = 900_000;

/**
 * Rooms of a cell that may always be held: 30 % of a type with three rooms is one, and two guests about to pay at the
 * same time are no attack.
 */
const ALWAYS_HOLDABLE = 3;

/**
 * Rooms of a cell that may be held without payment.
 * @param capacity rooms that can be sold for the night, including sold ones
 * @param maxHeldPercent policy of the property, 1 to 100; 100 means no limit
 */
export function maxHeld(capacity: number, maxHeldPercent: number): number {
  if (maxHeldPercent >= 100) return Infinity;
  return Math.min(capacity, Math.max(ALWAYS_HOLDABLE, Math.ceil((capacity * maxHeldPercent) / 100)));
}

/** Subject that a hold counts against in the limits on unpaid rooms. */
export function holderOf({ subject, terms }: Hold): string | undefined {
  return subject ?? terms?.subject;
}

/** Rooms that count against the holder at an instant: those it has, or had when it expired a short while ago. */
export function countedRooms({ kind, rooms, lapsed = 0, expiresAt }: Hold, now: Instant): number {
  if (now >= expiresAt + COOL_DOWN_MS) return 0;
  if (kind === 'LATE') return lapsed;
  return kind === 'PAYING' ? 0 : rooms;
}
