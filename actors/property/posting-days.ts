import { postingDaysAfter } from '../../src/money/rules/posting-days.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';
import type { Draft } from './draft.ts';

/**
 * Records the business date to which a command's charges are posted. Done here for every command, so that none can
 * move money past the night audit (docs/concepts/night-audit.md#postings).
 */
export function notePostingDays(
  draft: Draft,
  fresh: Iterable<{ before: Reservation | undefined; after: Reservation }>,
): void {
  for (const { before, after } of fresh) {
    const posted = postingDaysAfter(before, after, draft.today);
    if (posted !== after.posted) draft.reservations.set(after.id, { ...after, posted });
  }
  // The posting day is not a change of its own: the next command must not report it.
  draft.reservations.drainChanges();
}
