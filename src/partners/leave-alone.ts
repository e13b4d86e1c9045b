import { BrokenCircuitError, circuitBreaker, ConsecutiveBreaker, handleWhenResult } from 'cockatiel';

import type { Delivery } from '../ports/delivery.ts';

/** After so many failures in a row nobody waits for this partner, for a while. */
const FAILURES = 5;
const BROKEN_MS = 60_000;

/** Hands messages over, but not to a partner that has just been away several times in a row. */
export function leavingAlone(brokenMs = BROKEN_MS): (handOver: () => Promise<Delivery>) => Promise<Delivery> {
  const failed = handleWhenResult((result) => ['AWAY', 'UNKNOWN'].includes((result as Delivery).outcome));
  const policy = circuitBreaker(failed, { halfOpenAfter: brokenMs, breaker: new ConsecutiveBreaker(FAILURES) });
  return async (handOver) => {
    try {
      return await policy.execute(handOver);
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      return { outcome: 'AWAY', reason: 'left alone for a minute' };
    }
  };
}
