import type { Day } from '../../kernel/rules/dates.ts';
import type { CellFact, Facts } from '../../kernel/rules/journal.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { businessDate, type Instant, type PropertyClock } from '../../kernel/rules/property-time.ts';
import type { Property, Room, RoomStatus, RoomType } from '../../properties/rules/property.ts';
import type { GridCell } from '../../rates/rules/queries.ts';
import { otbFact, type OtbFact, type OtbEntry, nightBook } from '../../stay/rules/otb-entry.ts';

/** Total, booked, held, blocked, available, BAR price or null: a {@link CellFact} without room type and day. */
type Night = readonly [number, number, number, number, number, Minor | null];

/** Members of a property that determine which cells exist, and the defaults of untouched nights. */
type GridProperty = PropertyClock & { today: Day; horizonNights: number; overbookingLimit: number; currency: string };

/** A room in the past: number, type, status, and the reservation in it. */
type RoomFact = [string, string, RoomStatus, string?];
export type PastRoom = Pick<Room, 'roomNumber' | 'roomType' | 'status' | 'reservationId'>;

type TypeRow = { totalRooms: number; first: Day; nights: Night[] };

/**
 * All cells of a property at one `seq`, as plain data: the content of a checkpoint. Equal consecutive nights are one
 * entry, so that an empty year is one entry. Without `house` the property does not exist (not yet, or no more).
 */
export type GridSnapshot = {
  house?: GridProperty;
  roomTypes: { roomType: string; totalRooms: number; first: Day; runs: [nights: number, ...Night][] }[];
  /** By number. */
  rooms: RoomFact[];
  /** Nights with entries on the books, in order. */
  books: OtbFact[];
};

/**
 * Grid of a property, rebuilt from journal rows (docs/concepts/storage.md#history): after every row applied in order it
 * equals the actor's view at that `seq`. Rows have the cells that a command changed; nights that enter and leave the
 * window, and those of a new or removed room type, follow from the rules of `actors/property/properties/setup.ts`.
 */
export class PastGrid {
  #property: GridProperty | undefined;
  readonly #types = new Map<string, TypeRow>();
  readonly #rooms = new Map<string, RoomFact>();
  readonly #books = new Map<Day, OtbEntry>();

  /** @param snapshot where to begin; by default a property before its creation */
  constructor(snapshot?: GridSnapshot) {
    this.#property = snapshot?.house && { ...snapshot.house };
    for (const { roomType, totalRooms, first, runs } of snapshot?.roomTypes ?? []) {
      const nights: Night[] = [];
      for (const [count, total, booked, held, blocked, available, rate] of runs) {
        const night: Night = [total, booked, held, blocked, available, rate];
        for (let n = 0; n < count; n++) nights.push(night);
      }
      this.#types.set(roomType, { totalRooms, first, nights });
    }
    for (const room of snapshot?.rooms ?? []) this.#rooms.set(room[0], room);
    for (const fact of snapshot?.books ?? []) this.#books.set(fact[0], nightBook(fact));
  }

  /** Business date and currency of amounts; `undefined` when the property does not exist. */
  get property(): { businessDate: Day; currency: string } | undefined {
    return this.#property && { businessDate: this.#property.today, currency: this.#property.currency };
  }

