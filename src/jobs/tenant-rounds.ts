import type { Log } from '../ports/log.ts';

/** What is asked for meanwhile waits so long, so that much of it becomes one round. */
const GATHER_MS = 250;

type Options = {
  /** Works for one tenant; says whether there is more to do for it, which comes after the others' turns. */
  work(tenantId: string, signal: AbortSignal): Promise<boolean>;
  log: Log;
  /** What failed, in the log. */
  what: string;
  gatherMs?: number;
  /** Between two turns: this goes on beside bookings, and must leave them room. */
  pauseMs?: number;
};

/** Work in the background that is asked for by tenant: one at a time, each tenant once, until nobody waits. */
export class TenantRounds implements AsyncDisposable {
  readonly #options: Options;
  /** In the order in which they asked. */
  readonly #waiting = new Set<string>();
  readonly #ending = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #working: Promise<void> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Asked for beside the work of others: costs them no more than this. */
  ask(tenantId: string): void {
    if (this.#ending.signal.aborted) return;
    this.#waiting.add(tenantId);
    if (!this.#working) this.#timer ??= setTimeout(() => this.#begin(), this.#options.gatherMs ?? GATHER_MS);
  }

  /** All that was asked for so far, or while it was done, is done. */
  async done(): Promise<void> {
    while ((this.#waiting.size > 0 || this.#working) && !this.#ending.signal.aborted) {
      this.#begin();
      await this.#working;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    await this.#working;
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#working ??= this.#work().finally(() => (this.#working = undefined));
  }

  async #work(): Promise<void> {
    const { work, log, what, pauseMs } = this.#options;
    const { signal } = this.#ending;
    for (const tenantId of this.#waiting) {
      if (signal.aborted) return;
      this.#waiting.delete(tenantId);
      try {
        // Added again at the end, which this loop comes to.
        if (await work(tenantId, signal)) this.#waiting.add(tenantId);
      } catch (error) {
        log.warn({ tenantId, error: String(error) }, what);
      }
      if (pauseMs !== undefined && this.#waiting.size > 0) await rest(pauseMs, signal);
    }
  }
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const over = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener('abort', over);
  });
}
