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
  /** Checks that the actor still owns the property under this epoch. @throws DomainError when another owner has it */
  owned(epoch: number): void;
  reload(command: CommandOf<'RELOAD'>): Promise<Reply<unknown>>;
  /** Called when external rates were loaded. */
  reloaded(): void;
};

/**
 * How long the rates of one property count as fresh without a check of the database
 * (docs/concepts/actor.md#rate-freshness). Checks happen on reads, so a property without readers costs nothing.
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
   * Must be called before rates are read or sold at. `undefined` means go on, perhaps with a check in the background;
   * otherwise the promise must be awaited. One check runs at a time, for all callers.
   * @throws DomainError STALE when the check does not complete in time
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

  /** The next caller that relies on rates waits for a check. */
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

  /** Never rejects: callers see by the age whether the check succeeded. */
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
        // The property continues with its current rates, and checks again when they are old.
        log.error(
          { property, version: stored.version, error: String(error) },
          'rates that others changed are refused',
        );
        this.#checkedAt = readAt;
        return;
      }
    }
    throw new Error('rates changed repeatedly while they were read');
  }
}

/** Whether the stored rows themselves cannot be loaded, at any attempt: they are invalid or break a rule. */
function isOfTheRows(error: unknown): boolean {
  if (!(error instanceof DomainError)) return true;
  return error.code === 'VALIDATION_FAILED' || error.details.extra?.reason !== undefined;
}

/**
 * Whether a command sells or sets prices by the rates in memory. A verified quote and a hold carry their own rates.
 * Base rates are written as whole nights, so what a command leaves alone is written again.
 */
export function reliesOnRates(command: Command): boolean {
  if (command.type === 'START_BOOKING' || command.type === 'BOOK')
    return command.booking.quote === undefined && command.booking.fromHold === undefined;
  return [
    'BOOK_ROOMS',
    'START_ROOMS',
    'PLACE_HOLD',
    'KEEP_INQUIRY',
    'MODIFY',
    'SET_BASE_RATES',
    'IMPLEMENT_RATES',
    'SET_NIGHT_RATES',
  ].includes(command.type);
}
