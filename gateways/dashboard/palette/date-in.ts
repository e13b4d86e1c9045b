import { addDays } from '../grid/days.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const NEAR: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tonight: 0, tomorrow: 1 };
const WEEK = 7;
const MIN_LETTERS = 3;

/**
 * The date that somebody has typed: `2026-12-24`, `24 Dec`, `December 24 2026`, `24.12.`, `tomorrow`, `friday`.
 * Without a year it is the next such day, and a weekday is the next one after today.
 */
export function dateIn(text: string, today: string): string | undefined {
  const typed = text.trim().toLowerCase();
  const near = NEAR[typed];
  if (near !== undefined) return addDays(today, near);
  const weekday = DAYS.findIndex((day) => typed.length >= MIN_LETTERS && isNamed(typed, day, `${FULL[day]}day`));
  if (weekday >= 0) {
    const ahead = (weekday - new Date(`${today}T00:00:00Z`).getUTCDay() + WEEK) % WEEK;
    return addDays(today, ahead === 0 ? WEEK : ahead);
  }
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(typed);
  if (iso) return dayOf(iso[1], Number(iso[2]), Number(iso[3]), today);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})?$/.exec(typed);
  if (dotted) return dayOf(dotted[3], Number(dotted[2]), Number(dotted[1]), today);
  const [, day, month, year] = /^(\d{1,2})\.? ([a-z]{3,9})(?: (\d{4}))?$/.exec(typed) ?? swapped(typed);
  const number = MONTHS.findIndex((name) => month?.startsWith(name));
  return number < 0 ? undefined : dayOf(year, number + 1, Number(day), today);
}

const FULL: Readonly<Record<string, string>> = {
  sun: 'sun',
  mon: 'mon',
  tue: 'tues',
  wed: 'wednes',
  thu: 'thurs',
  fri: 'fri',
  sat: 'satur',
};

/** Whether somebody types a name: at least its short form, at most all of it. */
const isNamed = (typed: string, short: string, whole: string): boolean =>
  typed.startsWith(short) && whole.startsWith(typed);

/** `dec 24 2026` in the order of `24 dec 2026`. */
function swapped(typed: string): readonly (string | undefined)[] {
  const [, month, day, year] = /^([a-z]{3,9}) (\d{1,2})(?:,? (\d{4}))?$/.exec(typed) ?? [];
  return [undefined, day, month, year];
}

/** A day of the calendar; without a year the next one that is not over. */
function dayOf(year: string | undefined, month: number, day: number, today: string): string | undefined {
  const two = (number: number): string => String(number).padStart(2, '0');
  const inYear = (of: number): string => `${of}-${two(month)}-${two(day)}`;
  const thisYear = Number(today.slice(0, 4));
  const date = inYear(year === undefined ? thisYear : Number(year));
  const wanted = year === undefined && date < today ? inYear(thisYear + 1) : date;
  const at = Date.parse(`${wanted}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === wanted ? wanted : undefined;
}
