import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { RequestCounter, RequestCounters } from '../../src/platform/coordination/ports.ts';

/** Window of the count, in seconds. */
const MINUTE = 60;
/** Multiple of the limit from which requests are refused before they are read. */
const HARD_FACTOR = 2;

/** Requests of an agent in a minute (docs/reference/mcp.md#limits). */
export class AgentLimits {
  readonly #perMinute: number;
  readonly #counter: RequestCounter;

  /** @param perMinute 0 for no limit */
  constructor(perMinute: number, counters: RequestCounters) {
    this.#perMinute = perMinute;
    this.#counter = counters('agent', MINUTE);
  }

  /**
   * Counts a request. An agent that goes on beyond its limit reads in the answer of its tool how long to wait: most
   * programs would take a failed request for a broken connection, and try again at once.
   * @returns the error for the tool, beyond the limit
   * @throws DomainError QUOTA_EXCEEDED beyond twice the limit
   */
  async count(agent: string): Promise<DomainError | undefined> {
    if (this.#perMinute === 0) return undefined;
    const { used, resetMs } = this.#counter.count(agent);
    if (used <= this.#perMinute) return undefined;
    const retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1000));
    const detail = `More than ${this.#perMinute} requests a minute: wait ${retryAfterSeconds} s before the next one.`;
    const refused = new DomainError('QUOTA_EXCEEDED', detail, {
      retryAfterSeconds,
      extra: { limit: this.#perMinute },
    });
    if (used > this.#perMinute * HARD_FACTOR) throw refused;
    return refused;
  }
}
