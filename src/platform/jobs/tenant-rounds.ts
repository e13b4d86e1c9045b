import type { Log } from '../../kernel/ports.ts';

/** What is asked for meanwhile waits so long, so that much of it becomes one round. */
const GATHER_MS = 250;

/** What was done in a turn; MORE is left, and comes after the turns of others. */
export type RoundResult = 'NOTHING' | 'SOME' | 'MORE';

type Options = {
  /** Works for one tenant, for a while. */
  work(tenantId: string, signal: AbortSignal): Promise<RoundResult>;
  log: Log;
  /** What failed, in the log. */
  what: string;
  /** Told of each turn that failed. */
  failed?(tenantId: string, error: unknown): void;
  gatherMs?: number;
  /** How long to rest after a turn that took so long: this goes on beside bookings, and must leave them room. */
  restMs?(tookMs: number): number;
};

/** Work in the background that is asked for by tenant: one at a time, each tenant once, until nobody waits. */
export class TenantRounds implements AsyncDisposable {
  readonly #options: Options;
  /** In the order in which they asked. */
  readonly #waiting = new Set<string>();
  readonly #ending = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #working: Promise<void> | undefined;
  /** Who waits for the end: nobody rests then. */
  #awaited = 0;
  #wake: (() => void) | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Asked for beside the work of others: costs them no more than this. */
  ask(tenantId: string): void {
    if (this.#ending.signal.aborted) return;
    this.#waiting.add(tenantId);
    if (!this.#working) this.#beginSoon();
  }

  /** All that was asked for so far, or while it was done, is done, without a rest. */
  async done(): Promise<void> {
    this.#awaited += 1;
    this.#wake?.();
    while ((this.#waiting.size > 0 || this.#working) && !this.#ending.signal.aborted) {
      this.#begin();
      await this.#working;
    }
    this.#awaited -= 1;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    this.#wake?.();
    clearTimeout(this.#timer);
    await this.#working;
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      // Asked for when the last turn was over, and this was not yet.
      if (this.#waiting.size > 0 && !this.#ending.signal.aborted) this.#beginSoon();
    });
  }

  #beginSoon(): void {
    this.#timer ??= setTimeout(() => this.#begin(), this.#options.gatherMs ?? GATHER_MS);
  }

  async #work(): Promise<void> {
    const { work, log, what, restMs, failed } = this.#options;
    const { signal } = this.#ending;
    for (const tenantId of this.#waiting) {
      if (signal.aborted) return;
      this.#waiting.delete(tenantId);
      const began = performance.now();
      try {
        const turn = await work(tenantId, signal);
        if (turn === 'NOTHING') continue;
        // Added again at the end, which this loop comes to.
        if (turn === 'MORE') this.#waiting.add(tenantId);
      } catch (error) {
        log.warn({ tenantId, error: String(error) }, what);
        failed?.(tenantId, error);
      }
      if (restMs && this.#waiting.size > 0) await this.#rest(restMs(performance.now() - began));
    }
  }

  async #rest(ms: number): Promise<void> {
    if (this.#awaited > 0 || this.#ending.signal.aborted) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((wake) => {
      this.#wake = wake;
      timer = setTimeout(wake, ms);
    });
    clearTimeout(timer);
    this.#wake = undefined;
  }
}
