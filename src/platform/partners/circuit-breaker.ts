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

/** After so many failures in a row nobody waits for this partner, for a while. */
const FAILURES = 5;
const BROKEN_MS = 60_000;

const STATES = {
  [CircuitState.Closed]: 'CLOSED',
  [CircuitState.HalfOpen]: 'HALF_OPEN',
  [CircuitState.Open]: 'OPEN',
  [CircuitState.Isolated]: 'OPEN',
} as const;

/** Opens after several such failures in a row. */
export function breakerOn(failed: Policy, brokenMs = BROKEN_MS): CircuitBreakerPolicy {
  return circuitBreaker(failed, { halfOpenAfter: brokenMs, breaker: new ConsecutiveBreaker(FAILURES) });
}

/** What health says of a breaker. It stays OPEN until somebody calls after its time. */
export const breakerState = ({ state }: CircuitBreakerPolicy): BreakerState => STATES[state];

/** Hands messages over, but not to a partner that has just been away several times in a row. */
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
