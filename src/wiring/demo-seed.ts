import type { Health, HealthCheck, Log } from '../kernel/ports.ts';

type DemoSeedTimes = {
  /** How long a start waits for the demo data, which continues in the background. */
  startWaitsMs: number;
  /** Pause before the second attempt; each following one is twice as long. */
  firstPauseMs: number;
  longestPauseMs: number;
  maxAttempts: number;
};

const TIMES: DemoSeedTimes = {
  startWaitsMs: 30_000,
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
  maxAttempts: 20,
};

/**
 * Creates the demo data, on which no start may depend: failures are logged, shown in health, and retried in the
 * background a bounded number of times.
 */
export class DemoSeed implements AsyncDisposable {
  readonly health: HealthCheck = { essential: false, check: async () => this.#shown() };
  readonly #log: Log;
  readonly #times: DemoSeedTimes;
  #health: Health = { status: 'UNKNOWN' };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> = Promise.resolve();
  #ended = false;

  readonly #progress: () => Record<string, string>;

  /** @param progress what of the data is still being written, in the background */
  constructor(log: Log, times: Partial<DemoSeedTimes> = {}, progress: () => Record<string, string> = () => ({})) {
    this.#log = log;
    this.#progress = progress;
    this.#times = { ...TIMES, ...times };
  }

  /** Resolves when the data exists, could not be created now, or takes too long; never rejects. */
  async begin(seed: () => Promise<void>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#times.startWaitsMs);
    });
    this.#running = this.#attempt(seed, 1);
    await Promise.race([this.#running, late]);
    clearTimeout(timer);
  }

  /** Does not wait for an attempt: it may hang, and can be interrupted at any point. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #shown(): Health {
    const writing = this.#progress();
    if (this.#health.status !== 'UP' || Object.keys(writing).length === 0) return this.#health;
    return { ...this.#health, details: { writing } };
  }

  async #attempt(seed: () => Promise<void>, attempt: number): Promise<void> {
    try {
      await seed();
      if (attempt > 1) this.#log.info({ attempt }, 'the demo data is there now');
      this.#health = { status: 'UP' };
    } catch (error) {
      if (!this.#ended) this.#failed(seed, attempt, error);
    }
  }

  #failed(seed: () => Promise<void>, attempt: number, error: unknown): void {
    const { firstPauseMs, longestPauseMs, maxAttempts } = this.#times;
    const isLast = attempt >= maxAttempts;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
    const next = isLast ? 'it is not tried again before the next start' : `it is tried again in ${pauseMs / 1_000} s`;
    this.#health = { status: 'DOWN', details: { attempts: attempt, error: String(error), next } };
    this.#log.warn({ attempt, err: error }, `the demo data could not be put there; the service goes on, ${next}`);
    if (isLast) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#attempt(seed, attempt + 1);
    }, pauseMs);
    this.#timer.unref();
  }
}
