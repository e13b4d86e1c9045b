import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';

/** A foreign id that is safe in logs, headers and journal rows. */
const SANE_ID = /^[A-Za-z0-9._:-]{1,64}$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const TRACE_PARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/**
 * The request's id: the caller's `X-Request-Id` when it is safe, else a new one (docs/reference/api.md#every-request).
 */
export function requestIdOf(headers: FastifyRequest['headers']): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
}

/**
 * `traceparent` of this service's part of the trace (W3C Trace Context): continues the caller's trace under a new
 * span, or starts one with the request's id.
 */
export function traceparentOf(headers: FastifyRequest['headers'], requestId: string): string {
  const given = headers['traceparent'];
  const trace = typeof given === 'string' ? TRACE_PARENT.exec(given) : null;
  if (trace !== null) return `00-${trace[1]}-${digitsOf(randomUUID()).slice(16)}-${trace[2]}`;
  const digits = traceIdOf(requestId) ?? digitsOf(randomUUID());
  return `00-${digits}-${digits.slice(16)}-00`;
}

/** Id of a trace that begins with a request; `undefined` where the request's id is not a UUID. */
export function traceIdOf(requestId: string): string | undefined {
  return UUID.test(requestId) ? digitsOf(requestId) : undefined;
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

/** Sets `X-Property-Seq`: the `seq` of the state that the answer shows (docs/reference/api.md#every-answer). */
export function stampSeq(reply: FastifyReply, seq: number): void {
  reply.header('x-property-seq', seq);
}

/** Sets a strong `ETag` (docs/reference/api.md#versions). */
export function stampEtag(reply: FastifyReply, version: number | string): void {
  reply.header('etag', `"${version}"`);
}

/** Adds a part to `Server-Timing`, such as `actor` or `db`; `ms` may have fractions. */
export function addTiming(reply: FastifyReply, part: string, ms: number): void {
  const before = reply.getHeader('server-timing');
  const entry = `${part};dur=${ms.toFixed(2)}`;
  reply.header('server-timing', before === undefined ? entry : `${String(before)}, ${entry}`);
}
