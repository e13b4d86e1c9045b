import type { HealthState } from './health-check.ts';

/** Whether a partner answered when it was last asked. */
export type PartnerState = 'NOT_ASKED' | 'ANSWERS' | 'AWAY';

/** What health says of a partner. */
export const PARTNER_HEALTH: Readonly<Record<PartnerState, HealthState>> = {
  NOT_ASKED: 'UNKNOWN',
  ANSWERS: 'UP',
  AWAY: 'DOWN',
};
