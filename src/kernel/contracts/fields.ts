import { z } from 'zod';

import type { Party } from '../../rates/rules/stay.ts';
import { type Day, parseDay } from '../rules/dates.ts';
import { hasVisible, LANGUAGES } from '../rules/languages.ts';
import { definedMembers } from '../rules/members.ts';
import { MAX_AMOUNT, type Minor, toMinor, negated } from '../rules/money.ts';
import type { Instant } from '../rules/property-time.ts';
import { lengthFault } from '../rules/sale-window.ts';

/** Fields shared by many bodies; amounts are parsed to minor units, dates to days (docs/reference/api.md#money). */

/** Name of a cancellation policy, such as `STANDARD` or one that a property defines. */
export const policyName = z.string().regex(/^[A-Z0-9][A-Z0-9_]{0,49}$/, 'has 1 to 50 of A-Z, 0-9 and _');

/** Control characters and line separators: in a name they would forge lines of mails, logs and exports. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** The same without tabs and line breaks, which free text may have. */
const CONTROL_IN_NOTES = /[^\P{Cc}\t\n\r]/u;

const oneLine = z.string().refine((said) => !CONTROL.test(said), {
  message: 'must not have line breaks or other control characters',
  params: { field: 'CONTROL_CHARACTER' },
});

const manyLines = z.string().refine((said) => !CONTROL_IN_NOTES.test(said), {
  message: 'must not have control characters other than tabs and line breaks',
  params: { field: 'CONTROL_CHARACTER' },
});

/** Refuses texts of characters that nobody sees; empty ones are refused by their length. */
const seen = (schema: z.ZodString): z.ZodString =>
  schema.refine((said) => said === '' || hasVisible(said), {
    message: 'has no character that people see',
    params: { field: 'INVISIBLE' },
  });

/** A required, non-empty text of one line. */
export const text = (most: number): z.ZodString => seen(oneLine.trim().min(1).max(most));

/** A required, non-empty free text; it may have line breaks. */
export const notes = (most: number): z.ZodString => seen(manyLines.trim().min(1).max(most));

type OptionalText = z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string | undefined, string>>>;

const absentWhenEmpty = (said: string): string | undefined => (hasVisible(said) ? said : undefined);

/** An optional text of one line; forms send an empty one for an unfilled field. */
export const optionalText = (most: number): OptionalText =>
  oneLine.trim().max(most).transform(absentWhenEmpty).optional();

/** An optional free text; it may be empty. */
export const optionalNotes = (most: number): OptionalText =>
  manyLines.trim().max(most).transform(absentWhenEmpty).optional();

/** A text of one line with a default for a missing or empty one. */
export const textOr = (most: number, usual: string): z.ZodPipe<z.ZodDefault<z.ZodString>, z.ZodTransform<string>> =>
  oneLine
    .trim()
    .max(most)
    .default(usual)
    .transform((said) => (hasVisible(said) ? said : usual));

/** `YYYY-MM-DD`, a day that exists. */
export const date = z
  .string()
  .transform((value, context): Day => {
    const day = parseDay(value);
    if (day !== undefined) return day;
    const message = 'is not a calendar day YYYY-MM-DD';
    context.addIssue({ code: 'custom', message, params: { field: 'NO_SUCH_DATE' } });
    return z.NEVER;
  })
  .meta({ type: 'string', format: 'date' });

/** Days that a business date may lag behind UTC: twelve hours of zone, plus part of the night. */
const LATEST_ZONE_DAYS = 2;

/**
 * A day that is not past. Only the actor knows the date at the property; here a day that is past in every time zone is
 * rejected, together with all other faults.
 */
export const dayToCome = date
  .refine((day) => typeof day !== 'number' || day >= Math.floor(Date.now() / 86_400_000) - LATEST_ZONE_DAYS, {
    message: 'is in the past',
    params: { field: 'IN_THE_PAST' },
  })
  .meta({ type: 'string', format: 'date' });

const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** An instant with a zone, `2026-11-21T10:00:00Z`; milliseconds since 1970. */
export const instant = z.iso
  .datetime({ offset: true })
  .transform((value): Instant => Date.parse(value))
  .refine((at) => at >= 0 && at <= LAST_INSTANT, {
    message: 'is before 1970 or after 9999',
    params: { field: 'OUT_OF_RANGE' },
  })
  .meta({ type: 'string', format: 'date-time' });

