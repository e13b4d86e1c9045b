import type { Guest } from '../../guests/rules/guest.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { PaymentId, ReservationId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Night } from '../../money/rules/night.ts';
import type { Payment } from '../../money/rules/payment.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import type { ReservationStatus, Source } from './reservation.ts';

/** A reservation of another system, with the prices that were agreed there (docs/reference/import.md#reservations). */
export type ImportedStay = {
  reservationId: ReservationId;
  confirmationNumber: string;
  guest: Guest;
  /** The guest's own wrapped data key, for a new guest. */
  wrappedKey?: string;
  stay: Stay;
  status: ReservationStatus;
  nights: Night[];
  /** Completed charges and refunds; no provider knows any of them. */
  payments: Payment[];
  /** Business dates on which the payments count. */
  paymentDays: Record<PaymentId, Day>;
  source: Source;
  specialRequests: string[];
  bookedAt: Instant;
  arrivedAt: Instant;
  departedAt: Instant;
  /** End of a cancelled one. */
  endedAt: Instant;
  /** What a cancelled one or a no-show costs. */
  retained: Minor;
  roomNumber?: string;
  /** Cancelled for nothing at any time, and not by the terms of its plan. */
  isFree: boolean;
  /** Replaces the one that is stored, which must still be at this version. */
  ifVersion?: number;
};

/** What became of an imported reservation: the version that is stored, or why it is `refused`. */
export type ImportedOutcome = {
  reservationId: ReservationId;
  version?: number;
  refused?: { code: string; detail: string };
};
