import type { Day } from '../../src/kernel/rules/dates.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import type { OtbEntry } from '../../src/stay/rules/otb-entry.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';
import type { Draft } from './draft.ts';

const PICKUP = 0;
const CANCELLED = 1;
const MOVES = 2;

/**
 * The on-the-books ledger of a property by night, from its business date on, over all room types: 16 bytes a night.
 * Committed ledgers are never written; a batch works on its copy. A night without an entry has nothing on the books.
 */
export class OtbLedger {
  readonly #today: Day;
  #revenue: Float64Array;
  #moves: Int32Array;

  private constructor(today: Day, revenue: Float64Array, moves: Int32Array) {
    this.#today = today;
    this.#revenue = revenue;
    this.#moves = moves;
  }

  static empty(today: Day): OtbLedger {
    return new OtbLedger(today, new Float64Array(0), new Int32Array(0));
  }

  /** @param stored rows from the business date on; pickup and cancellations of another day are dropped */
  static of(today: Day, stored: readonly (OtbEntry & { movedOn: Day })[]): OtbLedger {
    const books = OtbLedger.empty(today);
    for (const { movedOn, ...book } of stored)
      books.add(movedOn === today ? book : { ...book, pickup: 0, cancelled: 0 });
    return books;
  }

  copy(): OtbLedger {
    return new OtbLedger(this.#today, this.#revenue.slice(), this.#moves.slice());
  }

  /** The same ledger on another business date: past nights are dropped, and pickup and cancellations start at 0. */
  on(today: Day): OtbLedger {
    if (today === this.#today) return this;
    const revenue = today > this.#today ? this.#revenue.slice(today - this.#today) : new Float64Array(0);
    return new OtbLedger(today, revenue, new Int32Array(revenue.length * MOVES));
  }

  night(day: Day): OtbEntry {
    const at = day - this.#today;
    const moved = (what: number): number => this.#moves[at * MOVES + what] ?? 0;
    return { day, revenue: this.#revenue[at] ?? 0, pickup: moved(PICKUP), cancelled: moved(CANCELLED) };
  }

  /** Nights with an entry, in order. */
  *nights(): Iterable<OtbEntry> {
    for (let at = 0; at < this.#revenue.length; at++) {
      const book = this.night(this.#today + at);
      if (book.revenue !== 0 || book.pickup !== 0 || book.cancelled !== 0) yield book;
    }
  }

  /** Adds to a night; past nights are ignored. */
  add({ day, revenue = 0, pickup = 0, cancelled = 0 }: Partial<OtbEntry> & { day: Day }): void {
    const at = day - this.#today;
    if (at < 0) return;
    if (at >= this.#revenue.length) this.#grow(at + 1);
    this.#revenue[at]! += revenue;
    this.#moves[at * MOVES + PICKUP]! += pickup;
    this.#moves[at * MOVES + CANCELLED]! += cancelled;
  }

  #grow(nights: number): void {
    const revenue = this.#revenue;
    const moves = this.#moves;
    // Grows by whole months: bookings arrive for later and later nights.
    const length = Math.ceil(nights / 31) * 31;
    this.#revenue = new Float64Array(length);
    this.#moves = new Int32Array(length * MOVES);
    this.#revenue.set(revenue);
    this.#moves.set(moves);
  }
}

/** A reservation before and after a command. */
type Changed = { before: Reservation | undefined; after: Reservation };

/** Posts the change of on-the-books revenue of a command to the ledger. */
export function postRevenue(draft: Draft, fresh: Iterable<Changed>): void {
  for (const { before, after } of fresh) {
    const was = onBooks(before);
    const is = onBooks(after);
    if (was === is) continue;
    const change = new Map<Day, Minor>();
    for (const { day, rate } of is) change.set(day, (change.get(day) ?? 0) + rate);
    for (const { day, rate } of was) change.set(day, (change.get(day) ?? 0) - rate);
    for (const [day, revenue] of change) if (revenue !== 0) draft.enter({ day, revenue });
  }
}

const NOTHING: Reservation['nights'] = [];

/** Nights of a reservation whose rooms count as booked. Nights of a hold do not. */
function onBooks(reservation: Reservation | undefined): Reservation['nights'] {
  if (!reservation) return NOTHING;
  const { status, holdExpiresAt, nights } = reservation;
  const isBooked = status === 'CONFIRMED' || status === 'CHECKED_IN';
  return isBooked || (status === 'PENDING' && holdExpiresAt === undefined) ? nights : NOTHING;
}
