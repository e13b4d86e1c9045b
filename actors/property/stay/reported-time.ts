import { type FieldError, DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';

/** How far a reported departure may be ahead of the clock: at most a day. */
const DEPARTURE_AHEAD_MS = 86_400_000;
/** How far a reported arrival may be ahead: an arrival has happened, so only clocks may differ. */
export const ARRIVAL_AHEAD_MS = 5 * 60_000;

/**
 * Checks a time that the desk reports for an event.
 * @param bounds `earliest` is the earliest possible time, where there is one; `aheadMs` how far it may be ahead of
 * `now`
 * @throws DomainError VALIDATION_FAILED more than `aheadMs` after `now`, or before `earliest`
 */
export function checkReportedTime(
  pointer: string,
  at: Instant,
  now: Instant,
  { earliest = -Infinity, aheadMs = DEPARTURE_AHEAD_MS }: { earliest?: Instant; aheadMs?: number } = {},
): void {
  const wrong = (code: string, detail: string): never => {
    const errors: FieldError[] = [{ pointer, code, detail }];
    throw new DomainError('VALIDATION_FAILED', 'One field is wrong.', { errors });
  };
  if (at > now + aheadMs) wrong('IN_THE_FUTURE', `is more than ${spanOf(aheadMs)} ahead`);
  if (at < earliest) wrong('REVERSED', `is before the check-in at ${new Date(earliest).toISOString()}`);
}

function spanOf(ms: number): string {
  return ms < 3_600_000 ? `${ms / 60_000} minutes` : `${ms / 3_600_000} hours`;
}
