import type { Health, HealthCheck } from '../../kernel/ports.ts';

/** A node without a lease for this long, though one is available, does not recover by itself. */
const STUCK_AFTER_MS = 60_000;
const LOOK_EVERY_MS = 5_000;

type Options = {
  lease: { readonly held: boolean };
  /** @throws when the database does not answer */
  askDatabase(): Promise<unknown>;
  /** {@link STUCK_AFTER_MS} and {@link LOOK_EVERY_MS}, in tests. */
  stuckAfterMs?: number;
  lookEveryMs?: number;
};

/**
 * Component `lease` of liveness: DOWN when no lease can be acquired for 60 s while the database answers, so that the
 * supervisor restarts the process. While the database is away a restart would not help.
 */
export class StuckLease implements Disposable {
  readonly #options: Options;
  readonly #timer: ReturnType<typeof setInterval>;
  #looking = false;
  /** Since when, by `performance.now()`, the database has answered while there was no lease. */
  #stuckSince: number | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#look(), options.lookEveryMs ?? LOOK_EVERY_MS);
    this.#timer.unref?.();
  }

  readonly health: HealthCheck = { essential: true, check: async () => this.#health() };

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #health(): Health {
    const { lease, stuckAfterMs = STUCK_AFTER_MS } = this.#options;
    if (lease.held || this.#stuckSince === undefined) return { status: 'UP' };
    const waitedMs = performance.now() - this.#stuckSince;
    const details = { withoutLeaseSeconds: Math.round(waitedMs / 1_000) };
    return { status: waitedMs > stuckAfterMs ? 'DOWN' : 'UP', details };
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    if (this.#options.lease.held) return void (this.#stuckSince = undefined);
    this.#looking = true;
    try {
      await this.#options.askDatabase();
      this.#stuckSince ??= performance.now();
    } catch {
      this.#stuckSince = undefined;
    } finally {
      this.#looking = false;
    }
  }
}
