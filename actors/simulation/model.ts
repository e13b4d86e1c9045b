import type { Command } from '../../src/domain/commands.ts';
import type { Day } from '../../src/domain/dates.ts';
import { HOLD_GUARD_MS } from '../../src/domain/hold.ts';
import type { CellFact } from '../../src/domain/journal.ts';
import type { Minor } from '../../src/domain/money.ts';

type Nights = { roomType: string; checkIn: Day; checkOut: Day };
type Held = Nights & { kind: 'paying' | 'pending' | 'late'; expiresAt: number; reservationId: string };
type Booked = Nights & { status: 'PENDING' | 'CONFIRMED' | 'CANCELLED' };

/** What clients send, and what the property does by itself. */
export type Played = Extract<
  Command,
  {
    type:
      | 'BOOK'
      | 'START_BOOKING'
      | 'CONFIRM_BOOKING'
      | 'ABANDON_BOOKING'
      | 'CANCEL'
      | 'MODIFY'
      | 'SET_INVENTORY'
      | 'SET_BASE_RATES'
      | 'EXPIRE'
      | 'TICK';
  }
>;

const PENDING_MS = 900_000;
const PAYING_MS = 120_000;

/** A hotel as a child would build it: lists of holds and bookings, counted anew for every question. */
export class Model {
  readonly #totals = new Map<string, number>();
  readonly #rates = new Map<string, Minor>();
  readonly #rooms: Record<string, number>;
  readonly #prices: Record<string, Minor>;
  readonly holds = new Map<string, Held>();
  readonly bookings = new Map<string, Booked>();

  /** @param rooms of each type  @param prices of each type, every night */
  constructor(rooms: Record<string, number>, prices: Record<string, Minor>) {
    this.#rooms = rooms;
    this.#prices = prices;
  }

