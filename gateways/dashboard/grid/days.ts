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

const weekdays = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const medium = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const hoursAndMinutes = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', hourCycle: 'h23' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' });

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

/** `Friday 6 March`, in the words of the browser's language. */
export function longDay(date: string): string {
  return long.format(DAY_MS_OF(date));
}

/** `Fri, 6 Mar`. */
export function mediumDay(date: string): string {
  return medium.format(DAY_MS_OF(date));
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

/** `12:03`. */
export function shortTime(at: number): string {
  return hoursAndMinutes.format(at);
}

/** `12:03:11`. */
export function timeOfDay(at: number): string {
  return clock.format(at);
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
  const wanted = DAY_MS_OF(date) + nightAuditHour * 3_600_000;
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
