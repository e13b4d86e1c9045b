import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Hold } from './hold.ts';

/**
 * Rooms taken from sale without payment: holds that clients requested and unpaid reservations. A paid create
 * between its two commits is none of them.
 */
export type HeldUnpaid = { holds: number; roomNights: number };

/** What a subject has in other properties of the tenant, and what it may have in all of them; a limit of 0 is none. */
export type HoldQuota = { elsewhere: HeldUnpaid; limits: HeldUnpaid };

/** Of a command by which rooms may come to be held unpaid. */
export type MayHold = {
  /** What the client may hold; absent where nobody limits it. */
  quota?: HoldQuota;
};

/** Bounds that a hold can be refused by, as metrics and problems name them. */
export const HOLD_BOUNDS = ['cell', 'subject-holds', 'subject-room-nights', 'property-holds', 'card-holds'] as const;
export type HoldBound = (typeof HOLD_BOUNDS)[number];

/**
 * How long a hold that ran out still counts against its subject: one more hold's usual time. Who lets holds run out
 * cannot take the same rooms again at once; the rooms are free for everybody else meanwhile.
 */
export const COOL_DOWN_MS = 900_000;

/**
 * Rooms of a cell that may always be held: 30 % of a room type of three rooms is one, and two guests who are about to
 * pay at the same time are no attack.
 */
const ALWAYS_HOLDABLE = 3;

/**
 * Rooms of a cell that may be held without being paid.
 * @param capacity rooms that the night can sell, those included that are sold
 * @param maxHeldPercent policy of the property, 1 to 100; 100 is no bound
 */
export function mostHeld(capacity: number, maxHeldPercent: number): number {
  if (maxHeldPercent >= 100) return Infinity;
  return Math.min(capacity, Math.max(ALWAYS_HOLDABLE, Math.ceil((capacity * maxHeldPercent) / 100)));
}

/** Whose hold it is, as far as unpaid rooms are counted. */
export function holderOf({ subject, terms }: Hold): string | undefined {
  return subject ?? terms?.subject;
}

/** Rooms that count against the holder at an instant: those it has, or had when its time ran out a short while ago. */
export function countedRooms({ kind, rooms, lapsed = 0, expiresAt }: Hold, now: Instant): number {
  if (now >= expiresAt + COOL_DOWN_MS) return 0;
  if (kind === 'LATE') return lapsed;
  return kind === 'PAYING' ? 0 : rooms;
}
