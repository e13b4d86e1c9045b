import { dayNumber, type SmallProperty } from '../cluster/properties.ts';
import type { Kind, Operation, Outcome, Stay } from './history.ts';

/** A change of the rooms of a cell: those of guests, and those blocked for a group. */
type Move = { cell: string; taken?: number; blocked?: number };
type Interval = { from: number; to: number };
type Ended<K extends Outcome['kind']> = Operation & { outcome: Extract<Outcome, { kind: K }> };
/** An operation on cells as a checker of others needs it; `may`: it has its effect or none. */
type CellOperation = {
  f: 'take' | 'give' | 'move' | 'read' | 'other';
  moves?: Move[];
  may?: boolean;
  type: 'ok' | 'fail' | 'info';
  error?: string;
};

const DAY_MS = 86_400_000;
const NS_PER_MS = 1_000_000;
/** Unpaid bookings and holds end by themselves after this time (docs/reference/reservations.md#holds). */
const HOLD_MS = 900_000;
/** Payments of these may be given up after a crash, with their rooms, and begun again by a repeat. */
const PAYS: ReadonlySet<Kind> = new Set(['book', 'book-rooms', 'book-hold']);
const TAKES: ReadonlySet<Kind> = new Set(['book', 'book-unpaid', 'book-rooms', 'hold']);

const isOk = (one: Operation): one is Ended<'ok'> => one.outcome.kind === 'ok';
const isNight = (stay: Stay): boolean => dayNumber(stay.checkOut) - dayNumber(stay.checkIn) === 1;

/** Cells of a stay: `STD 2030-01-01`. */
function cellsOf({ roomType, checkIn, checkOut }: Stay): string[] {
  const [first, end] = [dayNumber(checkIn), dayNumber(checkOut)];
  return Array.from(
    { length: end - first },
    (_, n) => `${roomType} ${new Date((first + n) * DAY_MS).toISOString().slice(0, 10)}`,
  );
}

const movesOf = (stays: readonly Stay[], taken: number): Move[] =>
  stays.flatMap((stay) => cellsOf(stay).map((cell) => ({ cell, taken })));

/**
 * The history of a run in a form that checkers of others read (docs/reference/histories.md#lines): what clients saw, as
 * invocations and completions, and nothing from inside the nodes.
 */
export function neutralHistory(properties: readonly SmallProperty[], operations: readonly Operation[]): string[] {
  const lines: object[] = properties.map(({ propertyId, rooms }) => ({
    type: 'info',
    f: 'open',
    time: 0,
    value: { property: propertyId, totals: rooms },
  }));
  const byProperty = Map.groupBy(operations, ({ property }) => property);
  const events = [...byProperty.values()].flatMap((some) => new PropertyHistory(some).events());
  for (const { line } of events.toSorted((a, b) => a.at - b.at)) lines.push(line);
  return lines.map((line, index) => JSON.stringify({ index, ...line }));
}

/** Of one property: follows what each reservation, hold and group has, as its client learned it. */
class PropertyHistory {
  readonly #operations: readonly Operation[];
  readonly #stays = new Map<string, Stay>();
  readonly #blocks = new Map<string, string>();
  /** Cells of rooms that may be out of order, and when: an answer of sold out there says nothing of guests' rooms. */
  readonly #closed = new Map<string, Interval[]>();
  readonly #events: { at: number; line: object }[] = [];
  #ghosts = 0;

  constructor(operations: readonly Operation[]) {
    // The order in which clients learned: each has its reservations to itself.
    this.#operations = operations.toSorted((a, b) => a.returnedAt - b.returnedAt);
  }

  events(): { at: number; line: object }[] {
    this.#noteClosed();
    for (const one of this.#operations) {
      this.#add(one, this.#cellOperation(one));
      this.#addPossible(one);
    }
    return this.#events;
  }

