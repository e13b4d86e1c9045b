import type { Topic } from '../../src/live/contracts/live-limits.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { Board } from './board.ts';
import type { Change } from './change.ts';
import { type FeedEntry, staysWithin } from './feed.ts';
import type { RoleClass } from './role-class.ts';

/** What a group of clients sees of a property: they all get the same bytes. Both days inclusive. */
export type Sight = { roleClass: RoleClass; start: Day; end: Day; topics: ReadonlySet<Topic> };

/** One text for equal sights. */
export function sightKey({ roleClass, start, end, topics }: Sight): string {
  return `${roleClass} ${start} ${end} ${[...topics].sort().join()}`;
}

/** The patches of a change that a sight shows, as JSON texts; none when everything lies outside. */
export function patchesFor(sight: Sight, change: Change): string[] {
  const { topics, start, end, roleClass } = sight;
  const inside = ({ day }: { day: Day }) => day >= start && day <= end;
  const patches: string[] = [];
  if (topics.has('grid')) for (const cell of change.grid) if (inside(cell)) patches.push(patch('grid', cell.text));
  if (topics.has('kpi')) {
    for (const night of change.kpi) if (inside(night)) patches.push(patch('kpi', night.texts[roleClass]));
  }
  if (topics.has('rooms')) for (const room of change.rooms) patches.push(patch('rooms', room.text));
  if (showsMarket(sight)) {
    for (const night of change.competitors) if (inside(night)) patches.push(patch('competitors', night.text));
  }
  if (topics.has('feed')) {
    for (const entry of change.feed) {
      if (staysWithin(entry, start, end)) patches.push(patch('feed', entry.texts[roleClass]));
    }
  }
  return patches;
}

export type Place = { propertyId: string; generation: number };

export function deltaText({ propertyId, generation }: Place, change: Change, patches: readonly string[]): string {
  const { from, to, at: ts, cause } = change;
  const head = JSON.stringify({ t: 'delta', propertyId, generation, from, to, ts, cause });
  return `${head.slice(0, -1)},"patches":[${patches.join()}]}`;
}

/** @param feed oldest first; at most `items` of those inside the window go out, newest first */
export function snapshotText(
  { propertyId, generation }: Place,
  at: { seq: number; asOf: Instant },
  board: Board,
  feed: readonly FeedEntry[],
  sight: Sight,
  items: number,
): string {
  const { roleClass, start, end, topics } = sight;
  const head = JSON.stringify({ t: 'snapshot', propertyId, generation, ...at });
  const grid = topics.has('grid') ? board.grid(start, end) : [];
  const kpi = topics.has('kpi') ? board.kpi(days(start, end)).map(({ texts }) => texts[roleClass]) : [];
  const rooms = topics.has('rooms') ? board.rooms() : [];
  const shown = topics.has('feed') ? feed.filter((entry) => staysWithin(entry, start, end)) : [];
  const texts = shown
    .slice(-items)
    .reverse()
    .map((entry) => entry.texts[roleClass]);
  const competitors = showsMarket(sight) ? board.competitors(start, end) : [];
  const lists = { grid, feed: texts, kpi, rooms, competitors };
  const members = Object.entries(lists).map(([name, items]) => `"${name}":[${items.join()}]`);
  return `${head.slice(0, -1)},${members.join()}}`;
}

/**
 * The market is amounts and nothing else, and those are for whoever may read the revenue
 * (docs/reference/live-protocol.md#patches).
 */
function showsMarket({ roleClass, topics }: Sight): boolean {
  return roleClass === 'manager' && topics.has('competitors');
}

function patch(topic: Topic, item: string): string {
  return `{"topic":"${topic}",${item.slice(1)}`;
}

function* days(start: Day, end: Day): Generator<Day> {
  for (let day = start; day <= end; day++) yield day;
}
