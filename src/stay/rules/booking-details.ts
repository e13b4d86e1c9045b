import type { Change } from '../../kernel/rules/commands/stay.ts';
import type { BookingEvent } from '../../kernel/rules/journal.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { folioTotals } from '../../money/rules/folio.ts';
import type { Property } from '../../properties/rules/property.ts';
import { leavesBy } from '../../rates/rules/day-use.ts';
import { STAY_MEMBERS } from '../../rates/rules/stay.ts';
import { changesOf, movesOf } from './reservation-leaves.ts';
import type { Reservation } from './reservation.ts';

/**
 * Leaves whose values may appear in the journal and in events; of all others, which are personal, only the name does.
 */
const PLAIN = new Set<string>([
  ...STAY_MEMBERS,
  'nights',
  'totalAmount',
  'status',
  'roomNumber',
  'paidAmount',
  'paymentStatus',
  // Id of the newest posting, and the routing rules of the folio windows.
  'posting',
  'routing',
]);

/** Amounts are in minor units, as stored. */
export const AMOUNTS: ReadonlySet<string> = new Set(['totalAmount', 'paidAmount']);

type Leaf = string | number | null;

/**
 * Event members of a reservation in addition to its booking fact; nothing personal (docs/reference/events.md#topics).
 */
export type BookingDetails = {
  /** Only with a new booking. */
  currency?: string;
  /** Only with a change: differing leaves by name, without values where they are personal. */
  changes?: [name: string, from?: Leaf, to?: Leaf][];
  modificationId?: string;
  /** Total of the bill before and after, when it changed. */
  amounts?: [Minor, Minor];
  /** Only with a cancellation or a no-show. */
  cancellationId?: string;
  reason?: string;
  refund?: Minor;
  /** Only with a check-in, a check-out or a move. */
  roomNumber?: string;
  at?: Instant;
  expectedCheckOut?: Instant;
  finalAmount?: Minor;
  loyaltyPoints?: number;
  /** Reason for ignoring restrictions, as ciphertext under the guest's key. */
  override?: string;
  /** Documents issued with this change: number, total, and the number of the corrected invoice. */
  documents?: [number: string, total: Minor, corrects?: string][];
};

/** Details for the event of a change; `null` when the change has no event record of its own. */
export function bookingDetails(
  event: BookingEvent,
  { before, after }: { before: Reservation | undefined; after: Reservation },
  property: Property,
): BookingDetails | null {
  switch (event) {
    case 'HELD':
    case 'RELEASED':
    case 'PAYMENT_FAILED':
      return null;
    case 'CREATED':
      return { currency: after.currency };
    case 'CANCELLED':
    case 'EXPIRED': {
      const { cancellationId, reason, refund } = after.cancellation ?? {};
      return { cancellationId, reason, refund, ...moves(before, after) };
    }
    case 'CHECKED_IN': {
      const expectedCheckOut = leavesBy(after.stay, property.metadata);
      return { roomNumber: after.roomNumber, at: after.checkIn?.at, expectedCheckOut, ...moves(before, after) };
    }
    case 'CHECKED_OUT': {
      const { at, loyaltyPoints } = after.checkOut ?? {};
      const finalAmount = folioTotals(after).total;
      return { roomNumber: after.roomNumber, at, loyaltyPoints, finalAmount, ...moves(before, after) };
    }
    case 'MODIFIED':
    case 'CONFIRMED':
    case 'ROOM_ASSIGNED':
    case 'PAID':
    case 'REFUNDED':
    case 'NO_SHOW':
    case 'REINSTATED':
    case 'CHECK_IN_UNDONE':
      return changeDetails(before ?? after, after);
  }
}

/** Leaves that an end, a check-in or a check-out moved; empty without a state before. */
function moves(before: Reservation | undefined, after: Reservation): Pick<BookingDetails, 'changes'> {
  return before === undefined ? {} : { changes: detailOf(movesOf(before, after)) };
}

function detailOf(differences: Record<string, Change>): NonNullable<BookingDetails['changes']> {
  return Object.entries(differences).map(([name, { from, to }]) =>
    PLAIN.has(name) ? [name, leafOf(from), leafOf(to)] : [name],
  );
}

/** Lists are texts in events. */
const leafOf = (value: unknown): Leaf => (Array.isArray(value) ? value.join(', ') : ((value ?? null) as Leaf));

function changeDetails(before: Reservation, after: Reservation): BookingDetails {
  const changes = detailOf({ ...changesOf(before, after), ...movesOf(before, after) });
  const amounts: [Minor, Minor] = [folioTotals(before).total, folioTotals(after).total];
  return { changes, ...(amounts[0] !== amounts[1] && { amounts }) };
}

/** Documents that a change of a reservation has issued. */
export function documentsIssued(
  before: Reservation | undefined,
  { documents = [] }: Reservation,
): Pick<BookingDetails, 'documents'> {
  const known = new Set(before?.documents?.map(({ number }) => number));
  const issued = documents.filter(({ number }) => !known.has(number));
  if (issued.length === 0) return {};
  return {
    documents: issued.map(
      ({ number, total, corrects }) => [number, total, ...(corrects ? [corrects] : [])] as [string, Minor, string?],
    ),
  };
}
