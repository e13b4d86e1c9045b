import type { Day } from '../../src/kernel/rules/dates.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { FeedEntry } from './feed.ts';
import type { RoleClass } from './role-class.ts';

/** Texts about a night for each role class. */
export type DayTexts = { day: Day; texts: Readonly<Record<RoleClass, string>> };
export type CellText = { day: Day; roomType: string; text: string };
export type RoomText = { roomNumber: string; text: string };

/** Changes of the numbers `from` to `to`, as texts from which each audience gets its own. */
export type LiveChange = {
  from: number;
  to: number;
  at: Instant;
  cause: { type: string; id: string };
  grid: readonly CellText[];
  kpi: readonly DayTexts[];
  rooms: readonly RoomText[];
  competitors: readonly CellText[];
  feed: readonly FeedEntry[];
};

/**
 * Merges consecutive changes, at least one: only the last value of a cell is sent; every booking stays in the feed.
 */
export function mergedAll(changes: readonly LiveChange[]): LiveChange {
  const last = changes.at(-1)!;
  if (changes.length === 1) return last;
  return {
    from: changes[0]!.from,
    to: last.to,
    at: last.at,
    cause: last.cause,
    grid: newest(changes, 'grid', placeOf),
    kpi: newest(changes, 'kpi', ({ day }) => day),
    rooms: newest(changes, 'rooms', ({ roomNumber }) => roomNumber),
    competitors: newest(changes, 'competitors', placeOf),
    feed: changes.flatMap(({ feed }) => feed),
  };
}

const placeOf = ({ roomType, day }: CellText): string => `${day} ${roomType}`;

function newest<K extends 'grid' | 'kpi' | 'rooms' | 'competitors'>(
  changes: readonly LiveChange[],
  part: K,
  key: (item: LiveChange[K][number]) => string | number,
): LiveChange[K][number][] {
  const found = new Map<string | number, LiveChange[K][number]>();
  for (const change of changes) for (const item of change[part]) found.set(key(item), item);
  return [...found.values()];
}
