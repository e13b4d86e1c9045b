import type { Instant } from '../../src/domain/property-time.ts';
import { type FieldError, Refusal } from '../../src/domain/refusal.ts';

/** How far a desk may write ahead of the clock: its own may go wrong, and nobody leaves the day after tomorrow. */
const MOST_AHEAD_MS = 86_400_000;

/**
 * Checks a time that the desk says something happened at; what lies behind is its own business.
 * @param earliest what it cannot be before, where there is such a thing
 * @throws Refusal VALIDATION_FAILED more than 24 hours after `now`, or before `earliest`
 */
export function checkSaidTime(pointer: string, at: Instant, now: Instant, earliest = -Infinity): void {
  const wrong = (code: string, detail: string): never => {
    const errors: FieldError[] = [{ pointer, code, detail }];
    throw new Refusal('VALIDATION_FAILED', 'One field is wrong.', { errors });
  };
  if (at > now + MOST_AHEAD_MS) wrong('IN_THE_FUTURE', 'is more than 24 hours ahead');
  if (at < earliest) wrong('REVERSED', `is before the check-in at ${new Date(earliest).toISOString()}`);
}
