import type { z } from 'zod';

/** Enumeration values listed in a message; the OpenAPI document has all of them. */
const MAX_LISTED_VALUES = 30;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'is not an e-mail address',
  uuid: 'is not a UUID',
  guid: 'is not a UUID',
  url: 'is not a URL',
  datetime: 'is not a date and time with its zone, such as 2027-01-31T15:00:00Z',
  date: 'is not a calendar day YYYY-MM-DD',
  time: 'is not a time',
  json_string: 'is not JSON',
};

/**
 * Message of a rejected field, for every kind of zod issue, so that answers do not depend on a library's wording. A
 * message in the schema itself takes precedence.
 */
export function fieldMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'does not have the expected form';
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`;
    case 'unrecognized_keys':
      return 'has fields that are not known';
    case 'invalid_value':
      return notOneOf(issue.values);
    case 'invalid_union':
      return 'has none of the allowed forms';
    case 'invalid_key':
      return 'has a name that is not allowed';
    case 'invalid_element':
      return 'has an entry that is not allowed';
    case 'custom':
    default:
      return 'is not allowed';
  }
}

type Bound = { origin: string; inclusive?: boolean };

function tooSmall({ origin, minimum, inclusive }: Bound & { minimum: number | bigint }): string {
  if (origin === 'string') return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} characters`;
  if (isCounted(origin)) return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} entries`;
  return inclusive === false ? `must be more than ${minimum}` : `must be at least ${minimum}`;
}

function tooBig({ origin, maximum, inclusive }: Bound & { maximum: number | bigint }): string {
  if (origin === 'string') return `must have at most ${maximum} characters`;
  if (isCounted(origin)) return `must have at most ${maximum} entries`;
  return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`;
}

function isCounted(origin: string): boolean {
  return ['array', 'set', 'map', 'record', 'object'].includes(origin);
}

function notOneOf(values: readonly unknown[]): string {
  const listed = values.slice(0, MAX_LISTED_VALUES).map(String);
  const rest = values.length > listed.length ? ' and others' : '';
  return values.length === 1 ? `must be ${listed[0]}` : `must be one of ${listed.join(', ')}${rest}`;
}
