import { CLOSE_CODES } from './live-limits.ts';

/** Pauses between attempts to connect, milliseconds. */
export type Pauses = { firstMs: number; maxMs: number };

export const PAUSES: Pauses = { firstMs: 500, maxMs: 15_000 };

/** A client that was closed for being too slow waits as long as after so many failures. */
const TOO_SLOW_COUNTS = 3;

/** Number of attempts that a lost connection counts for. */
export function attemptsFor(code: number): number {
  return code === CLOSE_CODES.tooSlow ? TOO_SLOW_COUNTS : 1;
}

/**
 * Pause before an attempt: doubles from the first one, up to the maximum, and is random between half of it and the
 * whole, so that clients do not all reconnect at the same moment.
 * @param attempt from 1
 * @param chance from 0 to 1
 */
export function pauseBefore(attempt: number, { firstMs, maxMs }: Pauses, chance: number): number {
  const most = Math.min(maxMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return most * (0.5 + chance / 2);
}
