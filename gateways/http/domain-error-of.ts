import { HttpException } from '@nestjs/common';

import { isReadOnlyCode, READ_ONLY_DETAIL } from '../../src/kernel/rules/database-unavailable.ts';
import { type Code, DomainError } from '../../src/kernel/rules/domain-error.ts';

/**
 * Converts anything thrown into a DomainError: own errors as they are, those of Nest and Fastify by status, a lost
 * database as STORE_UNAVAILABLE, and all else as INTERNAL, without its reason.
 */
export function domainErrorOf(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  const status = clientErrorStatus(thrown);
  if (status !== undefined) return fromStatus(status, thrown);
  if (isAnyOf(thrown, isReadOnly)) {
    return new DomainError('STORE_READ_ONLY', READ_ONLY_DETAIL, { retryAfterSeconds: 2 });
  }
  if (isAnyOf(thrown, isConnectionLoss)) {
    return new DomainError('STORE_UNAVAILABLE', 'The database does not answer at the moment.', {
      retryAfterSeconds: 2,
    });
  }
  return new DomainError('INTERNAL', 'A fault of ours; it is logged under the request id.');
}

const BY_STATUS: Partial<Record<number, [Code, string]>> = {
  401: ['UNAUTHENTICATED', 'A valid access token is needed.'],
  404: ['ROUTE_NOT_FOUND', 'Nothing has this path.'],
  405: ['METHOD_NOT_ALLOWED', 'The path exists, the method does not.'],
  413: ['BODY_TOO_LARGE', 'A body may have 256 KB, a photo 3 MB, an import `IMPORT_MAX_BYTES`.'],
  414: ['ROUTE_NOT_FOUND', 'Nothing has a path so long.'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.'],
};

function fromStatus(status: number, thrown: unknown): DomainError {
  const known = BY_STATUS[status];
  if (known !== undefined) return new DomainError(...known);
  if (member(thrown, 'code') === 'FST_ERR_BAD_URL') {
    const detail = 'The path is not a well-formed URL.';
    return new DomainError('VALIDATION_FAILED', detail, {
      errors: [{ parameter: 'path', code: 'BAD_FORMAT', detail }],
    });
  }
  return new DomainError('BODY_UNREADABLE', 'The body is not one valid JSON document.');
}

function clientErrorStatus(thrown: unknown): number | undefined {
  const status = thrown instanceof HttpException ? thrown.getStatus() : member(thrown, 'statusCode');
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}

const LOST_SOCKET = new Set('ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENOTFOUND EAI_AGAIN'.split(' '));
/**
 * PostgreSQL errors: shutting down, crashed, starting, too many connections; busy: lock timeout, statement timeout,
 * deadlock.
 */
const LOST_SERVER = new Set(['57P01', '57P02', '57P03', '53300', '55P03', '57014', '40P01']);
const LOST_WORDS =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable|connection error/i;

const isReadOnly = (error: Error): boolean => isReadOnlyCode(member(error, 'code'));

/** `isTemporary` is a mark of `DatabaseFailure`. */
function isConnectionLoss(error: Error): boolean {
  const code = member(error, 'code');
  if (typeof code === 'string' && isLost(code)) return true;
  return LOST_WORDS.test(error.message) || member(error, 'isTemporary') === true;
}

/** Drivers and mappers wrap errors, so causes are searched some levels deep. Partners translate their own failures. */
function isAnyOf(thrown: unknown, is: (error: Error) => boolean, depth = 0): boolean {
  if (!(thrown instanceof Error) || depth > 4) return false;
  if (is(thrown)) return true;
  const inner = [thrown.cause, member(thrown, 'previous')];
  if (thrown instanceof AggregateError) inner.push(...thrown.errors);
  return inner.some((error) => isAnyOf(error, is, depth + 1));
}

function isLost(code: string): boolean {
  return LOST_SOCKET.has(code) || LOST_SERVER.has(code) || /^08[0-9A-Z]{3}$/.test(code);
}

function member(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}
