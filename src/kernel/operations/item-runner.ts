import type { Log } from '../ports.ts';
import { isAway } from '../rules/away.ts';
import type { RoundItems } from '../rules/rounds.ts';

/** Failures in a row after which an item rests, so that a transient one is tried again at the next run. */
const RESTS_AFTER = 2;
/** The longest rest of an item, in periods of its round, and in milliseconds. */
const MOST_PERIODS = 12;
const LONGEST_REST_MS = 15 * 60_000;
/**
 * An actor that cannot read says the same of a bad row and of a database that is away: so many in a row are the
 * latter.
 */
const MOST_IN_A_ROW = 5;
/** Failing items that are remembered; of more than that the oldest ones are tried again without a rest. */
const MOST_REMEMBERED = 1_000;

type Failing = { failures: number; until: number };

/**
 * Does the items of a regular round one at a time, so that each fails alone: a failure is logged, counted and named,
 * and the others go on. One that fails again and again rests for longer and longer, with a bound, and is never given
 * up.
 */
export class ItemRunner {
  readonly #round: RoundItems;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #failing = new Map<string, Failing>();
  #unavailable = 0;

  /** @param now milliseconds that only go forward; the process's own, except in tests */
  constructor(round: RoundItems, log: Log, now: () => number = () => performance.now()) {
    this.#round = round;
    this.#log = log;
    this.#now = now;
  }

  /** Without a round that counts: for work that somebody waits for. */
  static uncounted(log: Log): ItemRunner {
    const uncounted = { itemFailed: () => undefined, itemRests: () => undefined };
    return new ItemRunner({ name: 'work', everyMs: 0, ...uncounted }, log);
  }

  /**
   * Does the work of one item.
   * @param item which tenant, property or row it is, as the operator can find it
   * @returns whether it went through; false also for one that rests
   * @throws what says that the database is away: the others would fail the same way, and the run ends
   */
  async one(item: string, work: () => Promise<unknown>): Promise<boolean> {
    const before = this.#failing.get(item);
    if (before && before.until > this.#now()) {
      this.#round.itemRests(item);
      return false;
    }
    try {
      await work();
    } catch (error) {
      if (isAway(error)) throw error;
      this.failed(item, error);
      this.#unavailable = (error as { code?: unknown }).code === 'STORE_UNAVAILABLE' ? this.#unavailable + 1 : 0;
      if (this.#unavailable < MOST_IN_A_ROW) return false;
      this.#unavailable = 0;
      throw error;
    }
    this.#unavailable = 0;
    this.#failing.delete(item);
    return true;
  }

  /** Notes a failure of an item that is processed by other code. */
  failed(item: string, error: unknown): void {
    const failures = (this.#failing.get(item)?.failures ?? 0) + 1;
    this.#failing.delete(item);
    if (this.#failing.size >= MOST_REMEMBERED) this.#failing.delete(this.#failing.keys().next().value!);
    this.#failing.set(item, { failures, until: this.#now() + this.#restMs(failures) });
    this.#round.itemFailed(item, error);
    const facts = { round: this.#round.name, item, failures, error: String(error) };
    this.#log.warn(facts, 'an item of a regular round failed; the others go on, and it is tried again');
  }

  /** Paused items: so many more are requested, or they would displace others from a page. */
  get resting(): number {
    const now = this.#now();
    return [...this.#failing.values()].filter(({ until }) => until > now).length;
  }

  /** Time has jumped (development clock): whatever rests is tried at once. */
  wake(): void {
    for (const one of this.#failing.values()) one.until = 0;
  }

  #restMs(failures: number): number {
    if (failures < RESTS_AFTER) return 0;
    const { everyMs } = this.#round;
    const longest = Math.min(LONGEST_REST_MS, MOST_PERIODS * everyMs);
    return Math.min(longest, everyMs * 2 ** Math.min(failures - RESTS_AFTER + 1, 20));
  }
}
