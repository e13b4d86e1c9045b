import type { Clock, Log } from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Rounds } from '../../kernel/rules/rounds.ts';
import type { TenantDirectory } from '../../tenants/ports.ts';
import { regularly } from './regularly.ts';
import { RoundRegistry } from './round-registry.ts';
import { TenantRounds } from './tenant-rounds.ts';

/** How often tenants that were changed, by whatever node, are looked for. */
const LOOK_MS = 60_000;

/** A change is seen by several looks: a property that was set up in the moment of it may have missed the first. */
const SEEN_FOR_MS = 3 * LOOK_MS;

/** The first look of a process also sees what the one before it may not have come to. */
const FIRST_MS = 3_600_000;

/** Its regular look. */
export const ROUND = 'tenant-settings';

type Options = {
  tenants: TenantDirectory;
  clock: Clock;
  log: Log;
  /** Applies the current settings of a tenant to its properties. */
  follow(tenantId: TenantId, signal: AbortSignal): Promise<number>;
  /** Where its regular look is registered; without it nobody watches over it. */
  rounds?: Rounds;
  lookMs?: number;
};

/** Has the properties of a tenant follow it: at once where it was changed here, else within a minute. */
export class TenantWatch implements AsyncDisposable {
  readonly #options: Options;
  readonly #rounds: TenantRounds;
  #looking: AsyncDisposable | undefined;
  #first = true;

  constructor(options: Options) {
    this.#options = options;
    this.#rounds = new TenantRounds({
      work: async (tenantId, signal) => ((await options.follow(tenantId, signal)) > 0 ? 'SOME' : 'NOTHING'),
      log: options.log,
      what: 'properties could not follow their tenant',
      failed: (tenantId, error) => options.rounds?.items(ROUND, LOOK_MS).itemFailed(tenantId, error),
    });
  }

  /** @param looks whether it polls for changes of other nodes, or waits for requests */
  begin(looks: 'looks' | 'waits' = 'looks'): void {
    if (looks === 'waits') return;
    const { rounds = new RoundRegistry(), lookMs = LOOK_MS, log } = this.#options;
    this.#looking = regularly(rounds.register(ROUND, lookMs), log, () => this.look(), 'at once');
  }

  ask(tenantId: TenantId): void {
    this.#rounds.ask(tenantId);
  }

  async look(): Promise<void> {
    const { tenants, clock } = this.#options;
    for (const tenantId of await tenants.changedSince(clock.now() - (this.#first ? FIRST_MS : SEEN_FOR_MS)))
      this.#rounds.ask(tenantId);
    this.#first = false;
  }

  /** Resolves after all requests are done. */
  done(): Promise<void> {
    return this.#rounds.done();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#looking?.[Symbol.asyncDispose]();
    await this.#rounds[Symbol.asyncDispose]();
  }
}