/** A decimal of at most two places that fits decimal(10,2). */
const decimal = z.number().refine((value) => toMinor(value) !== undefined, {
  message: 'has more than two decimals',
  params: { field: 'TOO_PRECISE' },
});

/** An amount of at least 0. */
export const amount = decimal
  .min(0)
  .max(MAX_AMOUNT / 100)
  .transform((value): Minor => toMinor(value)!);

/** A price: at least a cent. What is more than 0 and less than that would be rounded to nothing. */
export const priceField = decimal
  .min(0.01)
  .max(MAX_AMOUNT / 100)
  .transform((value): Minor => toMinor(value)!);

/** A charge, or a credit below 0. */
export const signedAmount = decimal
  .min(negated(MAX_AMOUNT) / 100)
  .max(MAX_AMOUNT / 100)
  .transform((value): Minor => toMinor(value)!);

/** A signed amount small enough for a season's surcharge. */
export const surcharge = decimal
  .min(-99_999.99)
  .max(99_999.99)
  .transform((value): Minor => toMinor(value)!);

export const propertyId = z.string().regex(/^[a-z0-9-]{1,50}$/, 'has 1 to 50 of a-z, 0-9 and -');
export const roomTypeCode = text(50);

export const roomNumber = z.string().regex(/^[A-Za-z0-9-]{1,10}$/, 'has 1 to 10 of letters, digits and -');

/** Code of an extra on the price list of a property. */
export const extraCode = text(50);

/** Optional room type of a query; all types without it. */
export const optionalRoomType = optionalText(50);

/** Case-insensitive; stored in upper case. */
const promoCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9_-]{1,20}$/, 'has 1 to 20 letters, digits, - and _');

/** Optional promo code. */
export const optionalPromoCode = promoCode
  .or(z.literal(''))
  .transform((code) => (code === '' ? undefined : code))
  .optional();
export const adults = z.int().min(1).max(20);
export const children = z.int().min(0).max(20);

/** Years of a child. */
const childAge = z.int().min(0).max(17);
const childAges = z
  .array(childAge)
  .max(20)
  .describe('Age of each child; `children` is their number and may be left out.');

/** Default party wherever a stay is priced, held or booked (docs/reference/api.md#persons). */
const DEFAULT_PARTY = { adults: 1, children: 0 } as const satisfies Party;

type PartyFields = Record<keyof Party, z.ZodType>;

/** The party of a stay, in a body. */
export const party = {
  adults: adults.default(DEFAULT_PARTY.adults),
  children: children.default(DEFAULT_PARTY.children),
  childAges: childAges.optional(),
} satisfies PartyFields;

/** The guest leaves on the day of arrival. */
const DAY_USE = 'Follows from equal dates: the guest leaves on the day of arrival, where the plan sells day use.';
export const dayUse = z.literal(true).optional().describe(DAY_USE);
export const dayUseQuery = z
  .literal('true')
  .transform((): true => true)
  .optional()
  .describe(DAY_USE);

/** The party in a change of a stay. */
export const changedParty = {
  adults: adults.optional(),
  children: children.optional(),
  childAges: childAges.optional(),
} satisfies PartyFields;

export const email = z.email().max(254);

/** Optional e-mail address. */
export const optionalEmail = email
  .or(z.literal(''))
  .transform((address) => (address === '' ? undefined : address))
  .optional();
export const uuid = z.uuid();

/** Integers and booleans in a query string are text. */
export const queryInt = (schema: z.ZodInt): z.ZodType<number> =>
  z.preprocess((value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value), schema);

/** The party of a stay, in a query. */
export const partyQuery = {
  adults: queryInt(adults).default(DEFAULT_PARTY.adults),
  children: queryInt(children).default(DEFAULT_PARTY.children),
  childAges: z
    .string()
    .regex(/^(\d|1[0-7])(,(\d|1[0-7])){0,19}$/, {
      error: 'has ages from 0 to 17, at most 20, separated by commas',
      abort: true,
    })
    .transform((ages) => ages.split(',').map(Number))
    .optional()
    .describe('Age of each child, separated by commas; `children` is their number and may be left out.'),
} satisfies PartyFields;

