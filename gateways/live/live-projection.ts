import type { PastRoom } from '../../src/history/rules/past-grid.ts';
import type { LiveView } from '../../src/kernel/property-actors.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import type { JournalEntry } from '../../src/kernel/rules/journal.ts';
import type { MarketNight } from '../../src/rates/rules/competitor-rate.ts';
import type { GridCell } from '../../src/rates/rules/queries.ts';
import { type OtbEntry, nightBook } from '../../src/stay/rules/otb-entry.ts';
import type { CellText, LiveChange, DayTexts } from './change.ts';
import { feedOf } from './feed.ts';
import { cellFrame, cellText, kpiTexts, marketOf, marketText, reshapes, roomsOf, roomText } from './texts.ts';

type Cell = GridCell & { text?: string };
type Night = { total: number; booked: number };

/** State of a dashboard at one `seq`. */
type LiveProjectionState = {
  businessDate: Day;
  currency: string;
  cells: Iterable<GridCell>;
  rooms: Iterable<PastRoom>;
  books: Iterable<OtbEntry>;
  market: Iterable<MarketNight>;
};

/** Bounds that no window reaches: the view clips to its own. */
const FIRST_DAY: Day = 0;
const LAST_DAY: Day = 100_000;

/** State from a committed view, with the market, which the actor does not have. */
export function stateOfView(view: LiveView, market: Iterable<MarketNight>): LiveProjectionState {
  const { businessDate, currency, books, setup } = view;
  return { businessDate, currency, cells: view.grid(FIRST_DAY, LAST_DAY), rooms: setup.rooms, books, market };
}

/**
 * A property as its dashboards see it, advanced entry by entry. The view of the port may already be some entries ahead
 * (a batch commits as a whole); the projection is exact at every `seq`.
 */
export class LiveProjection {
  readonly #businessDate: Day;
  readonly #currency: string;
  readonly #cells = new Map<string, Map<Day, Cell>>();
  readonly #nights = new Map<Day, Night>();
  readonly #books = new Map<Day, OtbEntry>();
  readonly #rooms = new Map<string, string>();
  readonly #market = new Map<string, MarketNight>();

  constructor({ businessDate, currency, cells, rooms, books, market }: LiveProjectionState) {
    this.#businessDate = businessDate;
    this.#currency = currency;
    for (const cell of cells) this.#put(cell);
    for (const book of books) this.#books.set(book.day, book);
    for (const room of rooms) this.#rooms.set(room.roomNumber, roomText(room));
    for (const night of market) this.#putMarket(night);
  }

  /** The known market for nights that a view still shows; empty in another currency. */
  marketFor({ businessDate: from, currency }: LiveView): MarketNight[] {
    if (currency !== this.#currency) return [];
    return [...this.#market.values()].filter(({ day }) => day >= from);
  }

  /** Whether an entry cannot be expressed in patches, so that a new projection and snapshots are needed. */
  isOutgrownBy(entry: JournalEntry): boolean {
    const { businessDate } = entry.facts;
    return (businessDate !== undefined && businessDate !== this.#businessDate) || reshapes(entry);
  }

  /** Applies the market of an entry, for the projection that replaces this one. */
  takeMarket({ facts }: JournalEntry): void {
    for (const night of marketOf(facts)) this.#putMarket(night);
  }

  /** Applies an entry. @returns what it changed */
  advance(entry: JournalEntry): LiveChange {
    const { facts } = entry;
    const cells = (facts.cells ?? []).map((fact) => this.#put(cellFrame(fact)));
    const books = (facts.books ?? []).map(nightBook);
    for (const book of books) this.#books.set(book.day, book);
    const days = [...new Set([...cells, ...books].map(({ day }) => day))].sort((a, b) => a - b);
    const rooms = roomsOf(facts);
    for (const { roomNumber, text } of rooms) this.#rooms.set(roomNumber, text);
    const market = marketOf(facts);
    for (const night of market) this.#putMarket(night);
    return {
      from: entry.seq,
      to: entry.seq,
      at: entry.at,
      cause: { type: entry.type, id: entry.entity },
      grid: cells.map((cell) => ({ roomType: cell.roomType, day: cell.day, text: this.#textOf(cell) })),
      kpi: this.kpi(days),
      rooms,
      competitors: market.map(marketText),
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

  /** Figures of the days that the property has. */
  kpi(days: Iterable<Day>): DayTexts[] {
    const texts: DayTexts[] = [];
    for (const day of days) {
      const night = this.#nights.get(day);
      if (night) texts.push({ day, texts: kpiTexts(night, this.#books.get(day) ?? emptyBook(day)) });
    }
    return texts;
  }

  rooms(): string[] {
    return [...this.#rooms.values()];
  }

  /** Market of both days inclusive, where there are rates. */
  competitors(start: Day, end: Day): string[] {
    const within: CellText[] = [];
    for (const night of this.#market.values())
      if (night.day >= start && night.day <= end) within.push(marketText(night));
    return within.map(({ text }) => text);
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

  #putMarket(night: MarketNight): void {
    const key = `${night.day} ${night.roomType}`;
    if (night.count === 0) this.#market.delete(key);
    else this.#market.set(key, night);
  }

  #textOf(cell: Cell): string {
    return (cell.text ??= cellText(cell, this.#currency));
  }
}

const emptyBook = (day: Day): OtbEntry => ({ day, revenue: 0, pickup: 0, cancelled: 0 });
