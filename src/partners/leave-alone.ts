import { BrokenCircuitError, circuitBreaker, ConsecutiveBreaker, handleWhenResult, type Policy } from 'cockatiel';

import type { Delivery } from '../ports/delivery.ts';

/** After so many failures in a row nobody waits for this partner, for a while. */
const FAILURES = 5;
const BROKEN_MS = 60_000;

/** Opens after several such failures in a row. */
export function breakerOn(failed: Policy, brokenMs = BROKEN_MS): ReturnType<typeof circuitBreaker> {
  return circuitBreaker(failed, { halfOpenAfter: brokenMs, breaker: new ConsecutiveBreaker(FAILURES) });
}

/** Hands messages over, but not to a partner that has just been away several times in a row. */
export function leavingAlone(brokenMs?: number): (handOver: () => Promise<Delivery>) => Promise<Delivery> {
  const failed = handleWhenResult((result) => ['AWAY', 'UNKNOWN'].includes((result as Delivery).outcome));
  const policy = breakerOn(failed, brokenMs);
  return async (handOver) => {
    try {
      return await policy.execute(handOver);
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      return { outcome: 'AWAY', reason: 'left alone for a minute' };
    }
  };
}
