import type { Instant } from '../../kernel/rules/property-time.ts';
import { type DemoPace, PACE_FACTORS } from './pace.ts';

/** How much faster than the clock guests catch up on the time in which nobody played them. */
const CATCH_UP = 60;

/** The guests' clock after some time: behind the real one it catches up, ahead of it only the pace counts. */
export function advancedClock(clock: Instant, elapsedMs: number, now: Instant, pace: DemoPace): Instant {
  const factor = PACE_FACTORS[pace];
  if (factor === 0) return clock;
  const behind = Math.min(now, clock + elapsedMs * CATCH_UP);
  return Math.max(behind, clock + (clock < now ? 0 : elapsedMs * factor));
}

/**
 * The desk's clock: the time of the day, which runs faster where the pace does, until the day is over.
 * @param since when the pace was set
 * @param midnight the end of the calendar day
 */
export function deskClock(now: Instant, since: Instant, midnight: Instant, pace: DemoPace): Instant {
  const ahead = since + (now - since) * PACE_FACTORS[pace];
  return Math.max(now, Math.min(midnight - 1, ahead));
}
