import type { Unit } from './unit.ts';
/** A calendar day as the number of days since 1970-01-01: nights compare, subtract and index like numbers. */
export type Day = Unit<number, 'day'>;

const MS_PER_DAY = 86_400_000;
/** From the year 1 on: there is no year 0, and the database rejects it. */
const ISO_DATE = /^(?!0000)\d{4}-\d{2}-\d{2}$/;

/** Reads `YYYY-MM-DD`; `undefined` for another format or a day that does not exist, such as 31 February. */
export function parseDay(text: string): Day | undefined {
  if (!ISO_DATE.test(text)) return undefined;
  const day = Date.parse(text) / MS_PER_DAY;
  return Number.isInteger(day) && formatDay(day) === text ? day : undefined;
}

/** A day that the caller has validated; throws on anything else, which is a bug. */
export function dayOf(text: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw new Error(`not a calendar day: ${text}`);
  return day;
}

const formatted = new Map<Day, string>();

/** `YYYY-MM-DD`. Cached: a horizon has some hundred days, and every answer prints them. */
export function formatDay(day: Day): string {
  let text = formatted.get(day);
  if (text === undefined) {
    text = new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
    if (formatted.size > 20_000) formatted.clear();
    formatted.set(day, text);
  }
  return text;
}

/** English names as in `dayOfWeek` of base rates; index 0 is Sunday. */
export const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** 0 is Sunday, as in {@link WEEKDAYS}. 1970-01-01 was a Thursday. */
export function weekdayIndex(day: Day): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Friday and Saturday nights are the weekend (docs/reference/api.md#dates-and-times). */
export function isWeekend(day: Day): boolean {
  const index = weekdayIndex(day);
  return index === 5 || index === 6;
}
