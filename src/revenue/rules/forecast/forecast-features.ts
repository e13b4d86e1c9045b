import { type Day, weekdayIndex } from '../../../kernel/rules/dates.ts';
import type { OnTheBooks } from './on-the-books.ts';

/**
 * Columns of the features, in order, so that a simpler model reads a prefix: rooms on the books, then other known
 * values, then the season, then what only trees can use. Values that the books are too young for are NaN.
 */
export const COLUMNS = { onTheBooks: 1, known: 19, withSeason: 23, all: 40 } as const;

/** Recent nights for the mean pickup, and recent days for bookings. */
const RECENT_DAYS = 14;
/** Weeks for the pickup of the same weekday. */
const WEEKS = 8;
/** Nights ahead and days back for the pace of the whole property. */
const PACE_DAYS = 28;
const MOMENTUM_DAYS = [7, 14, 28];
const NEIGHBOURS = [-2, -1, 1, 2];
const FAR_NEIGHBOURS = [-3, 3, -4, 4, -5, 5, -6, 6, -7, 7];
/** Nights on each side for the mean around a night. */
const AROUND = 7;
/** Recent days for mean pickups beside that of {@link RECENT_DAYS}. */
const OTHER_RECENT_DAYS = [7, 28, 56];
/** Nights back, and the part of them that ended with fewer rooms, for what the property can sell. */
const FULL = { nights: 365, share: 0.98 };
const DAYS_OF_YEAR = 365.25;

/**
 * Features of a night so many days before it, from data known at the end of that day. Rows are cached: what was known
 * on a day does not change.
 */
export class ForecastFeatures {
  readonly #books: OnTheBooks;
  readonly #rows = new Map<number, Map<Day, Float64Array>>();
  readonly #wideRows = new Map<number, Map<Day, Float64Array>>();
  readonly #paces = new Map<Day, number>();
  readonly #full = new Map<Day, number>();
  /** By lead: running sums, night by night, of the rooms sold exactly that many days before the night. */
  readonly #sold: { first: Day; sums: number[] }[] = [];

  constructor(books: OnTheBooks) {
    this.#books = books;
  }