export const queryFlag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** `limit` and `cursor` of lists (docs/reference/api.md#lists). */
export const page = {
  limit: queryInt(z.int().min(1).max(200)).default(50),
  cursor: z.string().max(500).optional(),
};

/** Longest range of days in one query or change of availability (docs/reference/set-up.md#availability). */
export const MAX_RANGE_DAYS = 366;

/** Rejects a range of days, both inclusive, that is reversed or too long. */
export function rangeInOrder(range: { start_date: Day; end_date: Day }, context: z.RefinementCtx): void {
  const { start_date: start, end_date: end } = range;
  const blame = (message: string, field: string): void =>
    context.addIssue({ code: 'custom', path: ['end_date'], message, params: { field } });
  if (end < start) blame('is before start_date', 'REVERSED');
  else if (end - start >= MAX_RANGE_DAYS) blame(`at most ${MAX_RANGE_DAYS} days at once`, 'TOO_MANY_DAYS');
}

/** The same for a query with the other names of days. */
export function nightsInOrder(
  { startDate, endDate }: { startDate: Day; endDate: Day },
  context: z.RefinementCtx,
): void {
  const blame = (message: string, field: string): void =>
    context.addIssue({ code: 'custom', path: ['endDate'], message, params: { field } });
  if (endDate < startDate) blame('is before startDate', 'REVERSED');
  else if (endDate - startDate >= MAX_RANGE_DAYS) blame(`at most ${MAX_RANGE_DAYS} days at once`, 'TOO_MANY_DAYS');
}

/**
 * Rejects a list with the same value twice, or two elements with the same `member`; the error points to the later one
 * (`DUPLICATE`).
 */
export const withoutDuplicates =
  <T>(member?: keyof T & string, message = 'is named twice') =>
  (all: readonly T[], context: z.RefinementCtx): void => {
    const named = new Set<unknown>();
    for (const [index, one] of all.entries()) {
      const value = member === undefined ? one : one[member];
      const path = member === undefined ? [index] : [index, member];
      if (named.has(value)) context.addIssue({ code: 'custom', path, message, params: { field: 'DUPLICATE' } });
      named.add(value);
    }
  };

/** Dates of a stay in a body or query. */
export type StayDates = { checkIn?: Day; checkOut?: Day; nights?: number; dayUse?: true };

/** Rejects a stay whose dates are reversed or disagree with its nights; whether equal ones sell, its plan says. */
export function datesInOrder({ checkIn, checkOut, nights, dayUse }: StayDates, context: z.RefinementCtx): void {
  if (typeof checkIn !== 'number' || typeof checkOut !== 'number') return;
  const blame = (path: string, message: string, field: string): void =>
    context.addIssue({ code: 'custom', path: [path], message, params: { field } });
  const fault = checkOut === checkIn ? undefined : lengthFault(checkOut - checkIn);
  if (fault) blame('checkOut', fault.detail, fault.code);
  const message = `the dates say ${checkOut - checkIn} nights`;
  if (nights !== undefined && nights !== checkOut - checkIn) blame('nights', message, 'NIGHTS_DISAGREE');
  if (dayUse && checkOut !== checkIn) blame('dayUse', message, 'NIGHTS_DISAGREE');
}

/** {@link datesInOrder} where only nights are meant: equal dates are none. */
export function datesOfNights(dates: StayDates, context: z.RefinementCtx): void {
  datesInOrder(dates, context);
  if (dates.checkIn !== dates.checkOut) return;
  const { detail, code } = lengthFault(0)!;
  context.addIssue({ code: 'custom', path: ['checkOut'], message: detail, params: { field: code } });
}

/** Language of messages to a guest. */
export const language = z
  .enum(LANGUAGES)
  .describe('Of messages to the guest; the policy `language` of the property when absent.');

export const preferences = z
  .strictObject({
    roomType: optionalRoomType,
    floorPreference: z.enum(['LOW', 'MIDDLE', 'HIGH', 'ANY']).optional(),
    bedType: z.enum(['KING', 'QUEEN', 'DOUBLE', 'TWIN', 'SINGLE', 'ANY']).optional(),
    smokingPreference: z.enum(['NON_SMOKING', 'SMOKING']).optional(),
  })
  .transform((said) => definedMembers(said));

/** With `dryRun` the answer shows the result, and nothing is stored. */
export const dryRunQuery = z.object({ dryRun: queryFlag.default(false) });
export type DryRunQuery = z.infer<typeof dryRunQuery>;
