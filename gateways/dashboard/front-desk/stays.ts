import { MAX_NIGHTS } from '../../../src/kernel/rules/stay-days.ts';
import { ApiError } from '../api.ts';
import { addDays } from '../grid/days.ts';
import type { FrontDeskApi } from './api.ts';
import { type ReservationView, type BoardStay, stayOf } from './shapes.ts';

/** Reservations read at the same time. */
const AT_ONCE = 6;
/** With more changed ones, reading the lists is cheaper. */
const MAX_SINGLY = 60;
/** Longest time that a change waits for others read together with it. */
const TOGETHER_MS = 1_500;

type Reach = { today: string; start: string; end: string };

/**
 * Stays of the front desk: read as lists once, then individually as the live feed names them. The display is updated
 * when all of them have been read, so that half a change is never visible.
 */
export class Stays {
  readonly #api: FrontDeskApi;
  readonly #ready: () => void;
  readonly #failed: (error: unknown) => void;
  readonly #stays = new Map<string, BoardStay>();
  readonly #waiting = new Set<string>();
  #reach: Reach | undefined;
  #reading = 0;
  #load = 0;
  #loaded = false;
  #closed = false;
  #patience: ReturnType<typeof setTimeout> | undefined;

  /** @param ready called when everything named by the feed has been read */
  constructor(api: FrontDeskApi, ready: () => void, failed: (error: unknown) => void) {
    this.#api = api;
    this.#ready = ready;
    this.#failed = failed;
  }

  get all(): ReadonlyMap<string, BoardStay> {
    return this.#stays;
  }

  /** Whether everything named by the feed has been read. */
  get isWhole(): boolean {
    return this.#loaded && this.#reading === 0 && this.#waiting.size === 0;
  }

  /** Reads all lists: at the start, for other days, and after a connection with gaps. */
  async load(reach: Reach): Promise<void> {
    const mine = ++this.#load;
    this.#reach = reach;
    try {
      const lists = await Promise.all(queriesOf(reach).map((query) => this.#api.list(query)));
      if (mine !== this.#load || this.#closed) return;
      this.#stays.clear();
      for (const reservation of lists.flat()) this.#put(reservation);
      this.#loaded = true;
      this.#next();
    } catch (error) {
      if (mine === this.#load && !this.#closed) this.#failed(error);
    }
  }

  /** Reservations have changed: reads them again. */
  changed(ids: Iterable<string>): void {
    for (const id of ids) this.#waiting.add(id);
    if (this.#waiting.size > MAX_SINGLY && this.#reach) {
      this.#waiting.clear();
      void this.load(this.#reach);
      return;
    }
    if (this.#waiting.size > 0)
      this.#patience ??= setTimeout(() => {
        this.#patience = undefined;
        if (this.#loaded && !this.#closed) this.#ready();
      }, TOGETHER_MS);
    this.#next();
  }

  /** Stores a reservation that was read for another reason. */
  put(reservation: ReservationView): void {
    this.#put(reservation);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#patience);
  }

  #next(): void {
    if (!this.#loaded || this.#closed) return;
    for (const id of this.#waiting) {
      if (this.#reading >= AT_ONCE) return;
      this.#waiting.delete(id);
      void this.#read(id);
    }
    if (!this.isWhole) return;
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#ready();
  }

  async #read(id: string): Promise<void> {
    this.#reading += 1;
    try {
      this.#put((await this.#api.get(id)).reservation);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'RESERVATION_NOT_FOUND') this.#stays.delete(id);
      else if (!this.#closed) this.#failed(error);
    } finally {
      this.#reading -= 1;
      this.#next();
    }
  }

  /** Ignores an answer that is older than the stored one. */
  #put(reservation: ReservationView): void {
    const known = this.#stays.get(reservation.reservationId);
    if (known && known.updatedAt > reservation.updatedAt) return;
    this.#stays.set(reservation.reservationId, stayOf(reservation));
  }
}

/** Queries for stays on the shown days or today, and overdue departures. */
function queriesOf({ today, start, end }: Reach): Record<string, string>[] {
  const within = (from: string, to: string): Record<string, string> => ({
    arrivalFrom: addDays(from, -MAX_NIGHTS),
    arrivalTo: to,
    departureFrom: from,
  });
  const shown = within(start, end);
  const over = { status: 'CHECKED_IN', departureTo: today };
  return start <= today && today <= end ? [shown, over] : [shown, within(today, today), over];
}
