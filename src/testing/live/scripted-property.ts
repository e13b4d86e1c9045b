import type { LookedBack } from '../../history/operations/look-back.ts';
import { snapshotOf } from '../../history/rules/past-grid.ts';
import type { LiveFeed, LiveListener, PropertyView } from '../../kernel/property-actors.ts';
import type { CommandType } from '../../kernel/rules/commands.ts';
import { type Day, dayOf } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import {
  type BookingEvent,
  bookingFact,
  bookingsOf,
  type CellFact,
  type Facts,
  type JournalEntry,
} from '../../kernel/rules/journal.ts';
import type { Position } from '../../live/contracts/live.ts';
import type { Room, RoomStatus } from '../../properties/rules/property.ts';
import { marketFact, type MarketNight } from '../../rates/rules/competitor-rate.ts';
import type { GridCell } from '../../rates/rules/queries.ts';
import { otbFact } from '../../stay/rules/otb-entry.ts';
import { booksOf, cellId, type ScriptedState, viewOf } from './scripted-view.ts';

export const FIRST_NIGHT = dayOf('2026-03-01');

type Entry = { type: CommandType; entity: string; facts: Facts; guestName?: string };

type ScriptedBooking = {
  roomType: string;
  checkIn: Day;
  nights: number;
  guestName?: string;
  total?: number;
  event?: BookingEvent;
  status?: string;
  heldUntil?: number;
  /** How it came to be; from a guest by default. */
  by?: CommandType;
};

/** A scripted property: entries, views and the port's calls are those of a real actor. */
export class ScriptedProperty {
  readonly propertyId: string;
  /** How often `follow` was called, and how many of these are still open. */
  follows = 0;
  /** The `from` of each follow. */
  readonly asked: (Position | undefined)[] = [];
  /** Errors of the next follows, one each. */
  readonly rejections: DomainError[] = [];
  /** Errors of the next look-backs, one each. */
  readonly refusedLooks: DomainError[] = [];
  /** Every follow waits for this. */
  hanging: Promise<void> = Promise.resolve();
  ringLength = 1024;
  #state: ScriptedState;
  #entries: JournalEntry[] = [];
  /** Every committed state, from the first on. */
  readonly #states: ScriptedState[] = [];
  readonly #listeners = new Set<LiveListener>();
  #gathering: JournalEntry[] | undefined;
  #deleted = false;

