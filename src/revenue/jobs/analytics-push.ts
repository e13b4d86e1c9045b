import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import {
  type BreakerState,
  type HealthCheck,
  type Log,
  partnerHealth,
  type PartnerState,
} from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { SingleFlight } from '../../platform/jobs/single-flight.ts';
import { endsWithin } from '../../platform/jobs/within.ts';
import type { TenantStore } from '../../tenants/ports.ts';

type Options = {
  tenants: TenantStore;
  /** Offers what is due of a tenant. */
  push(tenantId: TenantId, signal: AbortSignal): Promise<{ pushed: number; partner: PartnerState }>;
  /** Of the partner, where it has one. */
  breaker?(): BreakerState | undefined;
  log: Log;
  /** Another tenant is through, or has failed by itself. */
  progressed?(): void;
  each?: ItemRunner;
};

/**
 * Looks which reports the analytics service has not taken, tenant by tenant. Reports wait in their table, so nothing is
 * lost with a process; one look at a time.
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

  /** How many reports were taken. */
  look(): Promise<number> {
    return this.#looks.look();
  }

  /** Offers what fell due by a clock that was put forward, and waits for it, but not for long. */
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
      // Nobody else would find it there either.
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
