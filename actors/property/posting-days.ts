import { postingDaysAfter } from '../../src/money/rules/posting-days.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';
import type { Draft } from './draft.ts';

/**
 * Notes on which business date what a command has changed is posted. Here, for every command alike: none of them can
 * move money past the night audits (docs/concepts/night-audit.md#postings).
 */
export function notePostingDays(
  draft: Draft,
  fresh: Iterable<{ before: Reservation | undefined; after: Reservation }>,
): void {
  for (const { before, after } of fresh) {
    const posted = postingDaysAfter(before, after, draft.today);
    if (posted !== after.posted) draft.reservations.set(after.id, { ...after, posted });
  }
  // It is no change of its own, to be said of the next command.
  draft.reservations.drainChanges();
}
