import type { Change } from '../../kernel/rules/commands/stay.ts';
import type { BookingEvent } from '../../kernel/rules/journal.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { type Instant, instantAt } from '../../kernel/rules/property-time.ts';
import { folioTotals } from '../../money/rules/folio.ts';
import type { Property } from '../../properties/rules/property.ts';
import { STAY_MEMBERS } from '../../rates/rules/stay.ts';
import { changesOf, movesOf } from './reservation-leaves.ts';
import type { Reservation } from './reservation.ts';

/** Leaves whose values may stand in the journal and in events; of all others, which are personal, only the name. */
const PLAIN = new Set<string>([
  ...STAY_MEMBERS,
  'nights',
  'totalAmount',
  'status',
  'roomNumber',
  'paidAmount',
  'paymentStatus',
  // Id of the newest posting, and the rules of the windows.
  'posting',
  'routing',
]);

/** Amounts are in minor units, as stored. */
export const AMOUNTS: ReadonlySet<string> = new Set(['totalAmount', 'paidAmount']);

type Leaf = string | number | null;

/**
 * What events say of a reservation beside what its booking fact has; nothing personal
 * (docs/reference/events.md#topics).
 */
export type BookingDetails = {
  /** Of a new one. */
  currency?: string;
  /** Of a change: what differs, by name; without values where they are personal. */
  changes?: [name: string, from?: Leaf, to?: Leaf][];
  modificationId?: string;
  /** The whole bill before and after, where it moved. */
  amounts?: [Minor, Minor];
  /** Of an end. */
  cancellationId?: string;
  reason?: string;
  refund?: Minor;
  /** Of a guest who comes or goes. */
  roomNumber?: string;
  at?: Instant;
  expectedCheckOut?: Instant;
  finalAmount?: Minor;
  loyaltyPoints?: number;
  /** Invoices and credit notes that it issued: number, total, and the number of the invoice that is corrected. */
  documents?: [number: string, total: Minor, corrects?: string][];
};

/** What there is to say of an event; `null` where it has no record of its own. */
export function bookingDetails(
  event: BookingEvent,
  { before, after }: { before: Reservation | undefined; after: Reservation },
  property: Property,
): BookingDetails | null {
  switch (event) {
    case 'HELD':
    case 'RELEASED':
      return null;
    case 'CREATED':
      return { currency: after.currency };
    case 'CANCELLED':
    case 'EXPIRED': {
      const { cancellationId, reason, refund } = after.cancellation ?? {};
      return { cancellationId, reason, refund, ...moves(before, after) };
    }
    case 'CHECKED_IN': {
      const { checkOutTime, timezone } = property.metadata;
      const expectedCheckOut = instantAt(after.stay.checkOut, checkOutTime, timezone);
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
      return changeDetails(before ?? after, after);
  }
}

/** What an end, or somebody's coming and going, says of before and after; nothing where there is no before. */
function moves(before: Reservation | undefined, after: Reservation): Pick<BookingDetails, 'changes'> {
  return before === undefined ? {} : { changes: detailOf(movesOf(before, after)) };
}

function detailOf(differences: Record<string, Change>): NonNullable<BookingDetails['changes']> {
  return Object.entries(differences).map(([name, { from, to }]) =>
    PLAIN.has(name) ? [name, (from ?? null) as Leaf, (to ?? null) as Leaf] : [name],
  );
}

function changeDetails(before: Reservation, after: Reservation): BookingDetails {
  const changes = detailOf({ ...changesOf(before, after), ...movesOf(before, after) });
  const amounts: [Minor, Minor] = [folioTotals(before).total, folioTotals(after).total];
  return { changes, ...(amounts[0] !== amounts[1] && { amounts }) };
}

/** What a change of a reservation has issued. */
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
