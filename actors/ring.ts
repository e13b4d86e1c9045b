import type { FollowFrom } from '../src/kernel/property-actors.ts';
import type { ReservationId } from '../src/kernel/rules/ids.ts';
import { bookingsOf, type JournalEntry } from '../src/kernel/rules/journal.ts';
import { RING_ENTRIES } from './limits.ts';

/** Booking entries shown to a new dashboard. */
const RECENT_BOOKINGS = 50;

/** Start of a ring: the `seq` at activation, and a read of the newest entries up to it. */
type RingStart = { seq: number; older(): Promise<JournalEntry[]> };

/**
 * The newest journal entries of a property, from which reconnecting clients catch up
 * (docs/concepts/live-stream.md#from-the-actor-to-the-client). Entries from before the activation are read when they
 * are first needed: most properties sell without followers.
 */
export class Ring {
  readonly #start: RingStart;
  /** Without gaps up to the newest entry. */
  #entries: JournalEntry[] = [];
  #isWhole: boolean;
  #reading: Promise<void> | undefined;
  /** Reservations erased while older entries were being read, which may still contain their names. */
  readonly #forgotten = new Set<string>();

  constructor(start: RingStart) {
    this.#start = start;
    this.#isWhole = start.seq === 0;
  }

  push(entry: JournalEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length >= 2 * RING_ENTRIES) this.#entries = this.#entries.slice(-RING_ENTRIES);
  }

  /**
   * What a follower must await before it gets a feed. A follower that has the state and only continues, as after a
   * move, mostly needs nothing from before the activation.
   */
  pastFor(from: FollowFrom | undefined, generation: number): Promise<void> | undefined {
    return from?.continues && from.generation === generation && this.after(from.seq) ? undefined : this.whole();
  }

  /**
   * Reads entries older than the ring, unless they are here or no longer of use; concurrent callers share one read.
   *
   * @returns nothing when there is nothing to wait for
   * @throws what reading throws; the next call reads again
   */
  whole(): Promise<void> | undefined {
    if (this.#isWhole || this.#entries.length >= RING_ENTRIES) return undefined;
    return (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
  }

  async #read(): Promise<void> {
    this.#forgotten.clear();
    const older = withoutGap(await this.#start.older(), this.#start.seq);
    const known = older.map((entry) => withoutNames(entry, this.#forgotten));
    // So much may have been committed in the meantime that the ring has dropped its beginning.
    const continues = (this.#entries[0]?.seq ?? this.#start.seq + 1) === this.#start.seq + 1;
    if (continues) this.#entries = [...known, ...this.#entries];
    this.#isWhole = true;
  }

  /** Removes guest names of a reservation from the ring. */
  forgetName(reservationId: ReservationId): void {
    if (this.#reading) this.#forgotten.add(reservationId);
    const forgotten = new Set([reservationId]);
    this.#entries = this.#entries.map((entry) => withoutNames(entry, forgotten));
  }

  /** The entries after `seq`, or `undefined` when some of them are not in the ring. */
  after(seq: number): JournalEntry[] | undefined {
    const newest = this.#entries.at(-1)?.seq ?? this.#start.seq;
    if (seq === newest) return [];
    const first = this.#entries[0];
    if (!first || seq < first.seq - 1 || seq > newest) return undefined;
    return this.#entries.filter((entry) => entry.seq > seq);
  }

  /** All entries, oldest first. */
  all(): readonly JournalEntry[] {
    return this.#entries.slice(-RING_ENTRIES);
  }

  /** The newest entries with bookings, oldest first. */
  recent(): JournalEntry[] {
    return this.#entries.filter(({ facts }) => facts.bookings && facts.bookings.length > 0).slice(-RECENT_BOOKINGS);
  }
}

/** The newest entries that lead to `seq` without a gap: a gap would look as if nothing had happened there. */
function withoutGap(entries: readonly JournalEntry[], seq: number): JournalEntry[] {
  let from = entries.length;
  while (from > 0 && entries[from - 1]!.seq === seq - (entries.length - from)) from -= 1;
  return entries.slice(from);
}

function withoutNames(entry: JournalEntry, of: ReadonlySet<string>): JournalEntry {
  const isAbout = of.size > 0 && bookingsOf(entry).some(({ reservationId }) => of.has(reservationId));
  return isAbout ? { ...entry, guestName: undefined } : entry;
}
