import type { BreakerState } from './breaker.ts';
import type { Health, HealthState } from './health-check.ts';

/** Whether a partner answered when it was last asked. */
export type PartnerState = 'NOT_ASKED' | 'ANSWERS' | 'AWAY';

const PARTNER_HEALTH: Readonly<Record<PartnerState, HealthState>> = {
  NOT_ASKED: 'UNKNOWN',
  ANSWERS: 'UP',
  AWAY: 'DOWN',
};

/** What health says of a partner, and of its breaker where it has one. */
export function partnerHealth(state: PartnerState, breaker: BreakerState | undefined): Health {
  return { status: PARTNER_HEALTH[state], ...(breaker && { details: { breaker } }) };
}