  get rooms(): PastRoom[] {
    return [...this.#rooms.values()].map(([roomNumber, roomType, status, reservationId]) => {
      return { roomNumber, roomType, status, reservationId };
    });
  }

  get books(): OtbEntry[] {
    return [...this.#books.values()];
  }

  /** Applies one row. Rows must come in the order of their `seq`, without a gap. */
  apply(at: Instant, facts: Facts): void {
    for (const { kind, id, after } of facts.setup ?? []) {
      if (kind === 'property') this.#putProperty(after as Property | null, at);
      if (kind === 'roomType') this.#putRoomType(id, after as RoomType | null);
      if (kind === 'room') this.#putRoom(id, after as Room | null);
    }
    if (facts.businessDate !== undefined) this.#moveTo(facts.businessDate);
    for (const cell of facts.cells ?? []) this.#putCell(cell);
    for (const fact of facts.books ?? []) this.#books.set(fact[0], nightBook(fact));
  }

  /** Cells of both days inclusive, room type by room type, as in `PropertyView.grid`. */
  cells(start: Day, end: Day, roomType?: string): GridCell[] {
    const cells: GridCell[] = [];
    for (const [type, { first, nights }] of this.#types) {
      if (roomType !== undefined && roomType !== type) continue;
      const last = Math.min(end, first + nights.length - 1);
      for (let day = Math.max(start, first); day <= last; day++) cells.push(cellOf(type, day, nights[day - first]!));
    }
    return cells;
  }

  snapshot(): GridSnapshot {
    const roomTypes = [...this.#types].map(([roomType, { totalRooms, first, nights }]) => ({
      roomType,
      totalRooms,
      first,
      runs: runsOf(nights),
    }));
    const rooms = [...this.#rooms.values()].sort(byNumber);
    const books = this.books.filter(hasAnything).sort((a, b) => a.day - b.day);
    return { house: this.#property, roomTypes, rooms, books: books.map(otbFact) };
  }

  #putProperty(property: Property | null, at: Instant): void {
    if (property === null) {
      this.#property = undefined;
      this.#types.clear();
      this.#rooms.clear();
      this.#books.clear();
      return;
    }
    const { timezone, currency, policies } = property.metadata;
    const { horizonNights, overbookingLimit, nightAuditHour } = policies;
    const today = businessDate(at, { timezone, nightAuditHour });
    const known = { timezone, currency, nightAuditHour, horizonNights, overbookingLimit };
    this.#property = { ...known, today: this.#property?.today ?? today };
    this.#moveTo(Math.max(this.#property.today, today));
  }

  #putRoomType(id: string, roomType: RoomType | null): void {
    if (roomType === null) {
      this.#types.delete(id);
      return;
    }
    const { totalRooms } = roomType;
    const known = this.#types.get(id);
    if (known) known.totalRooms = totalRooms;
    else {
      const { today } = this.#property!;
      this.#types.set(id, { totalRooms, first: today, nights: this.#fresh(totalRooms, this.#end() - today) });
    }
  }

  #putRoom(roomNumber: string, room: Room | null): void {
    if (room === null) this.#rooms.delete(roomNumber);
    else this.#rooms.set(roomNumber, roomFact(room));
  }

  /** The business date rolls: nights leave at one end and enter at the other. */
  #moveTo(today: Day): void {
    if (today !== this.#property!.today) this.#turnBooks(today);
    this.#property!.today = today;
    const horizon = today + this.#property!.horizonNights + 1;
    for (const row of this.#types.values()) {
      const before = row.first + row.nights.length;
      const remaining = row.nights.slice(Math.max(0, today - row.first));
      row.nights = [...remaining, ...this.#fresh(row.totalRooms, Math.max(horizon - Math.max(before, today), 0))];
      row.first = today;
    }
  }

  /** Past nights leave the books, and movements start at zero. */
  #turnBooks(today: Day): void {
    for (const [day, { revenue }] of this.#books) {
      if (day < today) this.#books.delete(day);
      else this.#books.set(day, { day, revenue, pickup: 0, cancelled: 0 });
    }
  }

  /** The day after the last night: the same for all room types; a shorter horizon never moves it back. */
  #end(): Day {
    const { today, horizonNights } = this.#property!;
    const ends = [...this.#types.values()].map(({ first, nights }) => first + nights.length);
    return Math.max(today + horizonNights + 1, ...ends);
  }

  #fresh(total: number, count: number): Night[] {
    const night: Night = [total, 0, 0, 0, total + this.#property!.overbookingLimit, null];
    return repeated(night, count);
  }

  #putCell([roomType, day, total, booked, held, blocked, available, rate]: CellFact): void {
    const { first, nights } = this.#types.get(roomType)!;
    // The row of a restored property has every night, also of a window that is longer than its horizon.
    nights[day - first] = [total, booked, held, blocked, available, rate];
  }
}

/** Snapshot of a property from its actor's view, equal to a rebuilt one. */
export function snapshotOf(
  {
    property,
    rooms,
    books,
    today,
  }: { property: Property; rooms: readonly Room[]; books: readonly OtbEntry[]; today: Day },
  types: readonly { roomType: RoomType; cells: readonly GridCell[] }[],
): GridSnapshot {
  const { timezone, currency, policies } = property.metadata;
  const { nightAuditHour, horizonNights, overbookingLimit } = policies;
  const roomTypes = types.map(({ roomType: { roomType, totalRooms }, cells }) => ({
    roomType,
    totalRooms,
    first: cells[0]?.day ?? today,
    runs: runsOf(
      cells.map((cell) => [cell.total, cell.booked, cell.held, cell.blocked, cell.available, cell.rate] as const),
    ),
  }));
  const described = { timezone, currency, nightAuditHour, horizonNights, overbookingLimit, today };
  return { house: described, roomTypes, rooms: rooms.map(roomFact).sort(byNumber), books: books.map(otbFact) };
}

function roomFact({ roomNumber, roomType, status, reservationId }: PastRoom): RoomFact {
  return reservationId === undefined ? [roomNumber, roomType, status] : [roomNumber, roomType, status, reservationId];
}

const byNumber = ([a]: RoomFact, [b]: RoomFact): number => (a < b ? -1 : 1);

function hasAnything({ revenue, pickup, cancelled }: OtbEntry): boolean {
  return revenue !== 0 || pickup !== 0 || cancelled !== 0;
}

/** Equal nights share one value, which is never modified. */
function repeated(night: Night, count: number): Night[] {
  return Array.from({ length: count }, () => night);
}

function runsOf(nights: readonly Night[]): [number, ...Night][] {
  const runs: [number, ...Night][] = [];
  let before: Night | undefined;
  for (const night of nights) {
    if (before && (before === night || before.every((value, index) => value === night[index]))) runs.at(-1)![0] += 1;
    else runs.push([1, ...night]);
    before = night;
  }
  return runs;
}

function cellOf(roomType: string, day: Day, [total, booked, held, blocked, available, rate]: Night): GridCell {
  return { roomType, day, total, booked, held, blocked, available, rate };
}