  #noteClosed(): void {
    const reopened = new Map(
      this.#operations
        .filter(isOk)
        .flatMap(({ kind, target, returnedAt }) =>
          kind === 'reopen' && target !== undefined ? [[target, returnedAt] as const] : [],
        ),
    );
    for (const { kind, rooms = [], invokedAt, outcome } of this.#operations) {
      if (kind !== 'close') continue;
      const entity = outcome.kind === 'ok' ? outcome.entity : undefined;
      const interval = { from: invokedAt, to: reopened.get(entity ?? '') ?? Infinity };
      for (const cell of rooms.flatMap(cellsOf))
        this.#closed.set(cell, [...(this.#closed.get(cell) ?? []), interval]);
    }
  }

  #cellOperation(one: Operation): CellOperation {
    const { kind, outcome } = one;
    if (kind === 'read') return { f: 'read', type: outcome.kind === 'ok' ? 'ok' : 'fail' };
    const type = ({ ok: 'ok', refused: 'fail', unknown: 'info' } as const)[outcome.kind];
    if (TAKES.has(kind)) return this.#taking(one, type);
    if (kind === 'cancel' || kind === 'release') {
      const stay = this.#stays.get(one.target ?? '');
      if (stay === undefined) return { f: 'other', type };
      if (isOk(one)) this.#stays.delete(one.target!);
      return { f: 'give', moves: movesOf([stay], -1), type };
    }
    if (kind === 'modify') return this.#moving(one, type);
    if (kind === 'group') {
      const cells = (one.rooms ?? []).flatMap(cellsOf);
      if (isOk(one) && one.outcome.entity !== undefined) this.#blocks.set(one.outcome.entity, cells[0]!);
      return { f: 'take', moves: cells.map((cell) => ({ cell, blocked: 1 })), type };
    }
    if (kind === 'ungroup') {
      const cell = this.#blocks.get(one.target ?? '');
      return { f: 'give', type, ...(cell !== undefined && { moves: [{ cell, blocked: -1 }] }) };
    }
    // A booking from a hold has the room of the hold already.
    const stay = this.#stays.get(one.target ?? '');
    if (kind === 'book-hold' && isOk(one) && stay !== undefined) {
      this.#stays.delete(one.target!);
      this.#stays.set(one.outcome.entity ?? '', stay);
    }
    return { f: 'other', type };
  }

  #taking(one: Operation, type: CellOperation['type']): CellOperation {
    const stays = one.rooms ?? (one.stay === undefined ? [] : [one.stay]);
    if (isOk(one)) {
      const ids = [one.outcome.entity, ...(one.outcome.others ?? [])];
      for (const [n, stay] of stays.entries()) if (ids[n] !== undefined) this.#stays.set(ids[n], stay);
    }
    const isFull = this.#isFull(one, stays);
    return { f: 'take', moves: movesOf(stays, 1), type, ...(isFull && { error: 'full' }) };
  }

  /** Whether the answer says that one cell was full; of several cells it does not say which. */
  #isFull({ outcome, invokedAt, returnedAt }: Operation, stays: readonly Stay[]): boolean {
    if (outcome.kind !== 'refused' || outcome.code !== 'ROOM_NOT_AVAILABLE') return false;
    if (stays.length !== 1 || !isNight(stays[0]!)) return false;
    const closed = this.#closed.get(cellsOf(stays[0]!)[0]!) ?? [];
    return closed.every(({ from, to }) => to < invokedAt || from > returnedAt);
  }

  #moving(one: Operation, type: CellOperation['type']): CellOperation {
    const before = this.#stays.get(one.target ?? '');
    if (before === undefined || one.stay === undefined) return { f: 'other', type };
    // The room type stays: only dates are changed.
    const after = { ...one.stay, roomType: before.roomType };
    if (isOk(one)) this.#stays.set(one.target!, after);
    const [old, fresh] = [cellsOf(before), cellsOf(after)];
    const moves = [
      ...old.filter((cell) => !fresh.includes(cell)).map((cell) => ({ cell, taken: -1 })),
      ...fresh.filter((cell) => !old.includes(cell)).map((cell) => ({ cell, taken: 1 })),
    ];
    return { f: 'move', moves, type };
  }

  #add(one: Operation, { f, moves, type, error }: CellOperation): void {
    const { id, key, client: process, property, invokedAt, returnedAt, outcome } = one;
    const value = { property, ...(moves && { moves }) };
    this.#event(invokedAt, { type: 'invoke', op: id, process, f, ...(key !== undefined && { key }), value });
    if (type === 'info') return;
    const cells = outcome.kind === 'ok' ? outcome.cells : undefined;
    const seen = cells?.map(({ roomType, date, bookedRooms, heldRooms }) => ({
      cell: `${roomType} ${date}`,
      taken: bookedRooms + heldRooms,
    }));
    const entity = outcome.kind === 'ok' ? outcome.entity : undefined;
    this.#event(returnedAt, {
      type,
      op: id,
      process,
      f,
      ...(entity !== undefined && { entity }),
      ...(error !== undefined && { error }),
      value: { property, ...(seen && { cells: seen }) },
    });
  }

  /** What the service may do by itself: give up a payment and begin again, and end what nobody pays. */
  #addPossible(one: Operation): void {
    const { kind, rooms, stay, tries, outcome, invokedAt, returnedAt, target } = one;
    const stays = rooms ?? (stay === undefined ? [] : [stay]);
    const isClear = tries.length === 1 && outcome.kind === 'ok';
    const isSoldOut = outcome.kind === 'refused' && outcome.code === 'ROOM_NOT_AVAILABLE' && tries.length === 1;
    if (PAYS.has(kind) && !isClear && !isSoldOut) {
      if (kind !== 'book-hold') this.#possible(one, movesOf(stays, 1), invokedAt, returnedAt);
      this.#possible(one, movesOf(stays, -1), invokedAt, kind === 'book-hold' ? undefined : returnedAt);
    }
    const isUnpaid = kind === 'book-unpaid' || kind === 'hold';
    if (isUnpaid && outcome.kind === 'ok') this.#possible(one, movesOf(stays, -1), invokedAt + HOLD_MS);
    const isLate = target !== undefined && invokedAt > HOLD_MS;
    if (isLate && kind === 'book-hold') this.#possible(one, movesOf(stays, 1), invokedAt, returnedAt);
  }

  #possible({ property }: Operation, moves: Move[], from: number, to?: number): void {
    this.#ghosts += 1;
    const [op, process] = [`${property}-service-${this.#ghosts}`, -this.#ghosts];
    const event = { op, process, f: 'service', value: { property, moves, may: true } };
    this.#event(from, { type: 'invoke', ...event });
    if (to !== undefined) this.#event(to, { type: 'ok', ...event });
  }

  #event(at: number, line: object): void {
    this.#events.push({ at, line: { ...line, time: Math.round(at * NS_PER_MS) } });
  }
}
