import type { Clock, Log } from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Rounds } from '../../kernel/rules/rounds.ts';
import type { TenantDirectory } from '../../tenants/ports.ts';
import { regularly } from './regularly.ts';
import { RoundRegistry } from './round-registry.ts';
import { TenantRounds } from './tenant-rounds.ts';

/** Interval of checking for tenants changed by any node. */
const LOOK_MS = 60_000;

/** Several checks see a change: a property created at the same moment may have missed the first. */
const SEEN_FOR_MS = 3 * LOOK_MS;

/** The first check of a process also covers what the previous process may have missed. */
const FIRST_MS = 3_600_000;

/** Name of the round. */
export const ROUND = 'tenant-settings';

type Options = {
  tenants: TenantDirectory;
  clock: Clock;
  log: Log;
  /** Applies the current settings of a tenant to its properties. */
  follow(tenantId: TenantId, signal: AbortSignal): Promise<number>;
  /** Registers the round; without it nobody checks it. */
  rounds?: Rounds;
  lookMs?: number;
};

/**
 * Applies changed tenant settings to the tenant's properties: at once for changes on this node, else within a minute.
 */
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
