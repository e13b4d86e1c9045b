import type { Day } from '../../../kernel/rules/dates.ts';

/** Change of the rooms sold for `night` on the day `moment`, negative when it fell. */
export type BookChange = { moment: Day; night: Day; rooms: number };

/** Changes of one night: days with changes, ascending, and sums up to the end of each day. */
type Page = { moments: Day[]; sold: number[]; calledOff: number[] };

/**
 * Rooms sold for each night, as known at the end of every day. Changes may be added in any order, and are cheapest in
 * the order of their days.
 */
export class OnTheBooks {
  readonly #pages = new Map<Day, Page>();
  readonly #lastNight: Day;
  #firstNight = Infinity;
  #firstMoment = Infinity;

  /** @param lastNight last night with complete bookings, where the data ends before them */
  constructor(changes: Iterable<BookChange>, lastNight: Day = Infinity) {
    this.#lastNight = lastNight;
    for (const change of changes) this.add(change);
  }

  /** First night in the books; Infinity in empty books. */
  get firstNight(): Day {
    return this.#firstNight;
  }

  /** First day in the books, which has earlier sales as a single sum. Infinity in empty books. */
  get firstMoment(): Day {
    return this.#firstMoment;
  }

  add({ moment, night, rooms }: BookChange): void {
    this.#firstNight = Math.min(this.#firstNight, night);
    this.#firstMoment = Math.min(this.#firstMoment, moment);
    const page = this.#pages.get(night) ?? { moments: [], sold: [], calledOff: [] };
    this.#pages.set(night, page);
    let index = lastUntil(page.moments, moment);
    if (page.moments[index] !== moment) {
      const sold = page.sold[index] ?? 0;
      const calledOff = page.calledOff[index] ?? 0;
      index += 1;
      page.moments.splice(index, 0, moment);
      page.sold.splice(index, 0, sold);
      page.calledOff.splice(index, 0, calledOff);
    }
    for (; index < page.moments.length; index += 1) {
      page.sold[index]! += rooms;
      page.calledOff[index]! += Math.max(0, -rooms);
    }
  }

  knows(night: Day): boolean {
    return night >= this.#firstNight && night <= this.#lastNight;
  }

  /** Rooms sold for the night as known at the end of the day `moment`; the final number, once the night has passed. */
  known(night: Day, moment: Day): number {
    const page = this.#pages.get(night);
    return page?.sold[lastUntil(page.moments, moment)] ?? 0;
  }

  /** Rooms for the night that had been cancelled by the end of the day `moment`. */
  calledOff(night: Day, moment: Day): number {
    const page = this.#pages.get(night);
    return page?.calledOff[lastUntil(page.moments, moment)] ?? 0;
  }
}

/** Index of the last of ascending days that is not after `moment`; -1 when all are. */
function lastUntil(moments: readonly Day[], moment: Day): number {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (moments[middle]! <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
