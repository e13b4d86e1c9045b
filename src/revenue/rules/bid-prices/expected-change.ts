import type { BidNight } from './bid-prices.ts';

/** Part of what is expected that may change before bid prices are computed again: bookings move them until then. */
const SOLVED_AGAIN_FROM = 0.01;

/**
 * Whether so much has changed since a program of the same nights was solved that it is due again: demand in rooms,
 * sellable rooms, and demand at other rates.
 */
export function isDueAgain(before: readonly BidNight[], now: readonly BidNight[]): boolean {
  if (before.length !== now.length) return true;
  let expected = 0;
  let changed = 0;
  for (const [index, night] of now.entries()) {
    const then = before[index]!;
    if (then.day !== night.day || then.roomType !== night.roomType) return true;
    expected += then.expected;
    changed += Math.abs(night.expected - then.expected) + Math.abs(night.capacity - then.capacity);
    if (then.current !== night.current)
      changed += night.expected * Math.min(1, Math.abs(night.current - then.current) / Math.max(1, then.current));
  }
  return changed > SOLVED_AGAIN_FROM * expected;
}
