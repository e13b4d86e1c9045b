import { type Day, formatDay } from '../../src/domain/dates.ts';
import type { JournalEntry } from '../../src/domain/journal.ts';
import { occupancyRate } from '../../src/domain/key-figures.ts';
import type { GridCell } from '../../src/domain/queries.ts';
import type { PropertyView } from '../../src/ports/properties.ts';
import type { Change, DayText } from './change.ts';
import { feedOf } from './feed.ts';
import { cellOf, cellText, reshapes, roomsOf, roomText } from './texts.ts';

type Cell = GridCell & { text?: string };
type Night = { total: number; booked: number };

/** Days that no window reaches: the view clips to what it has. */
const FIRST_DAY: Day = 0;
const LAST_DAY: Day = 100_000;

/**
 * A property as its dashboards see it, moved forward entry by entry. The view of the port may already be some
 * entries ahead when an entry comes (a batch commits as a whole); this is exact at every single number.
 */
export class Board {
  readonly #businessDate: Day;
  readonly #currency: string;
  readonly #cells = new Map<string, Map<Day, Cell>>();
  readonly #nights = new Map<Day, Night>();
  readonly #rooms = new Map<string, string>();

  constructor(view: PropertyView) {
    this.#businessDate = view.businessDate;
    this.#currency = view.currency;
    for (const cell of view.grid(FIRST_DAY, LAST_DAY)) this.#put(cell);
    for (const room of view.setup.rooms) this.#rooms.set(room.roomNumber, roomText(room));
  }

  /** Whether an entry cannot be told in patches, so that a new board and snapshots are needed. */
  isOutgrownBy(entry: JournalEntry): boolean {
    const { businessDate } = entry.facts;
    return (businessDate !== undefined && businessDate !== this.#businessDate) || reshapes(entry);
  }

  /** Takes an entry in and says what it changed. */
  advance(entry: JournalEntry): Change {
    const cells = (entry.facts.cells ?? []).map((fact) => this.#put(cellOf(fact)));
    const days = [...new Set(cells.map(({ day }) => day))].sort((a, b) => a - b);
    const rooms = roomsOf(entry.facts);
    for (const { roomNumber, text } of rooms) this.#rooms.set(roomNumber, text);
    return {
      from: entry.seq,
      to: entry.seq,
      at: entry.at,
      cause: { type: entry.type, id: entry.entity },
      grid: cells.map((cell) => ({ roomType: cell.roomType, day: cell.day, text: this.#textOf(cell) })),
      kpi: this.kpi(days),
      rooms,
      feed: feedOf(entry),
    };
  }

  /** Texts of the cells of both days inclusive, room type by room type. */
  grid(start: Day, end: Day): string[] {
    const texts: string[] = [];
    for (const nights of this.#cells.values()) {
      for (let day = start; day <= end; day++) {
        const cell = nights.get(day);
        if (cell) texts.push(this.#textOf(cell));
      }
    }
    return texts;
  }

  /** The figures of those of the days that the property has. */
  kpi(days: Iterable<Day>): DayText[] {
    const texts: DayText[] = [];
    for (const day of days) {
      const night = this.#nights.get(day);
      if (night) texts.push({ day, text: kpiText(day, night) });
    }
    return texts;
  }

  rooms(): string[] {
    return [...this.#rooms.values()];
  }

  #put(cell: Cell): Cell {
    let nights = this.#cells.get(cell.roomType);
    if (!nights) this.#cells.set(cell.roomType, (nights = new Map()));
    const before = nights.get(cell.day);
    let night = this.#nights.get(cell.day);
    if (!night) this.#nights.set(cell.day, (night = { total: 0, booked: 0 }));
    night.total += cell.total - (before?.total ?? 0);
    night.booked += cell.booked - (before?.booked ?? 0);
    nights.set(cell.day, cell);
    return cell;
  }

  #textOf(cell: Cell): string {
    return (cell.text ??= cellText(cell, this.#currency));
  }
}

/** Pickup and cancellations of the day need counters that the view does not have yet: 0 until it does. */
function kpiText(day: Day, { total, booked }: Night): string {
  return JSON.stringify({
    date: formatDay(day),
    roomsSold: booked,
    roomsAvailable: total,
    occupancyRate: occupancyRate(booked, total),
    pickupToday: 0,
    cancellationsToday: 0,
  });
}
