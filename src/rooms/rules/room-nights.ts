import type { Day } from '../../kernel/rules/dates.ts';
import type { NightRange } from './room-plan.ts';

/** Number of free rooms on each night from `first` on; all are free on nights without stays. */
export class RoomNights {
  readonly #first: Day;
  readonly #rooms: number;
  /** Taken rooms, by night. */
  #taken = new Int32Array(64);

  constructor(first: Day, rooms: number) {
    this.#first = first;
    this.#rooms = rooms;
  }

  /** First of the nights without a free room. */
  firstFull({ from, to }: NightRange): Day | undefined {
    for (let day = from; day < to; day++) if ((this.#taken[day - this.#first] ?? 0) >= this.#rooms) return day;
    return undefined;
  }

  take({ from, to }: NightRange): void {
    const nights = to - this.#first;
    if (nights > this.#taken.length) {
      const longer = new Int32Array(Math.max(nights, 2 * this.#taken.length));
      longer.set(this.#taken);
      this.#taken = longer;
    }
    for (let day = from; day < to; day++) this.#taken[day - this.#first]! += 1;
  }

  /** Takes a room on all of the nights, if one is free on each. */
  tryTake(nights: NightRange): boolean {
    if (this.firstFull(nights) !== undefined) return false;
    this.take(nights);
    return true;
  }
}
