import type { Log } from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';

/** Time in which requests are collected into one round. */
const GATHER_MS = 250;

/** Result of a round of a tenant; with MORE it continues after other tenants. */
export type RoundResult = 'NOTHING' | 'SOME' | 'MORE';

type Options = {
  /** Works for one tenant, for a while. */
  work(tenantId: TenantId, signal: AbortSignal): Promise<RoundResult>;
  log: Log;
  /** Log message of a failure. */
  what: string;
  /** Called with each failed round. */
  failed?(tenantId: TenantId, error: unknown): void;
  gatherMs?: number;
  /** Pause after a round of this duration: rounds run beside bookings, and must leave them capacity. */
  restMs?(tookMs: number): number;
};

/** Background work by tenant: one at a time, each tenant once, until none waits. */
export class TenantRounds implements AsyncDisposable {
  readonly #options: Options;
  /** In order of requests. */
  readonly #waiting = new Set<string>();
  readonly #ending = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #working: Promise<void> | undefined;
  /** Callers that wait for the end: pauses are skipped then. */
  #awaited = 0;
  #wake: (() => void) | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** A request from another code path costs it no more than this. */
  ask(tenantId: TenantId): void {
    if (this.#ending.signal.aborted) return;
    this.#waiting.add(tenantId);
    if (!this.#working) this.#beginSoon();
  }

  /** Runs everything requested so far or meanwhile, without pauses. */
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
      // Requested after the last round ended and before this call did.
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
        const round = await work(tenantId, signal);
        if (round === 'NOTHING') continue;
        // Added at the end, which this loop reaches.
        if (round === 'MORE') this.#waiting.add(tenantId);
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
