import { type Day, dayOf, parseDay } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { hasVisible } from '../../kernel/rules/languages.ts';
import { incrementOf, MAX_AMOUNT, type Minor } from '../../kernel/rules/money.ts';
import { type Instant, instantAt, localTime } from '../../kernel/rules/property-time.ts';
import type { ImportMapping } from './mapping.ts';

/** Values of fields. Errors name the field and never its text, which may be personal. */

/** How a file writes dates and amounts. */
export type ValueFormat = Pick<ImportMapping, 'dateFormat' | 'decimalSeparator' | 'shiftDays'> & {
  timezone: string;
  currency: string;
};

export const lineFault = (field: string, detail: string): DomainError =>
  new DomainError('VALIDATION_FAILED', `${field} ${detail}`);

/** @throws DomainError VALIDATION_FAILED for a field that is not there, or that nobody sees */
export function mustHave(field: string, text: string | undefined): string {
  if (text === undefined || !hasVisible(text)) throw lineFault(field, 'is required');
  return text;
}

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** A text of one line. @throws DomainError VALIDATION_FAILED for one that is longer, or that nobody can store */
export function shortText(field: string, text: string | undefined, most: number): string | undefined {
  if (text === undefined) return undefined;
  const line = oneLine(text);
  if (line.length > most) throw lineFault(field, `has more than ${most} characters`);
  // Half of a pair of UTF-16, which only an escape of JSON can bring.
  if (!line.isWellFormed()) throw lineFault(field, 'has half a character');
  return line;
}

/** A text as a report may repeat it, whatever stands in it. */
export const reportedText = (text: string, most: number): string => oneLine(text).slice(0, most).toWellFormed();

/** A whole number. @throws DomainError VALIDATION_FAILED */
export function wholeNumber(field: string, text: string | undefined, usual: number, most: number): number {
  if (text === undefined) return usual;
  if (!/^\d{1,6}(?:\.0+)?$/.test(text)) throw lineFault(field, 'is no whole number');
  const number = Number(text);
  if (number > most) throw lineFault(field, `is more than ${most}`);
  return number;
}

/**
 * Amounts by what divides their decimals. What divides thousands has three digits behind it: `80,00` of a file whose
 * decimals were said to follow a point is not 8000.
 */
