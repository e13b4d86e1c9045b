import type { Log } from '../src/kernel/ports.ts';
import { type Address, addressKey } from '../src/kernel/rules/caller.ts';
import type { Command, CommandOf, Reply } from '../src/kernel/rules/commands.ts';
import { DomainError } from '../src/kernel/rules/domain-error.ts';
import type { PropertyStore } from '../src/property-store/ports.ts';
import { RELOAD_TRIES } from './limits.ts';
import type { RateVersions } from './rate-versions.ts';

type RateFreshnessParts = {
  to: Address;
  store: Pick<PropertyStore, 'rates'>;
  versions: RateVersions;
  log: Log;
  /** When the rates in memory were read, by the clock of `versions`. */
  readAt: number;
  /** Version of the rates that readers see. */
  version(): number;
  /** The property is under this epoch. @throws DomainError when another owner has it */
  owned(epoch: number): void;
  reload(command: CommandOf<'RELOAD'>): Promise<Reply<unknown>>;
  /** Foreign rates were taken over. */
  reloaded(): void;
};

/**
 * How long the rates of one property count as fresh without a check of the database
 * (docs/concepts/actor.md#rate-freshness). Readers check; a property without readers costs nothing.
 */
export class RateFreshness {
  readonly #parts: RateFreshnessParts;
  #checkedAt: number;
  #checking: Promise<void> | undefined;

  constructor(parts: RateFreshnessParts) {
    this.#parts = parts;
    this.#checkedAt = parts.readAt;
  }

  /**
   * To be called before rates are read or sold at. `undefined`: go on, perhaps while they are checked in the
   * background; otherwise to be waited for. There is one check at a time, however many wait.
   * @throws DomainError STALE when the check does not come to an end in time
   */
  check(): Promise<void> | undefined {
    const { versions } = this.#parts;
    const age = this.#age;
    if (age < versions.limits.checkAfterMs) return undefined;
    this.#checking ??= this.#run().finally(() => (this.#checking = undefined));
    if (age < versions.limits.trustMs) return undefined;
    versions.hurry();
    return this.#inTime(this.#checking);
  }

  /** The next who relies on the rates waits until they have been checked. */
  expire(): void {
    this.#checkedAt = -Infinity;
  }

  get #age(): number {
    return this.#parts.versions.now() - this.#checkedAt;
  }

  async #inTime(checking: Promise<void>): Promise<void> {
    const { trustMs, waitMs } = this.#parts.versions.limits;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMs);
    await Promise.race([checking, late]);
    clearTimeout(timer);
    if (this.#age >= trustMs)
      throw new DomainError('STALE', 'The rates could not be verified in time.', { retryAfterSeconds: 1 });
  }

  /** Never fails: who waits sees by the age whether it came to something. */
  async #run(): Promise<void> {
    const { versions, to, log } = this.#parts;
    try {
      const { version, epoch, askedAt } = await versions.ask(to);
      this.#parts.owned(epoch);
      if (version === this.#parts.version()) this.#checkedAt = askedAt;
      else await this.#reload();
    } catch (error) {
      log.debug({ property: addressKey(to), error: String(error) }, 'rates not checked');
    }
  }

  async #reload(): Promise<void> {
    const { store, to, versions, log } = this.#parts;
    const property = addressKey(to);
    for (let tries = 1; tries <= RELOAD_TRIES; tries++) {
      const readAt = versions.now();
      const stored = await store.rates(to);
      try {
        const { seq, result } = await this.#parts.reload({ type: 'RELOAD', stored });
        log.warn({ property, seq, ...(result as object) }, 'rates that others changed were loaded');
        this.#checkedAt = readAt;
        this.#parts.reloaded();
        return;
      } catch (error) {
        if (error instanceof DomainError && error.code === 'RATES_MOVED') continue;
        if (!isOfTheRows(error)) throw error;
        // As good as it gets: the property goes on with what it had, and looks again when that is old.
        log.error(
          { property, version: stored.version, error: String(error) },
          'rates that others changed are refused',
        );
        this.#checkedAt = readAt;
        return;
      }
    }
    throw new Error('rates were set again and again while they were read');
  }
}

/** Whether rows cannot be taken over whenever it is tried: they make no sense, or break something of ours. */
function isOfTheRows(error: unknown): boolean {
  if (!(error instanceof DomainError)) return true;
  return error.code === 'VALIDATION_FAILED' || error.details.extra?.reason !== undefined;
}

/**
 * Whether a command sells or sets prices by the rates in memory. A verified quote and a hold have their own; base
 * rates are written as whole nights, so what a command leaves alone is written again.
 */
export function reliesOnRates(command: Command): boolean {
  if (command.type === 'START_BOOKING' || command.type === 'BOOK')
    return command.booking.quote === undefined && command.booking.fromHold === undefined;
  return ['PLACE_HOLD', 'MODIFY', 'SET_BASE_RATES', 'IMPLEMENT_RATES'].includes(command.type);
}
