import type { Day } from '../../kernel/rules/dates.ts';
import type { NightRange } from './room-plan.ts';

/** How many rooms are left on each night from `first` on; nights without stays have all of them. */
export class RoomNights {
  readonly #first: Day;
  readonly #rooms: number;
  /** Rooms that are taken, by night. */
  #taken = new Int32Array(64);

  constructor(first: Day, rooms: number) {
    this.#first = first;
    this.#rooms = rooms;
  }

  /** The first of the nights on which no room is left. */
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

  /** Takes a room on all of the nights, if one is left on each. */
  tryTake(nights: NightRange): boolean {
    if (this.firstFull(nights) !== undefined) return false;
    this.take(nights);
    return true;
  }
}
