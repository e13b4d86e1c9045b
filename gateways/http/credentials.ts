import type { FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { TenantId } from '../../src/kernel/rules/ids.ts';
import { unauthenticated } from '../auth/identity.ts';

/** Tenant ids in the header have no colon, comma or space, so that a header sent twice is malformed. */
const TENANT = /^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/;

const AUTHORIZATION = 'authorization';

/** The bearer token of the request. @throws DomainError UNAUTHENTICATED */
export function bearerOf(request: FastifyRequest): string {
  const { authorization } = request.headers;
  if (authorization === undefined) throw unauthenticated('An access token is needed.');
  if (!/^Bearer /i.test(authorization)) throw unauthenticated('Only Bearer tokens are understood here.');
  const token = authorization.slice('Bearer '.length).trim();
  if (token === '') throw unauthenticated('An access token is needed.');
  return token;
}

/**
 * Rejects a request with two tokens: which one counts is ambiguous (Node keeps the first, Deno joins them).
 *
 * @throws DomainError UNAUTHENTICATED
 */
export function demandOneAuthorization({ raw: { rawHeaders } }: Pick<FastifyRequest, 'raw'>): void {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) seen += 1;
  }
  if (seen > 1) throw unauthenticated('The Authorization header was sent twice.');
}

/**
 * The tenant of the request.
 * @throws DomainError TENANT_MISSING when absent, malformed or sent twice (docs/reference/api.md#every-request)
 */
export function tenantOf(request: FastifyRequest): string {
  const given = request.headers['x-tenant-id'];
  if (typeof given === 'string' && TENANT.test(given)) return given;
  const detail = given === undefined ? 'is required' : 'must be one tenant id, sent once';
  throw new DomainError('TENANT_MISSING', `X-Tenant-ID ${detail}.`, {
    errors: [{ parameter: 'X-Tenant-ID', code: given === undefined ? 'MISSING' : 'BAD_FORMAT', detail }],
  });
}

/** @throws DomainError TENANT_FORBIDDEN when the path names another tenant than the header */
export function sameTenant(request: FastifyRequest, tenantId: TenantId): void {
  const { params } = request;
  if (typeof params !== 'object' || params === null || !('tenantId' in params)) return;
  if (params.tenantId !== tenantId)
    throw new DomainError('TENANT_FORBIDDEN', 'Path and X-Tenant-ID name different tenants.');
}

/** Credentials of the event test endpoint (docs/concepts/events.md#to-look-at). */
export type BasicCredentials = { user: string; password: string };

/** Checks Basic credentials. @throws DomainError UNAUTHENTICATED */
export function demandBasic(request: FastifyRequest, expected: BasicCredentials | undefined): void {
  const given = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(request.headers.authorization ?? '')?.[1];
  const text = given === undefined ? '' : Buffer.from(given, 'base64').toString('utf8');
  if (expected === undefined || !equalSecrets(text, `${expected.user}:${expected.password}`)) {
    throw unauthenticated('User name and password are needed.');
  }
}

/** Compares in constant time. */
export function equalSecrets(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
