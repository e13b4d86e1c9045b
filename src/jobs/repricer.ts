import { type Address, addressKey } from '../domain/caller.ts';
import type { JournalEntry } from '../domain/journal.ts';
import type { Log } from '../ports/log.ts';
import type { PropertyView } from '../ports/properties.ts';

/** Bookings of a house that come close together are one reason to look at its demand, and this is how close. */
const GATHER_MS = 1_000;
/** Houses that wait; of more than that the daily look sees to the rest. */
const MOST_WAITING = 1_000;

type Options = { reprice(to: Address): Promise<unknown>; log: Log; gatherMs?: number };

/**
 * Has the demand of a house looked at again when its sales, its rooms or its plans have changed (specification 6.2,
 * `reservation.created` and `availability.updated`), one house after the other. Whoever follows the journal tells it.
 */
export class Repricer implements AsyncDisposable {
  readonly #options: Options;
  /** In the order in which they were noticed. */
  readonly #waiting = new Map<string, Address>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #working: Promise<void> | undefined;
  #ended = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** An entry was committed. What this repricer itself brings about is no reason to look again. */
  told(to: Address, { type, facts }: Pick<JournalEntry, 'type' | 'facts'>, { isDynamic }: PropertyView): void {
    if (!isDynamic || type === 'SET_SIGNALS' || this.#ended) return;
    if (!facts.cells?.length && type !== 'PUT_RATE_PLAN') return;
    if (this.#waiting.size < MOST_WAITING) this.#waiting.set(addressKey(to), to);
    this.#soon();
  }

  /** What waits is done. */
  async done(): Promise<void> {
    while (this.#waiting.size > 0 || this.#working) {
      if (!this.#working) this.#begin();
      await this.#working;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#waiting.clear();
    await this.#working;
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => this.#begin(), this.#options.gatherMs ?? GATHER_MS);
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      if (this.#waiting.size > 0 && !this.#ended) this.#soon();
    });
  }

  async #work(): Promise<void> {
    const { reprice, log } = this.#options;
    const round = [...this.#waiting];
    for (const [key, to] of round) {
      if (this.#ended) return;
      this.#waiting.delete(key);
      await reprice(to).catch((error: unknown) => log.warn({ property: key, error: String(error) }, 'not repriced'));
    }
  }
}
