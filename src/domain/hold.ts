import type { KeyClaim, SealedPersonal } from './commands.ts';
import type { Day } from './dates.ts';
import type { Instant } from './property-time.ts';
import type { Payment, Reservation } from './reservation.ts';

/**
 * Rooms set aside for a while. PAYING: a paid create between its two commits. PENDING: an unpaid reservation.
 * EXPLICIT: asked for by a client. LATE: expired while paying; holds no rooms, waits for its money to be settled.
 */
export type HoldKind = 'PAYING' | 'PENDING' | 'EXPLICIT' | 'LATE';

export type Hold = {
  id: string;
  kind: HoldKind;
  roomType: string;
  checkIn: Day;
  checkOut: Day;
  rooms: number;
  expiresAt: Instant;
  createdAt: Instant;
  reservationId?: string;
  /** What a PAYING hold turns into when the money is there; survives a crash between the two commits. */
  booking?: { reservation: Reservation; attempt: Payment; personal: SealedPersonal };
  /** The idempotency key that the booking's answer belongs to. */
  key?: KeyClaim & { subject: string };
};

/** Confirmed until this long before its expiry, resold from this long after (architecture.md 3). */
export const HOLD_GUARD_MS = 100;
