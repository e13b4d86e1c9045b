import { setTimeout as after } from 'node:timers/promises';

import type { Health, HealthCheck, Log } from '../../kernel/ports.ts';
import { type Address, addressKey } from '../../kernel/rules/caller.ts';
import type { Round, Rounds } from '../../kernel/rules/rounds.ts';
import type { Behind, RelayFigures, RelayRound, StoppedProperty } from '../ports.ts';

/** Commits within this time are published together. */
const GATHER_MS = 20;
/** Interval at which unsignalled rows are looked for. */
const SWEEP_MS = 2_000;
/** Interval at which a node without its lease checks whether it has one again. */
const WITHOUT_LEASE_MS = 500;
/** Time limit for a running round at shutdown; what it has not recorded is published again. */
const END_WITHIN_MS = 2_000;
/** Properties found in one sweep, and waiting ones; the next sweep finds the rest. */
const MAX_FOUND = 500;
const MAX_WAITING = 5_000;
/** Properties of one round. */
const MAX_AT_ONCE = 200;
/** Pauses after failures; each is twice the one before. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** Delay before a stopped property is retried: the cause may have been fixed. */
const STOPPED_FOR_MS = 30_000;
/** Stopped properties named by the health check. */
const MAX_NAMED = 20;

type Options = {
  relay(of: readonly Address[]): Promise<RelayRound>;
  behind(limit: number): Promise<Behind[]>;
  /** Whether this node may work: it has its lease. */
  mayWork(): boolean;
  now(): number;
  log: Log;
  /** Watches over the sweep, if given. */
  rounds?: Rounds;
  stoppedForMs?: number;
};

/**
 * Publishes journals to the topics (docs/concepts/events.md#relay): triggered by followers of commits, and by a sweep
 * for commits that were not signalled. One round at a time. Without broker or registry, rows wait in the journal, and
 * bookings continue.
 */
