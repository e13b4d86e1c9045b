import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { tooMuch } from '../holds/hold-bounds.ts';

/** Unpaid reservations that one card may guarantee at a time (docs/reference/api.md#limits). */
const MAX_OF_A_CARD = 20;

/** Retry time when it is unknown when another property has one less. */
const A_MINUTE_MS = 60_000;

/**
 * Limits unpaid reservations per card.
 * @throws DomainError QUOTA_EXCEEDED until the first of the card's holds has run out
 */
export function checkCardLimit(draft: Draft, { guarantee }: CommandOf<'BOOK'>, { now }: DecisionContext): void {
  if (guarantee === undefined) return;
  const own = [...draft.holds]
    .map(([, hold]) => hold)
    .filter(({ card, rooms, expiresAt }) => card === guarantee.card && rooms > 0 && expiresAt > now);
  if (guarantee.openElsewhere + own.length < MAX_OF_A_CARD) return;
  const [first = now + A_MINUTE_MS] = own.map(({ expiresAt }) => expiresAt).toSorted((a, b) => a - b);
  throw tooMuch('card-holds', 'Too many unpaid reservations hang on this card; pay for some of them.', {
    now,
    retryAt: first,
    extra: { limit: MAX_OF_A_CARD },
  });
}
