import { CLOSE_CODES } from './live-limits.ts';

/** Pauses between attempts to connect, milliseconds. */
export type Pauses = { firstMs: number; mostMs: number };

export const PAUSES: Pauses = { firstMs: 500, mostMs: 15_000 };

/** Who was closed for being too slow comes back as late as after so many failures: at once he would be it again. */
const TOO_SLOW_COUNTS = 3;

/** How many attempts a lost connection counts for. */
export function attemptsFor(code: number): number {
  return code === CLOSE_CODES.tooSlow ? TOO_SLOW_COUNTS : 1;
}

/**
 * How long to wait before an attempt: doubling from the first one, up to the most, and by chance between half of it
 * and the whole, so that a server which comes back does not meet everybody in the same millisecond.
 *
 * @param attempt from 1
 * @param chance from 0 to 1
 */
export function pauseBefore(attempt: number, { firstMs, mostMs }: Pauses, chance: number): number {
  const most = Math.min(mostMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return most * (0.5 + chance / 2);
}
