import type { Health, HealthCheck } from '../ports/health-check.ts';
import type { Log } from '../ports/log.ts';
import type { Tenants } from '../ports/tenants.ts';
import { within } from './within.ts';

/** Whether the service answered when it was last asked. */
type Partner = 'NOT_ASKED' | 'ANSWERS' | 'AWAY';

type Options = {
  tenants: Tenants;
  /** Offers what is due of a tenant. */
  push(tenantId: string, signal: AbortSignal): Promise<{ pushed: number; partner: Partner }>;
  log: Log;
};

/**
 * Looks which reports the analytics service has not taken, tenant by tenant. Reports wait in their table, so nothing is
 * lost with a process; one look at a time.
 */
export class AnalyticsPush implements AsyncDisposable {
  readonly #options: Options;
  readonly #ending = new AbortController();
  #partner: Partner = 'NOT_ASKED';
  #looking: Promise<number> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** How many reports were taken. */
  look(): Promise<number> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** Offers what fell due by a clock that was put forward, and waits for it, but not for long. */
  async runDue(withinMs: number): Promise<void> {
    const looked = async (): Promise<void> => {
      // A look under way may have asked before the clock moved.
      await this.#looking?.catch(() => undefined);
      await this.look();
    };
    await within(withinMs, looked());
  }

  /** The component `analytics` of the health. */
  readonly health: HealthCheck = {
    essential: false,
    check: async (): Promise<Health> => ({ status: STATUS[this.#partner] }),
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#looking?.catch(() => undefined);
  }

  async #look(): Promise<number> {
    const { tenants, push, log } = this.#options;
    const { signal } = this.#ending;
    let taken = 0;
    for (const tenantId of await tenants.running()) {
      if (signal.aborted) break;
      try {
        const { pushed, partner } = await push(tenantId, signal);
        taken += pushed;
        if (partner !== 'NOT_ASKED') this.#partner = partner;
        // Nobody else would find it there either.
        if (partner === 'AWAY') break;
      } catch (error) {
        if (!signal.aborted) log.warn({ tenantId, error: String(error) }, 'reports are pushed later');
      }
    }
    return taken;
  }
}

const STATUS = { NOT_ASKED: 'UNKNOWN', ANSWERS: 'UP', AWAY: 'DOWN' } as const;
