import type { ErrorKind } from './errors/code.ts';
import { groupErrors } from './errors/groups.ts';
import { guestErrors } from './errors/guests.ts';
import { moneyErrors } from './errors/money.ts';
import { propertyErrors } from './errors/properties.ts';
import { rateErrors } from './errors/rates.ts';
import { requestErrors } from './errors/requests.ts';
import { roomErrors } from './errors/rooms.ts';
import { stayErrors } from './errors/stay.ts';
import { tenantErrors } from './errors/tenants.ts';

/** All error codes in one table (docs/reference/errors.md#errors). */
export const CODES = {
  ...requestErrors,
  ...tenantErrors,
  ...propertyErrors,
  ...guestErrors,
  ...moneyErrors,
  ...rateErrors,
  ...roomErrors,
  ...stayErrors,
  ...groupErrors,
};

export type Code = keyof typeof CODES;

/** One wrong field: a JSON pointer into the body, or the name of a query parameter or header. */
export type FieldError = { pointer?: string; parameter?: string; code: string; detail: string };

/** An available alternative (`alternatives`, docs/reference/api.md#problems). */
export type Alternative = { roomType: string; checkIn: string; checkOut: string };

export type ErrorDetails = {
  errors?: FieldError[];
  alternatives?: Alternative[];
  /** First night or day that broke the rule, `YYYY-MM-DD`. */
  date?: string;
  /** `seq` of the state that the decision was made on. */
  seq?: number;
  retryAfterSeconds?: number;
  /** The error is a replayed idempotency record. */
  replayed?: true;
  /** Request that first got this error. */
  requestId?: string;
  /** Further members of the problem, such as the new price. */
  extra?: Record<string, unknown>;
};

/** The one error class of the product: everything refused on purpose. */
export class DomainError extends Error {
  readonly code: Code;
  readonly details: ErrorDetails;

  constructor(code: Code, detail: string, details: ErrorDetails = {}) {
    super(detail);
    this.name = 'DomainError';
    this.code = code;
    this.details = details;
  }

  get kind(): ErrorKind {
    return CODES[this.code].kind;
  }

  /** Whether the same request, with its key, may succeed later: nothing was done, or it is not known what was. */
  get isRetryable(): boolean {
    const entry: { retryable?: true } = CODES[this.code];
    return entry.retryable === true;
  }
}

/** Result of a check, or the error with which it refuses. Any other error is thrown on. */
export function orError<T>(check: () => T): T | DomainError {
  try {
    return check();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
