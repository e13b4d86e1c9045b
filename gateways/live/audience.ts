import { LIVE_LIMITS, type LiveTopic } from '../../packages/client/src/live/live-limits.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import type { PropertyId } from '../../src/kernel/rules/ids.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { LiveChange } from './change.ts';
import { type FeedEntry, staysWithin } from './feed.ts';
import type { LiveProjection } from './live-projection.ts';
import type { RoleClass } from './role-class.ts';

/** What a group of clients sees of a property: all of them get the same bytes. Both days inclusive. */
export type Scope = { roleClass: RoleClass; start: Day; end: Day; topics: ReadonlySet<LiveTopic> };

/** One key for equal scopes. */
export function scopeKey({ roleClass, start, end, topics }: Scope): string {
  return `${roleClass} ${start} ${end} ${[...topics].sort().join()}`;
}

/** Patches of a change within a scope, as JSON texts; empty when everything lies outside. */
export function patchesFor(scope: Scope, change: LiveChange): string[] {
  const { topics, start, end, roleClass } = scope;
  const inside = ({ day }: { day: Day }) => day >= start && day <= end;
  const patches: string[] = [];
  if (topics.has('grid')) for (const cell of change.grid) if (inside(cell)) patches.push(patch('grid', cell.text));
  if (topics.has('kpi')) {
    for (const night of change.kpi) if (inside(night)) patches.push(patch('kpi', night.texts[roleClass]));
  }
  if (topics.has('rooms')) for (const room of change.rooms) patches.push(patch('rooms', room.text));
  if (showsMarket(scope)) {
    for (const night of change.competitors) if (inside(night)) patches.push(patch('competitors', night.text));
  }
  if (topics.has('feed')) {
    for (const entry of change.feed) {
      if (staysWithin(entry, start, end)) patches.push(patch('feed', entry.texts[roleClass]));
    }
  }
  return patches;
}

type AudiencePlace = { propertyId: PropertyId; generation: number };

export function deltaText(
  { propertyId, generation }: AudiencePlace,
  change: LiveChange,
  patches: readonly string[],
): string {
  const { from, to, at: ts, cause } = change;
  const head = JSON.stringify({ t: 'delta', propertyId, generation, from, to, ts, cause });
  return `${head.slice(0, -1)},"patches":[${patches.join()}]}`;
}

/** State of a property. */
type Shown = {
  projection: LiveProjection;
  /** Oldest first; the newest of the window are sent, newest first. */
  feed: readonly FeedEntry[];
};

export function snapshotText(
  { propertyId, generation }: AudiencePlace,
  at: { seq: number; asOf: Instant },
  { projection, feed }: Shown,
  scope: Scope,
): string {
  const { roleClass, start, end, topics } = scope;
  const head = JSON.stringify({ t: 'snapshot', propertyId, generation, ...at });
  const grid = topics.has('grid') ? projection.grid(start, end) : [];
  const kpi = topics.has('kpi') ? projection.kpi(days(start, end)).map(({ texts }) => texts[roleClass]) : [];
  const rooms = topics.has('rooms') ? projection.rooms() : [];
  const shown = topics.has('feed') ? feed.filter((entry) => staysWithin(entry, start, end)) : [];
  const texts = shown
    .slice(-LIVE_LIMITS.feedItems)
    .reverse()
    .map((entry) => entry.texts[roleClass]);
  const competitors = showsMarket(scope) ? projection.competitors(start, end) : [];
  const lists = { grid, feed: texts, kpi, rooms, competitors };
  const members = Object.entries(lists).map(([name, items]) => `"${name}":[${items.join()}]`);
  return `${head.slice(0, -1)},${members.join()}}`;
}

/** The market consists of amounts, which need access to revenue (docs/reference/live-protocol.md#patches). */
function showsMarket({ roleClass, topics }: Scope): boolean {
  return roleClass === 'manager' && topics.has('competitors');
}

function patch(topic: LiveTopic, item: string): string {
  return `{"topic":"${topic}",${item.slice(1)}`;
}

function* days(start: Day, end: Day): Generator<Day> {
  for (let day = start; day <= end; day++) yield day;
}
