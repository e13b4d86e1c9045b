import { bookingsOf, type JournalEntry } from '../src/domain/journal.ts';
import { RING_ENTRIES } from './limits.ts';

/** Booking entries that a new dashboard is shown. */
const RECENT_BOOKINGS = 50;

/** The newest journal entries of a property, from which clients that were away catch up (architecture.md 5). */
export class Ring {
  #entries: JournalEntry[];

  constructor(entries: JournalEntry[]) {
    this.#entries = entries.slice(-RING_ENTRIES);
  }

  push(entry: JournalEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length >= 2 * RING_ENTRIES) this.#entries = this.#entries.slice(-RING_ENTRIES);
  }

  /** Nobody learns from here any more for whom a reservation was. */
  forgetName(reservationId: string): void {
    this.#entries = this.#entries.map((entry) => {
      const isAbout = bookingsOf(entry).some((booking) => booking.reservationId === reservationId);
      return isAbout ? { ...entry, guestName: undefined } : entry;
    });
  }

  /** The entries after `seq`, or `undefined` when some of them have left the ring. */
  after(seq: number): JournalEntry[] | undefined {
    const first = this.#entries[0];
    const newest = this.#entries.at(-1)?.seq ?? 0;
    if (seq === newest) return [];
    if (!first || seq < first.seq - 1 || seq > newest) return undefined;
    return this.#entries.filter((entry) => entry.seq > seq);
  }

  /** All of them, oldest first. */
  all(): readonly JournalEntry[] {
    return this.#entries.slice(-RING_ENTRIES);
  }

  /** The newest entries with a booking in them, oldest first. */
  recent(): JournalEntry[] {
    return this.#entries.filter(({ facts }) => facts.bookings && facts.bookings.length > 0).slice(-RECENT_BOOKINGS);
  }
}
