import type { FastifyRequest } from 'fastify';

import { type FieldError, DomainError } from '../../src/kernel/rules/domain-error.ts';
import { fieldErrorsOf } from './field-errors.ts';
import { unstorableIn } from './unstorable.ts';

/**
 * Rejects a request with two Host headers (RFC 9112, 3.2): a proxy in front may have used the other one.
 *
 * @throws DomainError VALIDATION_FAILED
 */
export function refuseTwoHosts({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): void {
  const { rawHeaders } = raw;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  // Deno joins repeated headers.
  if (hosts < 2 && headers.host?.includes(',') !== true) return;
  throw malformed([{ parameter: 'Host', code: 'TWICE', detail: 'must be sent once' }]);
}

/**
 * Rejects path and query parameters that PostgreSQL cannot store, whether or not the route has a schema for them: an
 * id with a NUL would otherwise become a database fault.
 *
 * @throws DomainError VALIDATION_FAILED
 */
export function refuseUnstorable({ params, query }: Pick<FastifyRequest, 'params' | 'query'>): void {
  const issues = [...unstorableIn(params), ...unstorableIn(query)];
  if (issues.length === 0) return;
  throw malformed(
    issues
      .flatMap((issue) => fieldErrorsOf(issue, {}))
      .map(({ path, detail }) => ({
        parameter: path,
        code: 'INVALID',
        detail,
      })),
  );
}

function malformed(errors: FieldError[]): DomainError {
  return new DomainError('VALIDATION_FAILED', 'The request has a parameter that cannot be right.', { errors });
}
