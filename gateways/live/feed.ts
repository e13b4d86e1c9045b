import { wireMoney } from '../../src/kernel/contracts/wire-money.ts';
import { type Day, formatDay } from '../../src/kernel/rules/dates.ts';
import type { ReservationId } from '../../src/kernel/rules/ids.ts';
import { type Booking, bookingsOf, type JournalEntry } from '../../src/kernel/rules/journal.ts';
import { daysUntil } from '../../src/kernel/rules/stay-days.ts';
import { IMPORTED } from '../../src/money/rules/invoice.ts';
import { maskName } from '../http/masks.ts';
import type { RoleClass } from './role-class.ts';

/** A booking in the feed: its nights, and its text for each role class. */
export type FeedEntry = {
  reservationId: ReservationId;
  checkIn: Day;
  checkOut: Day;
  texts: Readonly<Record<RoleClass, string>>;
};

/** Feed entries of a journal entry; empty without a booking. */
export function feedOf(entry: JournalEntry): FeedEntry[] {
  return bookingsOf(entry).map((booking) => feedEntry(entry, booking));
}

/** Whether a night of the stay (check-out excluded) lies in `start` to `end` (inclusive). */
export function staysWithin(entry: FeedEntry, start: Day, end: Day): boolean {
  return entry.checkIn <= end && entry.checkOut > start;
}

function feedEntry(entry: JournalEntry, fact: Booking): FeedEntry {
  const item = {
    // Nobody has booked or changed now what an import brings from another system.
    type: entry.type === 'IMPORT_RESERVATIONS' ? IMPORTED : fact.event,
    at: entry.at,
    reservationId: fact.reservationId,
    confirmationNumber: fact.confirmationNumber,
    roomType: fact.roomType,
    checkIn: formatDay(fact.checkIn),
    checkOut: formatDay(fact.checkOut),
    nights: fact.checkOut - fact.checkIn,
    // Other reservations that a command changes, such as those that lose their room, are not named with it.
    guestName: (fact.reservationId === entry.entity && entry.guestName) || null,
    status: fact.status,
    ...(fact.heldUntil !== undefined && { heldUntil: fact.heldUntil }),
  };
  const { guestName, reservationId } = item;
  return {
    reservationId,
    checkIn: fact.checkIn,
    checkOut: daysUntil(fact.checkIn, fact.checkOut).checkOut,
    texts: {
      viewer: JSON.stringify({ ...item, guestName: guestName === null ? null : maskName(guestName) }),
      staff: JSON.stringify(item),
      manager: JSON.stringify({ ...item, totalAmount: wireMoney(fact.total) }),
    },
  };
}
