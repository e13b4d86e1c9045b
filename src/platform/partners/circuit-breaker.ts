import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  handleWhenResult,
  type Policy,
} from 'cockatiel';

import type { BreakerState, Delivery } from '../../kernel/ports.ts';

/** Consecutive failures after which calls are rejected for a while. */
const FAILURES = 5;
const BROKEN_MS = 60_000;

const STATES = {
  [CircuitState.Closed]: 'CLOSED',
  [CircuitState.HalfOpen]: 'HALF_OPEN',
  [CircuitState.Open]: 'OPEN',
  [CircuitState.Isolated]: 'OPEN',
} as const;

/** Opens after several consecutive failures of this kind. */
export function breakerOn(failed: Policy, brokenMs = BROKEN_MS): CircuitBreakerPolicy {
  return circuitBreaker(failed, { halfOpenAfter: brokenMs, breaker: new ConsecutiveBreaker(FAILURES) });
}

/** State of a breaker for health. It stays OPEN until a call after its time. */
export const breakerState = ({ state }: CircuitBreakerPolicy): BreakerState => STATES[state];

/** Sends messages, but not to a partner that has just been unavailable several times in a row. */
export class PartnerBreaker {
  readonly #policy: CircuitBreakerPolicy;

  constructor(brokenMs?: number) {
    const failed = handleWhenResult((result) => ['AWAY', 'UNKNOWN'].includes((result as Delivery).outcome));
    this.#policy = breakerOn(failed, brokenMs);
  }

  get breaker(): BreakerState {
    return breakerState(this.#policy);
  }

  async deliver(send: () => Promise<Delivery>): Promise<Delivery> {
    try {
      return await this.#policy.execute(send);
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      return { outcome: 'AWAY', reason: 'left alone for a minute' };
    }
  }
}
