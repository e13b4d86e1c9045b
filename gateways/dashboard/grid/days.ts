import { signal } from '@preact/signals';

import { locale } from '../language/texts.ts';

/** Calendar days of the grid, as the wire writes them: `YYYY-MM-DD`. */
export type DayInfo = {
  date: string;
  /** `Fri`. */
  weekday: string;
  dayOfMonth: number;
  /** `March 2026`. */
  month: string;
  /** Friday and Saturday nights (docs/reference/api.md#dates-and-times). */
  isWeekend: boolean;
};

const MS_PER_DAY = 86_400_000;
const DAY_MS_OF = (date: string): number => Date.parse(`${date}T00:00:00Z`);

const weekdays = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
/** By the number of its shown nights: a column is as wide as `Nov`, and two of them as `Nov 2026`. */
const narrowMonths = [
  new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' }),
  new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' }),
];
const long = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const medium = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

export function addDays(date: string, days: number): string {
  return new Date(DAY_MS_OF(date) + days * MS_PER_DAY).toISOString().slice(0, 10);
}

/** `count` days from `start` on. */
export function daysFrom(start: string, count: number): DayInfo[] {
  return Array.from({ length: count }, (_, offset) => {
    const date = addDays(start, offset);
    const at = DAY_MS_OF(date);
    const weekday = new Date(at).getUTCDay();
    return {
      date,
      weekday: weekdays.format(at),
      dayOfMonth: new Date(at).getUTCDate(),
      month: months.format(at),
      isWeekend: weekday === 5 || weekday === 6,
    };
  });
}

/** A month over its nights: its name, and as much of it as fits over them. */
type MonthHead = { month: string; shown: string; nights: number };

export function monthHeads(days: readonly DayInfo[]): MonthHead[] {
  const heads: (MonthHead & { date: string })[] = [];
  for (const { month, date } of days) {
    const last = heads.at(-1);
    if (last?.month === month) last.nights += 1;
    else heads.push({ month, shown: month, nights: 1, date });
  }
  return heads.map(({ date, ...head }) => {
    const narrow = narrowMonths[head.nights - 1];
    return narrow ? { ...head, shown: narrow.format(DAY_MS_OF(date)) } : head;
  });
}

/** `Friday 6 March`, in the words of the browser's language. */
export function longDay(date: string): string {
  return long.format(DAY_MS_OF(date));
}

/** `Fri, 6 Mar`. */
export function mediumDay(date: string): string {
  return medium.format(DAY_MS_OF(date));
}

/** `Fri, 6 Mar 2026`. */
export function mediumDayOfYear(date: string): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return formatOf(parts).format(DAY_MS_OF(date));
}

/** `6 – 9 Mar`; without the year, since all days are within two years. */
export function dayRange(from: string, to: string): string {
  if (from.slice(0, 4) !== to.slice(0, 4)) return `${shortDay(from)} – ${shortDay(to)}`;
  return short.formatRange(DAY_MS_OF(from), DAY_MS_OF(to));
}

/** `6 Mar`. */
export function shortDay(date: string): string {
  return short.format(DAY_MS_OF(date));
}

/** Zone of the property that the page shows; undefined where it shows none: that of the browser. */
export const shownZone = signal<string | undefined>(undefined);

const MINUTES = { hour: '2-digit', minute: '2-digit' } as const;
const SECONDS = { ...MINUTES, second: '2-digit' } as const;

/** `12:03` at the property, with its zone where the reader's clock says something else. */
export function shortTime(at: number, zone = shownZone.value): string {
  return timeIn(zone, MINUTES, at);
}

/** `12:03:11`, the same way. */
export function timeOfDay(at: number): string {
  return timeIn(shownZone.value, SECONDS, at);
}

/** The day of a moment at the property that the page shows. */
export function shownDayOf(at: number, zone = shownZone.value): string {
  return shownBusinessDate(at, zone, 0);
}

/** Day and time of a moment at the property. */
export function momentText(at: string, zone = shownZone.value): string {
  const moment = Date.parse(at);
  return `${shortDay(shownDayOf(moment, zone))} ${shortTime(moment, zone)}`;
}

function timeIn(timeZone: string | undefined, style: Intl.DateTimeFormatOptions, at: number): string {
  const here = formatOf(style).format(at);
  if (timeZone === undefined || formatOf({ ...style, timeZone }).format(at) === here) return here;
  return formatOf({ ...style, timeZone, timeZoneName: 'short' }).format(at);
}

/** A format is slow to make, and there are few: some styles and a zone. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 50;

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  let format = formats.get(key);
  if (!format) {
    if (formats.size >= MAX_FORMATS) formats.clear();
    formats.set(key, (format = new Intl.DateTimeFormat(locale, options)));
  }
  return format;
}

/**
 * The business date of a property, which rolls at the night audit hour, not at midnight. For display only; the server
 * decides what can be sold.
 */
export function shownBusinessDate(now: number, timezone: string | undefined, nightAuditHour: number): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...(timezone !== undefined && { timeZone: timezone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  const date = `${part('year')}-${part('month')}-${part('day')}`;
  return Number(part('hour')) < nightAuditHour ? addDays(date, -1) : date;
}

/** The instant at which a business date starts: the night audit hour in the property's time zone. */
export function startOfBusinessDate(date: string, timezone: string | undefined, nightAuditHour: number): number {
  return instantAt(DAY_MS_OF(date) + nightAuditHour * 3_600_000, timezone);
}

/** The instant of a local time. @param wanted as if the local time were UTC */
function instantAt(wanted: number, timezone: string | undefined): number {
  // Twice: the offset at the first guess may be that before a change to summer time.
  let at = wanted;
  for (let n = 0; n < 2; n++) at += wanted - wallClock(at, timezone);
  return at;
}

/** Local time in a zone, as if it were UTC. */
function wallClock(at: number, timezone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...(timezone !== undefined && { timeZone: timezone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return Date.parse(`${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:00Z`);
}

/** `2026-03-03T14:05` at the property that the page shows, as an input takes it. */
export function localText(at: number): string {
  return new Date(wallClock(at, shownZone.value)).toISOString().slice(0, 16);
}

/** The instant of what such an input says. */
export function instantOfLocal(text: string): number {
  return instantAt(Date.parse(`${text.slice(0, 16)}:00Z`), shownZone.value);
}