  cell(roomType: string, day: Day): { total: number; booked: number; held: number } {
    const over = (stay: Nights): boolean => stay.roomType === roomType && stay.checkIn <= day && day < stay.checkOut;
    const held = [...this.holds.values()].filter((hold) => hold.kind !== 'late' && over(hold)).length;
    const booked = [...this.bookings].filter(
      ([id, stay]) => stay.status !== 'CANCELLED' && !this.holds.has(id) && over(stay),
    ).length;
    return { total: this.#totals.get(`${roomType} ${day}`) ?? this.#rooms[roomType] ?? 0, booked, held };
  }

  rate(roomType: string, day: Day): Minor {
    return this.#rates.get(`${roomType} ${day}`) ?? this.#prices[roomType] ?? 0;
  }

  /** What others had changed in the database was taken over. */
  reload(cells: readonly CellFact[]): void {
    for (const [roomType, day, , , , , , rate] of cells) this.#rates.set(`${roomType} ${day}`, rate!);
  }

  /** Why the command would be refused now; undefined when it would be accepted. */
  refusal(command: Played, at: number): string | undefined {
    switch (command.type) {
      case 'BOOK':
      case 'START_BOOKING':
        return this.#isFree(command.booking.stay) ? undefined : 'ROOM_NOT_AVAILABLE';
      case 'CONFIRM_BOOKING': {
        const hold = this.holds.get(command.holdId);
        const open = hold?.kind === 'paying' && at <= hold.expiresAt - HOLD_GUARD_MS;
        return open ? undefined : 'HOLD_EXPIRED';
      }
      case 'ABANDON_BOOKING':
        return this.holds.has(command.holdId) ? undefined : 'HOLD_NOT_FOUND';
      case 'CANCEL':
        return this.#isOpen(command.reservationId) ? undefined : 'INVALID_STATE';
      case 'MODIFY': {
        if (!this.#isOpen(command.reservationId)) return 'INVALID_STATE';
        const { roomType } = this.bookings.get(command.reservationId)!;
        const stay = { roomType, checkIn: command.stay.checkIn!, checkOut: command.stay.checkOut! };
        return this.#isFree(stay, command.reservationId) ? undefined : 'ROOM_NOT_AVAILABLE';
      }
      case 'SET_INVENTORY':
      case 'SET_BASE_RATES':
      case 'EXPIRE':
      case 'TICK':
        return undefined;
    }
  }

  /** Does what an accepted command does. */
  apply(command: Played, at: number, result?: unknown): void {
    switch (command.type) {
      case 'BOOK': {
        const { reservationId, stay } = command.booking;
        this.bookings.set(reservationId, { ...nightsOf(stay), status: 'PENDING' });
        const held = { ...nightsOf(stay), kind: 'pending' as const, reservationId };
        this.holds.set(reservationId, { ...held, expiresAt: at + PENDING_MS });
        return;
      }
      case 'START_BOOKING': {
        const { reservationId, stay } = command.booking;
        const held = { ...nightsOf(stay), kind: 'paying' as const, reservationId };
        this.holds.set(command.holdId, { ...held, expiresAt: at + PAYING_MS });
        return;
      }
      case 'CONFIRM_BOOKING': {
        const hold = this.holds.get(command.holdId);
        const id = hold?.reservationId ?? (result as { reservation: { id: string } }).reservation.id;
        this.holds.delete(command.holdId);
        if (hold) this.bookings.set(id, { ...nightsOf(hold), status: 'CONFIRMED' });
        return;
      }
      case 'ABANDON_BOOKING':
        this.holds.delete(command.holdId);
        return;
      case 'CANCEL':
        this.#cancel(command.reservationId);
        return;
      case 'MODIFY': {
        const { checkIn, checkOut } = command.stay as { checkIn: Day; checkOut: Day };
        for (const list of [this.bookings, this.holds]) {
          const stay = list.get(command.reservationId);
          if (stay) Object.assign(stay, { checkIn, checkOut });
        }
        return;
      }
      case 'SET_INVENTORY':
        for (let day = command.start; day <= command.end; day++)
          this.#totals.set(`${command.roomType} ${day}`, command.totalRooms!);
        return;
      case 'SET_BASE_RATES':
        for (let day = command.start; day <= command.end; day++)
          this.#rates.set(`${command.roomType} ${day}`, command.rates[0]!.rate);
        return;
      case 'EXPIRE':
        for (const [id, hold] of this.holds) {
          if (hold.kind === 'late' || hold.expiresAt + HOLD_GUARD_MS > at) continue;
          if (hold.kind === 'paying') hold.kind = 'late';
          else this.#cancel(id);
        }
        return;
      // What a roll changes lies behind every stay.
      case 'TICK':
    }
  }

  /** Gives up the hold of a payment that came to nothing. */
  release(reservationId: string, seq: number): string[] {
    const found = [...this.holds].find(([, hold]) => hold.reservationId === reservationId && hold.kind !== 'pending');
    if (!found) return [`I5: a hold that is not there was given up at ${seq}`];
    this.holds.delete(found[0]);
    return [];
  }

  #cancel(reservationId: string): void {
    this.holds.delete(reservationId);
    this.bookings.get(reservationId)!.status = 'CANCELLED';
  }

  #isOpen(reservationId: string): boolean {
    const status = this.bookings.get(reservationId)?.status;
    return status === 'PENDING' || status === 'CONFIRMED';
  }

  #isFree(stay: Nights, except?: string): boolean {
    const own = except === undefined ? undefined : this.bookings.get(except);
    for (let day = stay.checkIn; day < stay.checkOut; day++) {
      const { total, booked, held } = this.cell(stay.roomType, day);
      const mine = own && own.checkIn <= day && day < own.checkOut ? 1 : 0;
      // A night that one has already stays one's own, also when rooms were taken away.
      if (mine === 0 && total - booked - held < 1) return false;
    }
    return true;
  }
}

function nightsOf({ roomType, checkIn, checkOut }: Nights): Nights {
  return { roomType, checkIn, checkOut };
}
