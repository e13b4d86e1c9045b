import type { Done, RequestKey } from '../domain/administration.ts';
import type { Caller } from '../domain/caller.ts';
import type { Instant } from '../domain/property-time.ts';
import { Refusal } from '../domain/refusal.ts';
import type { DevelopmentClock } from '../ports/development-clock.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { Services } from './services.ts';

/** By how much, in milliseconds, or to when. */
export type Advance = { by: number } | { to: Instant };

/**
 * Puts the development clock forward, once under a key (contracts.md 1 and 2). Jobs and expiries that fall due write of
 * their own, so no transaction can be open meanwhile: the answer is kept behind them. The journal of administration of
 * the caller's tenant says who it was.
 * @throws Refusal VALIDATION_FAILED for a moment that has passed, IDEMPOTENCY_MISMATCH, IDEMPOTENCY_IN_PROGRESS
 */
export function advanceClock(
  { administration }: Pick<Services, 'administration'>,
  clock: DevelopmentClock,
  caller: Caller,
  wish: Advance,
  key?: RequestKey,
): Promise<Done<{ now: Instant }>> {
  return oneAtATime(caller, key, async () => {
    const known = key && (await administration.answered<{ now: Instant }>(caller, key));
    if (known) return known;
    const before = clock.now();
    const milliseconds = 'by' in wish ? wish.by : wish.to - before;
    if (milliseconds < 0) {
      const errors = [{ pointer: '/now', code: 'IN_THE_PAST', detail: 'the clock goes forward only' }];
      throw new Refusal('VALIDATION_FAILED', 'The clock goes forward only.', { errors });
    }
    const now = await clock.advance(milliseconds);
    return administration.write(caller, key, async (records) => {
      const images = { before: { now: written(before) }, after: { now: written(now) } };
      await records.note({ entity: 'clock', entityId: 'development', action: 'ADVANCED', ...images });
      return { now };
    });
  });
}

const written = (at: Instant): string => new Date(at).toISOString();
