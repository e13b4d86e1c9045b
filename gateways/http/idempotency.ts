import type { FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { reading } from './route.ts';

/**
 * The key of a request, and the fingerprint that distinguishes a repeat from another request
 * (docs/reference/api.md#idempotency).
 */
export type Idempotency = {
  /** 1 to 255 characters. */
  key: string;
  /** SHA-256 in hex over method, path with query, and body. */
  fingerprint: string;
};

/** Gives the handler the `Idempotency-Key` with its fingerprint; `undefined` when none was sent. */
export const IdempotencyKey = reading(['Idempotency-Key'], (context) =>
  idempotencyOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/**
 * Reads the `Idempotency-Key` header.
 * @throws DomainError VALIDATION_FAILED when it is empty or longer than 255 characters
 */
export function idempotencyOf(request: FastifyRequest): Idempotency | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length < 1 || key.length > 255) {
    const detail = 'must have 1 to 255 characters';
    throw new DomainError('VALIDATION_FAILED', 'One field is wrong.', {
      errors: [{ parameter: 'Idempotency-Key', code: 'BAD_FORMAT', detail }],
    });
  }
  return { key, fingerprint: fingerprintOf(request.method, request.url, request.body) };
}

/**
 * The order of members and white space do not count: a client that serializes the body again sends the same request.
 */
function fingerprintOf(method: string, url: string, body: unknown): string {
  return hash('sha256', `${method} ${url}\n${canonical(body)}`, 'hex');
}

function canonical(body: unknown): string {
  return body === undefined || body === null ? '' : JSON.stringify(body, sorted);
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