export class Relay implements AsyncDisposable {
  readonly #options: Options;
  readonly #waiting = new Map<string, Address>();
  readonly #stopped = new Map<string, StoppedProperty & { until: number }>();
  #swept: Round | undefined;
  #behind: { rows: number; since: number | undefined } = { rows: 0, since: undefined };
  #sent = 0;
  #trouble: string | undefined;
  #pauseMs = 0;
  #lookAt = 0;
  #ended = false;
  #working: Promise<void> | undefined;
  #wake: () => void = () => undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  begin(): void {
    this.#swept ??= this.#options.rounds?.register('relay', LONGEST_PAUSE_MS);
    this.#working ??= this.#work();
  }

  /** Signals that rows of a property were committed. */
  committed(to: Address): void {
    const key = addressKey(to);
    if (this.#waiting.size < MAX_WAITING && !this.#rests(key)) this.#waiting.set(key, to);
    // No signal is needed between two rounds: the pause gathers commits.
    if (this.#waiting.size === 1) this.#wake();
  }

  get figures(): RelayFigures {
    const { rows, since } = this.#behind;
    const oldestAgeSeconds = since === undefined ? 0 : Math.max(0, (this.#options.now() - since) / 1_000);
    return { lag: rows, oldestAgeSeconds, sent: this.#sent, stopped: this.#stopped.size };
  }

  /** `kafka` of the health (docs/operations/health.md#components): the broker as the relay sees it. */
  readonly health: HealthCheck = { essential: false, check: async () => this.#health() };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    this.#wake();
    const late = new AbortController();
    await Promise.race([this.#working, after(END_WITHIN_MS, undefined, late).catch(() => undefined)]);
    late.abort();
  }

  #health(): Health {
    const { lag, oldestAgeSeconds } = this.figures;
    const stopped = [...this.#stopped.values()].slice(0, MAX_NAMED).map(({ to, seq, why }) => ({ ...to, seq, why }));
    const details = { rowsBehind: lag, oldestAgeSeconds, ...(stopped.length > 0 && { stopped }) };
    if (this.#trouble !== undefined) return { status: 'DOWN', details: { error: this.#trouble, ...details } };
    return { status: stopped.length > 0 ? 'OUT_OF_SERVICE' : 'UP', details };
  }

  async #work(): Promise<void> {
    while (!this.#ended) {
      try {
        if (this.#options.mayWork()) await this.#round();
        else this.#lookAt = performance.now() + WITHOUT_LEASE_MS;
        this.#pauseMs = 0;
        if (this.#trouble !== undefined) this.#options.log.info({}, 'events are published again');
        this.#trouble = undefined;
      } catch (error) {
        this.#fail(error);
      }
      await this.#rest();
    }
  }

  async #round(): Promise<void> {
    const now = performance.now();
    if (now >= this.#lookAt) {
      this.#lookAt = now + SWEEP_MS;
      await this.#sweep();
    }
    const next = [...this.#waiting].slice(0, MAX_AT_ONCE);
    if (next.length === 0) return;
    // Removed first: commits from now on are signalled again.
    for (const [key] of next) this.#waiting.delete(key);
    try {
      const { records, stopped, unfinished: left } = await this.#options.relay(next.map(([, to]) => to));
      this.#sent += records;
      // A retried property stays stopped until it succeeds.
      for (const [key] of next) this.#stopped.delete(key);
      for (const to of left) this.#waiting.set(addressKey(to), to);
      for (const one of stopped) this.#stop(one);
    } catch (error) {
      for (const [key, to] of next) this.#waiting.set(key, to);
      throw error;
    }
  }

  /** Finds unpublished properties, such as after a start, and measures the lag. */
  async #sweep(): Promise<void> {
    // Stopped properties have the longest lag: without room for them no others would be found.
    const behind = await this.#options.behind(MAX_FOUND + this.#stopped.size);
    const since = Math.min(...behind.map(({ since }) => since));
    const rows = behind.reduce((sum, one) => sum + one.rows, 0);
    this.#behind = { rows, since: behind.length > 0 ? since : undefined };
    const found = new Set<string>();
    for (const { to } of behind) {
      const key = addressKey(to);
      found.add(key);
      if (!this.#rests(key)) this.#waiting.set(key, to);
    }
    // Another node owns it now, or has published the rows that stopped it.
    for (const [key, { to }] of this.#stopped)
      if (!found.has(key)) this.#stopped.delete(key);
      else if (this.#rests(key)) this.#swept?.itemRests(nameOf(to));
    this.#swept?.completed();
  }

  #rests(key: string): boolean {
    return performance.now() < (this.#stopped.get(key)?.until ?? 0);
  }

  #stop(one: StoppedProperty): void {
    const key = addressKey(one.to);
    this.#stopped.set(key, { ...one, until: performance.now() + (this.#options.stoppedForMs ?? STOPPED_FOR_MS) });
    this.#swept?.itemFailed(nameOf(one.to), `row ${one.seq}: ${one.why}`);
    this.#options.log.error(
      { property: key, seq: one.seq, why: one.why },
      'events of a property cannot be published',
    );
  }

  #fail(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    if (this.#trouble !== why) this.#options.log.warn({ why }, 'events wait in the journal');
    this.#trouble = why;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2));
  }

  /** Waits until a property waits or the next sweep is due; after a failure, for the whole pause. */
  async #rest(): Promise<void> {
    if (this.#ended) return;
    const idle = this.#waiting.size === 0;
    const wait = this.#pauseMs > 0 ? this.#pauseMs : idle ? Math.max(0, this.#lookAt - performance.now()) : GATHER_MS;
    await new Promise<void>((done) => {
      const timer = setTimeout(done, wait);
      this.#wake = () => {
        // Only the end of the process cuts a pause after a failure short.
        if (!this.#ended && !(idle && this.#pauseMs === 0)) return;
        clearTimeout(timer);
        setTimeout(done, this.#ended ? 0 : GATHER_MS);
      };
    });
    this.#wake = () => undefined;
  }
}

const nameOf = ({ tenantId, propertyId }: Address): string => `${tenantId}/${propertyId}`;
