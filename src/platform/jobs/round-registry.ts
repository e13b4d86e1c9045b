import type { Health, HealthCheck } from '../../kernel/ports.ts';
import { isLate, type Round, type RoundFigures, type RoundItems, type Rounds } from '../../kernel/rules/rounds.ts';

/** Length of error texts in health; the log has them in full. */
const MAX_ERROR_CHARACTERS = 300;
/** Named failed items. */
const MAX_NAMED = 20;

/**
 * Registers every regular round of this node with the age of its last completed run: health component `rounds`, gauge
 * `jobs.round.age`. A round that no longer runs shows here, whatever its queue or timer says.
 */
export class RoundRegistry implements Rounds {
  readonly #now: () => number;
  readonly #rounds = new Map<string, RegisteredRound>();

  /** @param now monotonic milliseconds; the process's own, except in tests */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  register(name: string, everyMs: number): Round {
    if (this.#rounds.has(name)) throw new Error(`round ${name} is registered already`);
    const round = new RegisteredRound(name, everyMs, this.#now);
    this.#rounds.set(name, round);
    return round;
  }

  items(name: string, everyMs: number): RoundItems {
    const round = (): Round | undefined => this.#rounds.get(name);
    return {
      name,
      everyMs,
      itemFailed: (item, error) => round()?.itemFailed(item, error),
      itemRests: (item) => round()?.itemRests(item),
    };
  }

  /** Every round, in the order of registration. */
  figures(): RoundFigures[] {
    return [...this.#rounds.values()].map((round) => round.figures);
  }

  /** DOWN when a round is late, UNKNOWN before the first has run. It takes no requests away from this node. */
  readonly health: HealthCheck = { essential: false, check: async () => this.#health() };

  #health(): Health {
    const all = this.figures();
    const late = all.filter(isLate);
    const failing = all.filter(({ error }) => error !== undefined);
    const details = {
      ...(late.length > 0 && { late: late.map(({ name, ageSeconds, everyMs }) => ({ name, ageSeconds, everyMs })) }),
      ...(failing.length > 0 && {
        failing: failing.map(({ name, failures, error, failedItems }) => ({ name, failures, error, failedItems })),
      }),
      ages: Object.fromEntries(all.map(({ name, ageSeconds }) => [name, Math.round(ageSeconds)])),
    };
    if (late.length > 0) return { status: 'DOWN', details };
    return { status: all.some(({ hasRun }) => hasRun) ? 'UP' : 'UNKNOWN', details };
  }
}

class RegisteredRound implements Round {
  readonly name: string;
  readonly everyMs: number;
  readonly #now: () => number;
  #completedAt: number;
  #hasRun = false;
  #tookMs: number | undefined;
  #failures = 0;
  #rescues = 0;
  #error: string | undefined;
  #failedSinceCompleted = false;
  /** Failed items of the run under way, and of the last one. */
  #items = new Set<string>();
  #itemsBefore = new Set<string>();

  constructor(name: string, everyMs: number, now: () => number) {
    this.name = name;
    this.everyMs = everyMs;
    this.#now = now;
    this.#completedAt = now();
  }

  get figures(): RoundFigures {
    const named = this.#itemsBefore.union(this.#items);
    return {
      name: this.name,
      everyMs: this.everyMs,
      hasRun: this.#hasRun,
      failures: this.#failures,
      rescues: this.#rescues,
      ageSeconds: Math.max(0, this.#now() - this.#completedAt) / 1_000,
      ...(this.#tookMs !== undefined && { tookMs: this.#tookMs }),
      ...(this.#error !== undefined && { error: this.#error }),
      ...(named.size > 0 && { failedItems: [...named] }),
    };
  }

  completed(ageMs = 0, tookMs?: number): void {
    this.#tookMs = tookMs ?? this.#tookMs;
    const at = this.#now() - ageMs;
    if (this.#hasRun && at < this.#completedAt) return;
    this.#completedAt = at;
    this.#hasRun = true;
    if (!this.#failedSinceCompleted) this.#error = undefined;
    this.#failedSinceCompleted = false;
    [this.#itemsBefore, this.#items] = [this.#items, new Set()];
  }

  progressed(ageMs = 0): void {
    this.#completedAt = Math.max(this.#completedAt, this.#now() - ageMs);
  }

  rescued(): void {
    this.#rescues += 1;
  }

  failed(error: unknown): void {
    this.#failures += 1;
    this.#failedSinceCompleted = true;
    this.#error = textOf(error);
  }

  itemFailed(item: string, error: unknown): void {
    this.failed(`${item}: ${textOf(error)}`);
    this.#name(item);
  }

  itemRests(item: string): void {
    this.#failedSinceCompleted = true;
    this.#name(item);
  }

  #name(item: string): void {
    if (this.#items.size < MAX_NAMED) this.#items.add(item);
  }
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, MAX_ERROR_CHARACTERS);
}
