import { CODES, type Code, type DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { ErrorKind } from '../../src/kernel/rules/errors/code.ts';

/** HTTP status by kind of error, the only place for it (docs/reference/api.md#problems). */
export const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  method: 405,
  slow: 408,
  conflict: 409,
  stale: 412,
  size: 413,
  media: 415,
  rule: 422,
  limit: 429,
  headers: 431,
  fault: 500,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>;

/** Media type of every problem (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Body of a problem. Members of `ErrorDetails.extra` are added to it. */
type HttpProblem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: Code;
  requestId: string;
  retryable: boolean;
};

/** Last path segment of a code's page: `ROOM_TAKEN` -> `room-taken`. */
export function slugOf(code: Code): string {
  return code.toLowerCase().replaceAll('_', '-');
}

/** HTTP status of a code. */
export function statusOf(code: Code): number {
  return STATUS[CODES[code].kind];
}

/**
 * The problem for an error, the same in HTTP bodies and frames of the live protocol.
 *
 * @param instance path of the request without its query, which may hold personal data
 */
export function problemOf(
  error: DomainError,
  instance: string,
  requestId: string,
): HttpProblem & Record<string, unknown> {
  const { code, details } = error;
  const { errors, alternatives, date, seq, extra } = details;
  return {
    ...extra,
    type: `/problems/${slugOf(code)}`,
    title: CODES[code].title,
    status: statusOf(code),
    detail: error.message,
    instance,
    code,
    requestId,
    retryable: error.isRetryable,
    ...(errors && { errors }),
    ...(alternatives && { alternatives }),
    ...(date !== undefined && { date }),
    ...(seq !== undefined && { seq }),
  };
}

/** Seconds for `Retry-After`; `undefined` where repeating does not help. */
export function retryAfterOf(error: DomainError): number | undefined {
  const { retryAfterSeconds } = error.details;
  if (retryAfterSeconds !== undefined) return Math.max(1, Math.ceil(retryAfterSeconds));
  const asks = error.kind === 'unavailable' || error.kind === 'limit' || error.code === 'IDEMPOTENCY_IN_PROGRESS';
  return asks ? 1 : undefined;
}
