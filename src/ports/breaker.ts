/** Whether a partner is asked: as ever, only by the next call, which tells, or by nobody for a while. */
export const BREAKER_STATES = ['CLOSED', 'HALF_OPEN', 'OPEN'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

/** A partner; one in this process has no breaker. */
export interface BehindBreaker {
  readonly breaker?: BreakerState | undefined;
}
