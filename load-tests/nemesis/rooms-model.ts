import { bookingsOf, type JournalEntry } from '../../src/kernel/rules/journal.ts';

type Taken = { roomType: string; from: number; to: number; rooms: number };

/** Events after which a booking has its rooms; after all others it has none. */
const HOLDING = new Set([
  'HELD',
  'CREATED',
  'CONFIRMED',
  'MODIFIED',
  'PAID',
  'REFUNDED',
  'ROOM_ASSIGNED',
  'CHECKED_IN',
]);

/** Whether a booking has its rooms after an event. */
export const isHolding = ({ event, status }: { event: string; status: string }): boolean =>
  HOLDING.has(event) && status !== 'CANCELLED';

/** Simplest possible model of a property: the owner of each room, from the journal alone, recounted for every query. */
export class RoomsModel {
  readonly #totals: Readonly<Record<string, number>>;
  readonly #bookings = new Map<string, Taken>();
  readonly #holds = new Map<string, Taken>();
  /** Rooms out of order or blocked for groups, by night: as the journal says. */
  readonly #blocked = new Map<string, number>();

  constructor(totals: Readonly<Record<string, number>>) {
    this.#totals = totals;
  }

  apply(entry: JournalEntry): void {
    for (const [roomType, day, , , , blocked] of entry.facts.cells ?? [])
      this.#blocked.set(`${roomType} ${day}`, blocked);
    for (const booking of bookingsOf(entry)) {
      const { reservationId, roomType, checkIn, checkOut } = booking;
      if (isHolding(booking)) this.#bookings.set(reservationId, { roomType, from: checkIn, to: checkOut, rooms: 1 });
      else this.#bookings.delete(reservationId);
    }
    for (const [event, id, roomType, from, to, rooms] of entry.facts.holds ?? []) {
      const has = event !== 'RELEASED' && event !== 'EXPIRED' && rooms > 0;
      if (has) this.#holds.set(id, { roomType, from, to, rooms });
      else this.#holds.delete(id);
    }
  }

  /** Taken rooms on a night. */
  taken(roomType: string, day: number): number {
    let sum = 0;
    for (const list of [this.#bookings, this.#holds])
      for (const one of list.values())
        if (one.roomType === roomType && one.from <= day && day < one.to) sum += one.rooms;
    return sum;
  }

  free(roomType: string, day: number): number {
    const blocked = this.#blocked.get(`${roomType} ${day}`) ?? 0;
    return (this.#totals[roomType] ?? 0) - blocked - this.taken(roomType, day);
  }
}
