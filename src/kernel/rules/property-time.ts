import { type Day, formatDay } from './dates.ts';
import type { Unit } from './unit.ts';

/** Milliseconds since the epoch, UTC. */
export type Instant = Unit<number, 'instant'>;

/** `2026-11-21T10:00:00.000Z` */
export const formatInstant = (at: Instant): string => new Date(at).toISOString();

/** A property's clock: its IANA zone, and the hour at which its business date rolls. */
export type PropertyClock = { timezone: string; nightAuditHour: number };

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timezone: string): Intl.DateTimeFormat {
  let found = formatters.get(timezone);
  if (!found) {
    found = new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formatters.set(timezone, found);
  }
  return found;
}

/** Local time of the zone at `at`, as if it were UTC. */
function wallClock(at: Instant, timezone: string): Instant {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatter(timezone).formatToParts(at)) parts[type] = Number(value);
  const of = (name: string): number => parts[name] ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
}

/** Whether the runtime knows this IANA time zone. */
export function isTimezone(name: string): boolean {
  try {
    formatter(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The property's business date: it rolls at `nightAuditHour` of the property's zone
 * (docs/reference/api.md#dates-and-times).
 */
export function businessDate(at: Instant, clock: PropertyClock): Day {
  return Math.floor((wallClock(at, clock.timezone) - clock.nightAuditHour * 3_600_000) / 86_400_000);
}

const instants = new Map<string, Instant>();

/** Cached results of `instantAt`: time zone lookups are slow, and quotes need the same days. */
const MAX_INSTANTS = 20_000;

/**
 * The instant of a local time (`HH:MM`) on a day in a zone. A time that the zone skips in spring is an hour later; one
 * that occurs twice in autumn is its first occurrence.
 */
export function instantAt(day: Day, time: string, timezone: string): Instant {
  const key = `${day} ${time} ${timezone}`;
  const known = instants.get(key);
  if (known !== undefined) return known;
  const wall = Date.parse(`${formatDay(day)}T${time}:00Z`);
  const early = wall - offset(wall - 86_400_000, timezone);
  const late = wall - offset(wall + 86_400_000, timezone);
  const first = Math.min(early, late);
  const found = wallClock(first, timezone) === wall ? first : Math.max(early, late);
  if (instants.size >= MAX_INSTANTS) instants.clear();
  instants.set(key, found);
  return found;
}

function offset(at: Instant, timezone: string): number {
  return wallClock(at, timezone) - Math.floor(at / 1000) * 1000;
}

/** Local day and time (`HH:MM`) of a zone at an instant. */
export function localTime(at: Instant, timezone: string): { day: Day; time: string } {
  const wall = wallClock(at, timezone);
  return { day: Math.floor(wall / 86_400_000), time: new Date(wall).toISOString().slice(11, 16) };
}

/** When the business date after `day` starts. */
export function endOfBusinessDay(day: Day, clock: PropertyClock): Instant {
  return instantAt(day + 1, `${String(clock.nightAuditHour).padStart(2, '0')}:00`, clock.timezone);
}