  /** Features of a night `lead` days before: those up to the season of {@link COLUMNS}. */
  row(night: Day, lead: number): Float64Array {
    return remembered(this.#rows, lead, night, () => this.#look(night, lead));
  }

  /** All features of a night `lead` days before. */
  wideRow(night: Day, lead: number): Float64Array {
    return remembered(this.#wideRows, lead, night, () =>
      Float64Array.of(...this.row(night, lead), ...this.#lookWider(night, lead)),
    );
  }

  #look(night: Day, lead: number): Float64Array {
    const moment = night - lead;
    const known = this.#books.known(night, moment);
    const weekday = weekdayIndex(night);
    const year = (2 * Math.PI * night) / DAYS_OF_YEAR;
    return Float64Array.of(
      known,
      ...[1, 2, 3, 4, 5, 6].map((day) => (day === weekday ? 1 : 0)),
      this.#recentPickup(moment, lead),
      this.#weekdayPickup(night, moment, lead),
      this.#stillToCome(moment, lead),
      this.#pace(moment),
      ...MOMENTUM_DAYS.map((days) => known - this.#books.known(night, this.#since(moment - days))),
      ...NEIGHBOURS.map((apart) =>
        this.#books.knows(night + apart) ? this.#books.known(night + apart, moment) - known : 0,
      ),
      this.#books.calledOff(night, moment),
      Math.sin(year),
      Math.cos(year),
      Math.sin(2 * year),
      Math.cos(2 * year),
    );
  }

  #lookWider(night: Day, lead: number): number[] {
    const moment = night - lead;
    const known = this.#books.known(night, moment);
    return [
      ...FAR_NEIGHBOURS.map((apart) =>
        this.#books.knows(night + apart) ? this.#books.known(night + apart, moment) - known : NaN,
      ),
      this.#around(night, moment),
      ...OTHER_RECENT_DAYS.map((days) => this.#meanPickup(moment - days, moment - 1, 1, moment, lead)),
      this.#fullAt(moment) - known,
      weekdayIndex(night),
      lead,
    ];
  }

  /** Mean of what is on the books around a night. */
  #around(night: Day, moment: Day): number {
    let sum = 0;
    let nights = 0;
    for (let one = night - AROUND; one <= night + AROUND; one += 1) {
      if (!this.#books.knows(one)) continue;
      sum += this.#books.known(one, moment);
      nights += 1;
    }
    return sum / nights;
  }

  /** Rooms with which the fullest nights of the year before ended; NaN without any. */
  #fullAt(moment: Day): number {
    const remembered = this.#full.get(moment);
    if (remembered !== undefined) return remembered;
    const first = Math.max(this.#books.firstNight, moment - FULL.nights);
    const ends = Number.isFinite(first)
      ? Float64Array.from({ length: Math.max(0, moment - first) }, (_, n) => this.#books.known(first + n, moment))
      : new Float64Array();
    const full = ends.toSorted()[Math.floor(FULL.share * ends.length)] ?? NaN;
    this.#full.set(moment, full);
    return full;
  }

  /** Sales before the first day of the books are a single sum there, without their real dates. */
  #since(moment: Day): Day {
    return Math.max(moment, this.#books.firstMoment);
  }

  /** Mean pickup of recent nights from this lead on. */
  #recentPickup(moment: Day, lead: number): number {
    return this.#meanPickup(moment - RECENT_DAYS, moment - 1, 1, moment, lead);
  }

  /** Mean pickup of the nights of one weekday. */
  #weekdayPickup(night: Day, moment: Day, lead: number): number {
    const last = night - 7 * (Math.floor(lead / 7) + 1);
    return this.#meanPickup(last - 7 * (WEEKS - 1), last, 7, moment, lead);
  }

  #meanPickup(from: Day, to: Day, step: number, moment: Day, lead: number): number {
    let sum = 0;
    let nights = 0;
    for (let night = from; night <= to; night += step) {
      if (night < this.#books.firstNight || night - lead < this.#books.firstMoment) continue;
      sum += this.#books.known(night, moment) - this.#books.known(night, night - lead);
      nights += 1;
    }
    return sum / nights;
  }

  /** Rooms that a night would still sell if each of its remaining days sold like days of the same lead did recently. */
  #stillToCome(moment: Day, lead: number): number {
    let sum = 0;
    for (let ahead = 0; ahead < lead; ahead += 1) {
      const { first, sums } = this.#soldAhead(ahead, moment + ahead);
      const last = sums.length - 1;
      const from = Math.max(moment - RECENT_DAYS + ahead - first + 1, 0);
      const to = Math.min(moment + ahead - first + 1, last);
      if (to <= from) return NaN;
      sum += (sums[to]! - sums[from]!) / (to - from);
    }
    return sum;
  }

  /** Sums of rooms sold `ahead` days before each night, at least until the night `until` where the books have it. */
  #soldAhead(ahead: number, until: Day): { first: Day; sums: number[] } {
    const first = Math.max(this.#books.firstNight, this.#books.firstMoment + ahead + 1);
    const sold = (this.#sold[ahead] ??= { first, sums: [0] });
    for (let night = first + sold.sums.length - 1; night <= until && this.#books.knows(night); night += 1) {
      const day = night - ahead;
      sold.sums.push(sold.sums.at(-1)! + this.#books.known(night, day) - this.#books.known(night, day - 1));
    }
    return sold;
  }

  /** Mean of rooms gained by nights of the coming weeks, over as many past weeks. */
  #pace(moment: Day): number {
    const remembered = this.#paces.get(moment);
    if (remembered !== undefined) return remembered;
    let sum = 0;
    let nights = 0;
    for (let night = moment; night < moment + PACE_DAYS; night += 1) {
      if (!this.#books.knows(night)) continue;
      sum += this.#books.known(night, moment) - this.#books.known(night, this.#since(moment - PACE_DAYS));
      nights += 1;
    }
    const pace = sum / nights;
    this.#paces.set(moment, pace);
    return pace;
  }
}

/** A row from the cache, or one that is made and goes there. */
function remembered(
  rows: Map<number, Map<Day, Float64Array>>,
  lead: number,
  night: Day,
  make: () => Float64Array,
): Float64Array {
  const ofLead = rows.get(lead) ?? new Map<Day, Float64Array>();
  rows.set(lead, ofLead);
  const row = ofLead.get(night) ?? make();
  ofLead.set(night, row);
  return row;
}