  constructor(
    propertyId: string,
    nights = 60,
    roomTypes: Record<string, number> = { STD: 10, DLX: 4 },
    firstNight = FIRST_NIGHT,
  ) {
    this.propertyId = propertyId;
    const cells = new Map<string, GridCell>();
    for (const [roomType, total] of Object.entries(roomTypes)) {
      for (let day = firstNight; day < firstNight + nights; day++) {
        const free = { booked: 0, held: 0, blocked: 0, available: total };
        cells.set(cellId(roomType, day), { roomType, day, total, ...free, rate: 10_050 });
      }
    }
    const rooms: Room[] = [{ ...ROOM, roomNumber: '101' }];
    this.#state = {
      propertyId,
      seq: 0,
      generation: 1,
      at: Date.now(),
      businessDate: firstNight,
      lastNight: firstNight + nights - 1,
      cells,
      roomTypes: Object.keys(roomTypes),
      rooms,
    };
    this.#states.push(this.#state);
  }

  get view(): PropertyView {
    return viewOf(this.#state);
  }

  get seq(): number {
    return this.#state.seq;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** As from a real journal. @throws DomainError INSUFFICIENT_DATA for an instant before it existed */
  lookBack(asOf: number): LookedBack {
    const error = this.refusedLooks.shift();
    if (error) throw error;
    const state = this.#states.findLast(({ at }) => at <= asOf);
    if (!state) throw new DomainError('INSUFFICIENT_DATA', 'The journal of the property begins later.');
    const { seq, at, generation } = state;
    const { setup, businessDate: today, books, grid } = viewOf(state);
    const { property, rooms, roomTypes } = setup;
    const types = roomTypes.map((type) => ({ roomType: type, cells: grid(0, 1e6, type.roomType) }));
    const recent = this.#entries.filter((entry) => entry.seq <= seq && entry.facts.bookings !== undefined);
    return { seq, at, generation, grid: snapshotOf({ property, rooms, books, today }, types), recent };
  }

  /** Moves everything so far into the past. */
  age(ms: number): void {
    this.#entries = this.#entries.map((entry) => ({ ...entry, at: entry.at - ms }));
    const older = this.#states.map((state) => ({ ...state, at: state.at - ms }));
    this.#states.splice(0, older.length, ...older);
    this.#state = older.at(-1)!;
  }

  async follow(from: Position | undefined, listener: LiveListener): Promise<LiveFeed> {
    this.follows += 1;
    this.asked.push(from);
    await this.hanging;
    const error = this.rejections.shift();
    if (error) throw error;
    if (this.#deleted) throw new DomainError('PROPERTY_NOT_FOUND', 'It was deleted.');
    this.#listeners.add(listener);
    const ring = this.#entries.slice(-this.ringLength);
    const { seq, generation } = this.#state;
    const missing = from ? seq - from.seq : 0;
    const known = from?.generation === generation && missing >= 0 && missing <= ring.length;
    return {
      view: this.view,
      missed: known ? ring.slice(ring.length - missing) : undefined,
      history: ring,
      recent: ring.filter(({ facts }) => facts.bookings !== undefined).slice(-50),
      close: () => this.#listeners.delete(listener),
    };
  }

  /** Books a room of the type for each night, as CONFIRM_BOOKING does. */
  book({
    roomType,
    checkIn,
    nights,
    guestName,
    total = 30_150,
    event = 'CREATED',
    by = 'CONFIRM_BOOKING',
    ...held
  }: ScriptedBooking): void {
    const cells = Array.from({ length: nights }, (_, night) => {
      const cell = this.#cell(roomType, checkIn + night);
      return { ...cell, booked: cell.booked + 1, available: cell.available - 1 };
    });
    const number = String(this.#state.seq + 1).padStart(4, '0');
    const reservationId = `res-${number}`;
    const booking = {
      event,
      reservationId,
      confirmationNumber: `CN${number}`,
      guestId: `guest-${number}`,
      roomType,
      checkIn,
      checkOut: checkIn + nights,
      guests: 2,
      total,
      paid: total,
      status: held.status ?? 'CONFIRMED',
      heldUntil: held.heldUntil,
    };
    const bookings = [bookingFact(booking, reservationId)];
    const books = booksOf(this.#withNights(cells)).map(otbFact);
    const facts = { cells: cells.map(factOf), books, bookings };
    this.#commit({ type: by, entity: reservationId, facts, guestName }, { cells });
  }

  /** Expires the newest booking, in an entry with others, without a name. */
  expireNewest(): void {
    const entry = this.#entries.findLast(({ facts }) => facts.bookings !== undefined)!;
    const [booking] = bookingsOf(entry);
    const bookings = [bookingFact({ ...booking!, event: 'EXPIRED', status: 'CANCELLED' }, 'day')];
    this.#commit({ type: 'TICK', entity: 'day', facts: { bookings } }, {});
  }

  /** Erases the guest of a booking, in the past too. */
  eraseGuest(reservationId: string): void {
    this.#entries = this.#entries.map((one) =>
      one.entity === reservationId ? { ...one, guestName: undefined } : one,
    );
    this.#commit({ type: 'ERASE_GUEST', entity: reservationId, facts: {} }, {});
  }

  setRate(roomType: string, day: Day, rate: number | null): void {
    const cells = [{ ...this.#cell(roomType, day), rate }];
    this.#commit({ type: 'SET_BASE_RATES', entity: 'rate', facts: { cells: cells.map(factOf) } }, { cells });
  }

  /** Sets cells in one command. */
  put(cells: GridCell[]): void {
    this.#commit({ type: 'SET_INVENTORY', entity: 'inventory', facts: { cells: cells.map(factOf) } }, { cells });
  }

  /** Changes the price of every night: a delta of some 20 KB. */
  setAllRates(rate: number): void {
    const cells = [...this.#state.cells.values()].map((cell) => ({ ...cell, rate }));
    this.#commit({ type: 'SET_BASE_RATES', entity: 'rate', facts: { cells: cells.map(factOf) } }, { cells });
  }

  /** A command without a visible change. */
  nothing(): void {
    this.#commit({ type: 'SETTLE_REFUND', entity: 'refund', facts: {} }, {});
  }

  setRoomStatus(roomNumber: string, status: RoomStatus): void {
    const after: Room = { ...ROOM, roomNumber, status };
    const rooms = [...this.#state.rooms.filter((room) => room.roomNumber !== roomNumber), after];
    const facts: Facts = { setup: [{ kind: 'room', id: roomNumber, after }] };
    this.#commit({ type: 'SET_ROOM_STATUS', entity: roomNumber, facts }, { rooms });
  }

  /** Adds rooms, or changes those with these numbers, in one entry. */
  putRooms(rooms: readonly Room[]): void {
    const numbers = new Set(rooms.map(({ roomNumber }) => roomNumber));
    const others = this.#state.rooms.filter(({ roomNumber }) => !numbers.has(roomNumber));
    const facts: Facts = { setup: rooms.map((after) => ({ kind: 'room', id: after.roomNumber, after })) };
    this.#commit({ type: 'PUT_ROOMS', entity: this.propertyId, facts }, { rooms: [...others, ...rooms] });
  }

  removeRoom(roomNumber: string): void {
    const rooms = this.#state.rooms.filter((room) => room.roomNumber !== roomNumber);
    const facts: Facts = { setup: [{ kind: 'room', id: roomNumber, after: null }] };
    this.#commit({ type: 'REMOVE_ROOM', entity: roomNumber, facts }, { rooms });
  }

  /** Rolls the business date: the first night leaves the window. */
  roll(): void {
    const businessDate = this.#state.businessDate + 1;
    this.#commit({ type: 'TICK', entity: 'day', facts: { businessDate } }, { businessDate });
  }

  changeCurrency(currency: string): void {
    const { property } = viewOf({ ...this.#state, currency }).setup;
    const facts: Facts = { setup: [{ kind: 'property', id: this.propertyId, after: property }] };
    this.#commit({ type: 'UPDATE_PROPERTY', entity: this.propertyId, facts }, { currency });
  }

  remove(): void {
    this.#deleted = true;
    const facts: Facts = { setup: [{ kind: 'property', id: this.propertyId, after: null }] };
    this.#commit({ type: 'DELETE_PROPERTY', entity: this.propertyId, facts }, {});
  }

  /** Commits all changes of `work` as one batch: each entry is published with the last view. */
  batch(work: () => void): void {
    this.#gathering = [];
    work();
    const entries = this.#gathering;
    this.#gathering = undefined;
    this.#notify(entries);
  }

  /** The same, but published in pieces, as over a network. */
  async trickle(work: () => void): Promise<void> {
    this.#gathering = [];
    work();
    const entries = this.#gathering;
    this.#gathering = undefined;
    for (const entry of entries) {
      this.#notify([entry]);
      await new Promise((later) => setImmediate(later));
    }
  }

  /** Commits changes of `work` without publishing, as a bug might. */
  swallow(work: () => void): void {
    this.#gathering = [];
    work();
    this.#gathering = undefined;
  }

  /** The actor moves to another node: followers have to subscribe again. */
  lose(meanwhile: () => void = () => {}): void {
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    meanwhile();
    for (const listener of listeners) listener.lost();
  }

  /** History is restored: another generation begins. */
  restore(): void {
    this.lose(() => {
      this.#state = { ...this.#state, generation: this.#state.generation + 1 };
      this.#entries = [];
    });
  }

  /** All cells of the nights of changed ones, in their new state. */
  #withNights(changed: readonly GridCell[]): GridCell[] {
    const placeOf = ({ roomType, day }: GridCell): string => cellId(roomType, day);
    const days = new Set(changed.map(({ day }) => day));
    const others = [...this.#state.cells].filter(([, { day }]) => days.has(day));
    return [...new Map([...others, ...changed.map((cell) => [placeOf(cell), cell] as const)]).values()];
  }

  /** Records the market in the journal. */
  noteMarket(nights: readonly MarketNight[]): void {
    this.#commit({ type: 'NOTE_MARKET', entity: this.propertyId, facts: { market: nights.map(marketFact) } }, {});
  }

  #cell(roomType: string, day: Day): GridCell {
    const cell = this.#state.cells.get(cellId(roomType, day));
    if (!cell) throw new Error(`no cell ${roomType} ${day}`);
    return cell;
  }

  #commit(
    entry: Entry,
    change: Partial<Pick<ScriptedState, 'rooms' | 'businessDate' | 'currency'>> & { cells?: GridCell[] },
  ): void {
    const { cells: changed = [], ...rest } = change;
    const cells = new Map(this.#state.cells);
    for (const cell of changed) cells.set(cellId(cell.roomType, cell.day), cell);
    const seq = this.#state.seq + 1;
    const at = Date.now();
    this.#state = { ...this.#state, ...rest, cells, seq, at };
    this.#states.push(this.#state);
    const written = { ...entry, seq, at, subject: 'test', requestId: 'test', hash: '' };
    this.#entries.push(written);
    if (this.#gathering) this.#gathering.push(written);
    else this.#notify([written]);
  }

  #notify(entries: readonly JournalEntry[]): void {
    const { view } = this;
    for (const listener of this.#listeners) for (const entry of entries) listener.entry(entry, view);
  }
}

const ROOM: Room = { roomNumber: '', roomType: 'STD', floor: 1, status: 'CLEAN', features: [], updatedAt: 0 };

function factOf(cell: GridCell): CellFact {
  return [cell.roomType, cell.day, cell.total, cell.booked, cell.held, cell.blocked, cell.available, cell.rate];
}