const AMOUNTS = {
  '.': /^(-?)(\d+|\d{1,3}(?:[\s',]\d{2,3})*[\s',]\d{3})(?:\.(\d{1,2})0*)?$/,
  ',': /^(-?)(\d+|\d{1,3}(?:[\s'.]\d{2,3})*[\s'.]\d{3})(?:,(\d{1,2})0*)?$/,
} as const;

/** An amount in minor units. @throws DomainError VALIDATION_FAILED for one that is not exact in the currency */
export function importedAmount(field: string, text: string, { decimalSeparator, currency }: ValueFormat): Minor {
  const match = AMOUNTS[decimalSeparator].exec(text);
  if (!match) throw lineFault(field, 'is no amount with at most two decimals');
  const [, sign, grouped = '', cents = ''] = match;
  const whole = grouped.replaceAll(/\D/g, '');
  if (whole.length > 9) throw lineFault(field, 'is more than an amount can store');
  const amount = Number(whole) * 100 + Number(cents.padEnd(2, '0'));
  if (amount > MAX_AMOUNT) throw lineFault(field, 'is more than an amount can store');
  if (amount % incrementOf(currency) !== 0) throw lineFault(field, `has cents, and ${currency} has none`);
  return sign === '-' && amount > 0 ? 0 - amount : amount;
}

/** An amount of at least 0. @throws DomainError VALIDATION_FAILED */
export function amountFrom0(field: string, text: string, format: ValueFormat): Minor {
  const amount = importedAmount(field, text, format);
  if (amount < 0) throw lineFault(field, 'is below 0');
  return amount;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** Tokens of date formats, longest first. */
const TOKENS: Readonly<Record<string, string>> = {
  YYYY: String.raw`(?<year>\d{4})`,
  YY: String.raw`(?<short>\d{2})`,
  MMMM: '(?<name>[A-Za-z]+)',
  MMM: '(?<name>[A-Za-z]{3})[a-z]*\\.?',
  MM: String.raw`(?<month>\d{1,2})`,
  DD: String.raw`(?<day>\d{1,2})`,
  HH: String.raw`(?<hour>\d{1,2})`,
  mm: String.raw`(?<minute>\d{2})`,
  ss: String.raw`\d{2}`,
  M: String.raw`(?<month>\d{1,2})`,
  D: String.raw`(?<day>\d{1,2})`,
};
const TOKEN = new RegExp(Object.keys(TOKENS).join('|'), 'g');
const patterns = new Map<string, RegExp>();
const MAX_PATTERNS = 100;

/** Whether a format says year, month and day, and nothing twice. */
export function isDateFormat(format: string): boolean {
  const said = (format.match(TOKEN) ?? []).map((token) => token.charAt(0));
  return ['Y', 'M', 'D'].every((one) => said.includes(one)) && new Set(said).size === said.length;
}

function patternOf(format: string): RegExp {
  const known = patterns.get(format);
  if (known) return known;
  const parts = format.split(TOKEN).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const tokens = format.match(TOKEN) ?? [];
  const source = parts.map((text, index) => text + (tokens[index] ? TOKENS[tokens[index]] : '')).join('');
  const pattern = new RegExp(`^${source}(?:[T ].*)?$`);
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  patterns.set(format, pattern);
  return pattern;
}

type Moment = { day: Day; time?: string };

/** Other days are slips of a pen, and clocks of time zones cannot say some of them. */
const [FIRST_DAY, LAST_DAY] = [dayOf('1900-01-01'), dayOf('2199-12-31')];

/** @throws DomainError VALIDATION_FAILED for a day of another age */
function inCalendar(field: string, day: Day): Day {
  if (day < FIRST_DAY || day > LAST_DAY) throw lineFault(field, 'is not between 1900 and 2199');
  return day;
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

function momentOf(field: string, text: string, format: string, shiftDays: number): Moment {
  const { groups } = patternOf(format).exec(text) ?? {};
  if (!groups) throw lineFault(field, `is no date of the format ${format}`);
  const { year, short, name, month, day, hour, minute } = groups;
  const named = name === undefined ? 0 : MONTHS.findIndex((one) => one.startsWith(name.toLowerCase())) + 1;
  const parts = [year ?? `20${short}`, String(month ?? named).padStart(2, '0'), day?.padStart(2, '0')];
  const found = parseDay(parts.join('-'));
  if (found === undefined) throw lineFault(field, 'is no day of the calendar');
  const time = hour === undefined || minute === undefined ? undefined : `${hour.padStart(2, '0')}:${minute}`;
  if (time !== undefined && !TIME.test(time)) throw lineFault(field, 'has no time of a day');
  return { day: inCalendar(field, found + shiftDays), ...(time !== undefined && { time }) };
}

/** A calendar day. @throws DomainError VALIDATION_FAILED */
export function dayValue(field: string, text: string, format: ValueFormat, own?: string): Day {
  return momentOf(field, text, own ?? format.dateFormat, format.shiftDays).day;
}

const ZONED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const DAY_MS = 86_400_000;

/** A moment: with an offset as it stands, else at the property; noon where only a day is named. */
export function instantValue(field: string, text: string, format: ValueFormat, own?: string): Instant {
  const { timezone, shiftDays, dateFormat } = format;
  if (ZONED.test(text) && !Number.isNaN(Date.parse(text))) {
    const at = Date.parse(text) + shiftDays * DAY_MS;
    inCalendar(field, Math.floor(at / DAY_MS));
    return at;
  }
  const { day, time = '12:00' } = momentOf(field, text, own ?? dateFormat, shiftDays);
  return instantAt(day, time, timezone);
}

/** The calendar day of a moment at the property. */
export const dayOfInstant = (at: Instant, { timezone }: Pick<ValueFormat, 'timezone'>): Day =>
  localTime(at, timezone).day;
