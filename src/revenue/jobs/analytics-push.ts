import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import {
  type BreakerState,
  type HealthCheck,
  type Log,
  partnerHealth,
  type PartnerState,
} from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { endsWithin } from '../../platform/jobs/ends-within.ts';
import { SingleFlight } from '../../platform/jobs/single-flight.ts';
import type { TenantStore } from '../../tenants/ports.ts';

type Options = {
  tenants: TenantStore;
  /** Pushes due reports of a tenant. */
  push(tenantId: TenantId, signal: AbortSignal): Promise<{ pushed: number; partner: PartnerState }>;
  /** Breaker state of the partner, if it has one. */
  breaker?(): BreakerState | undefined;
  log: Log;
  /** Called after each tenant, successful or not. */
  progressed?(): void;
  each?: ItemRunner;
};

/**
 * Pushes reports that the analytics service has not accepted, tenant by tenant. Reports are stored in a table, so a
 * crash loses none; one run at a time.
 */
export class AnalyticsPush implements AsyncDisposable {
  readonly #options: Options;
  readonly #each: ItemRunner;
  readonly #ending = new AbortController();
  #partner: PartnerState = 'NOT_ASKED';
  readonly #looks = new SingleFlight(() => this.#look());

  constructor(options: Options) {
    this.#options = options;
    this.#each = options.each ?? ItemRunner.uncounted(options.log);
  }

  /** Runs a push. @returns number of accepted reports */
  look(): Promise<number> {
    return this.#looks.look();
  }

  /** Pushes reports that fell due when a development clock was put forward; waits for a limited time. */
  async runDue(withinMs: number): Promise<void> {
    this.#each.wake();
    await endsWithin(withinMs, this.#looks.lookAgain());
  }

  /** The component `analytics` of the health. */
  readonly health: HealthCheck = {
    essential: false,
    check: async () => partnerHealth(this.#partner, this.#options.breaker?.()),
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#looks.done();
  }

  async #look(): Promise<number> {
    const { tenants, push } = this.#options;
    const { signal } = this.#ending;
    let taken = 0;
    let isAway = false;
    for (const tenantId of await tenants.running()) {
      // The partner is away for the remaining tenants as well.
      if (signal.aborted || isAway) break;
      await this.#each.one(tenantId, async () => {
        const { pushed, partner } = await push(tenantId, signal);
        taken += pushed;
        if (partner !== 'NOT_ASKED') this.#partner = partner;
        isAway = partner === 'AWAY';
      });
      this.#looks.progressed();
      this.#options.progressed?.();
    }
    return taken;
  }
}
