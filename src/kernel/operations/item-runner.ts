import type { Log } from '../ports.ts';
import type { Address } from '../rules/caller.ts';
import { isDatabaseUnavailable } from '../rules/database-unavailable.ts';
import type { ReservationId } from '../rules/ids.ts';
import type { RoundItems } from '../rules/rounds.ts';

/** Consecutive failures after which an item is paused; before, it is retried at the next run. */
const RESTS_AFTER = 2;
/** Longest pause of an item, in periods of its round and in milliseconds. */
const MAX_PERIODS = 12;
const LONGEST_REST_MS = 15 * 60_000;
/** An actor reports the same error for a bad row and for an unavailable database: so many in a row mean the latter. */
const MAX_IN_A_ROW = 5;
/** Codes of such errors. */
const ALL_FAIL = new Set<unknown>(['STORE_UNAVAILABLE', 'STORE_READ_ONLY']);
/** Remembered failing items; beyond them the oldest are retried without a pause. */
const MAX_REMEMBERED = 1_000;

/** The name of a reservation as an item of the work of a property; of each kind of work it is an item of its own. */
export const reservationItem = (
  work: string,
  { tenantId, propertyId }: Address,
  reservationId: ReservationId,
): string => `${tenantId}/${propertyId} ${work} of reservation ${reservationId}`;

type Failing = { failures: number; until: number };

/**
 * Runs the items of a regular round one at a time, so that each fails alone: a failure is logged, counted and named,
 * and the others continue. An item that fails repeatedly is retried after growing, bounded pauses, and never given up.
 */
export class ItemRunner {
  readonly #round: RoundItems;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #failing = new Map<string, Failing>();
  #unavailable = 0;

  /** @param now monotonic milliseconds; the process's own, except in tests */
  constructor(round: RoundItems, log: Log, now: () => number = () => performance.now()) {
    this.#round = round;
    this.#log = log;
    this.#now = now;
  }

  /** A runner without a round, for work that a caller waits for. */
  static uncounted(log: Log): ItemRunner {
    const uncounted = { itemFailed: () => undefined, itemRests: () => undefined };
    return new ItemRunner({ name: 'work', everyMs: 0, ...uncounted }, log);
  }

  /**
   * Runs one item.
   * @param item tenant, property or row, as an operator can find it
   * @returns whether it succeeded; false also for a paused one
   * @throws errors that mean an unavailable database: the others would fail too, so the run ends
   */
  async one(item: string, work: () => Promise<unknown>): Promise<boolean> {
    if (this.rests(item)) return false;
    try {
      await work();
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      this.failed(item, error);
      this.#unavailable = ALL_FAIL.has((error as { code?: unknown }).code) ? this.#unavailable + 1 : 0;
      if (this.#unavailable < MAX_IN_A_ROW) return false;
      this.#unavailable = 0;
      throw error;
    }
    this.#unavailable = 0;
    this.#failing.delete(item);
    return true;
  }

  /** Whether an item has failed and is not to be tried in this run. */
  rests(item: string): boolean {
    const rests = (this.#failing.get(item)?.until ?? -Infinity) > this.#now();
    if (rests) this.#round.itemRests(item);
    return rests;
  }

  /** Records a failure of an item that other code processed. */
  failed(item: string, error: unknown): void {
    const failures = (this.#failing.get(item)?.failures ?? 0) + 1;
    this.#failing.delete(item);
    if (this.#failing.size >= MAX_REMEMBERED) this.#failing.delete(this.#failing.keys().next().value!);
    this.#failing.set(item, { failures, until: this.#now() + this.#restMs(failures) });
    this.#round.itemFailed(item, error);
    const facts = { round: this.#round.name, item, failures, error: String(error) };
    this.#log.warn(facts, 'an item of a regular round failed; the others go on, and it is tried again');
  }

  /** Number of paused items: callers request as many more, since paused ones take places on a page. */
  get resting(): number {
    const now = this.#now();
    return [...this.#failing.values()].filter(({ until }) => until > now).length;
  }

  /** Ends all pauses after the development clock was moved. */
  wake(): void {
    for (const one of this.#failing.values()) one.until = 0;
  }

  #restMs(failures: number): number {
    if (failures < RESTS_AFTER) return 0;
    const { everyMs } = this.#round;
    const longest = Math.min(LONGEST_REST_MS, MAX_PERIODS * everyMs);
    return Math.min(longest, everyMs * 2 ** Math.min(failures - RESTS_AFTER + 1, 20));
  }
}
