import type { Command } from '../../src/kernel/rules/commands.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import { businessDate } from '../../src/kernel/rules/property-time.ts';
import { clockOf } from '../../src/properties/rules/property.ts';
import type { FinalizedBatch } from '../../src/property-store/ports.ts';
import {
  beganAt,
  unplayedProperty,
  type PastOf,
  setLastRates,
  setUpProperty,
  withoutPastNights,
} from './play-past.ts';
import { inOrder, type PastEvent, rolls, StayPlayer } from './play-stays.ts';

/** Days of one batch: its rows are one statement. */
const BATCH_DAYS = 14;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Time in which guests may have arrived before the property has its first day. */
const FIRST_MS = 10 * MINUTE_MS;
/** Rooms that were left longer ago are clean: who cleaned them is of no use any more. */
const CLEANING_MS = 7 * DAY_MS;

type WholePast = PastOf & {
  /** Commands at the end, after which the property is as it is now. */
  last: readonly Command[];
};

/** Number of batches of {@link playWhole}. */
export function countBatches({ journalFrom, recentFrom }: { journalFrom: Day; recentFrom: Day }): number {
  return 1 + Math.ceil((recentFrom - journalFrom) / BATCH_DAYS);
}

/**
 * Plays the whole past of a property with every command in its journal, batch by batch in order
 * (docs/concepts/sandbox.md#how-the-year-is-written). `recentFrom` is today: nothing is summed up.
 */
export function* playWhole(past: WholePast): Iterable<FinalizedBatch> {
  const { to, property, world, journalFrom, now, stays } = past;
  const began = beganAt(past);
  const played = setUpProperty(past, unplayedProperty(to), began, true);
  const today = businessDate(now, clockOf(played.draft.property!));
  yield withoutPastNights(played.cut(0, began), today);
  const first = began + FIRST_MS;
  const player = new StayPlayer(played, world, ({ leavesAt }) =>
    leavesAt < now - CLEANING_MS ? 'at once' : 'played',
  ).begin(first);
  const dayRolls = [...rolls(played, journalFrom, today)].map(({ at, happens }) => ({
    at,
    happens: () => {
      happens();
      setLastRates(played, property);
    },
  }));
  // Who had left or cancelled before was never a guest of this property.
  const known = stays.filter(
    ({ bookedAt, cancelledAt = Infinity, arrivesAt }) =>
      bookedAt <= now && cancelledAt > first + MINUTE_MS && arrivesAt > first,
  );
  const lastly: PastEvent[] = past.last.map((command) => ({
    at: now,
    happens: () => void played.do(command, now, 'demo-manager'),
  }));
  const events = [
    ...inOrder([...dayRolls, ...known.flatMap((stay) => [...player.events(property, stay, first)])], now),
    ...lastly,
  ];
  let end = began + BATCH_DAYS * DAY_MS;
  for (const { at, happens } of events) {
    for (; at > end && end < now; end += BATCH_DAYS * DAY_MS) yield withoutPastNights(played.cut(0, end), today);
    happens();
  }
  yield withoutPastNights(played.cut(0, now), today);
}
