import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';

/** An id from outside that may stand in logs, headers and journal rows as it is. */
const SANE_ID = /^[A-Za-z0-9._:-]{1,64}$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const TRACE_PARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/**
 * The request's id: the caller's `X-Request-Id` when it is sane, else a new one (docs/reference/api.md#every-request).
 */
export function requestIdOf(headers: FastifyRequest['headers']): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
}

/**
 * `traceparent` of our part of the trace (W3C Trace Context): the caller's trace goes on under a new span; without one
 * a trace begins here, and its id is the request's.
 */
export function traceparentOf(headers: FastifyRequest['headers'], requestId: string): string {
  const given = headers['traceparent'];
  const trace = typeof given === 'string' ? TRACE_PARENT.exec(given) : null;
  if (trace !== null) return `00-${trace[1]}-${digitsOf(randomUUID()).slice(16)}-${trace[2]}`;
  const digits = UUID.test(requestId) ? digitsOf(requestId) : digitsOf(randomUUID());
  return `00-${digits}-${digits.slice(16)}-00`;
}

function digitsOf(uuid: string): string {
  return uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24);
}

/** Path of the request without its query. */
export function pathOf(request: FastifyRequest): string {
  const { url } = request;
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/**
 * `X-Property-Seq`: the position of the property's state that the answer was made of
 * (docs/reference/api.md#every-answer).
 */
export function stampSeq(reply: FastifyReply, seq: number): void {
  reply.header('x-property-seq', seq);
}

/** A strong `ETag` of a version (docs/reference/api.md#versions). */
export function stampEtag(reply: FastifyReply, version: number | string): void {
  reply.header('etag', `"${version}"`);
}

/** Adds one part to `Server-Timing`, such as `actor` or `db`; `ms` may have fractions. */
export function addTiming(reply: FastifyReply, part: string, ms: number): void {
  const before = reply.getHeader('server-timing');
  const entry = `${part};dur=${ms.toFixed(2)}`;
  reply.header('server-timing', before === undefined ? entry : `${String(before)}, ${entry}`);
}
