import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * What browsers of allowed origins may send and read (docs/reference/configuration.md#listeners). Tokens travel in
 * headers, never in cookies.
 */
const METHODS = 'GET, HEAD, POST, PUT, DELETE';
const SENT = [
  'authorization, content-type, x-tenant-id, idempotency-key, if-match, x-request-id, traceparent',
  // The MCP server, where an agent runs in a browser.
  'mcp-protocol-version, mcp-method, mcp-name',
].join(', ');
const READ = [
  'location, link, etag, age, allow, retry-after, idempotency-replayed, x-property-seq, x-request-id, x-next-cursor',
  'traceparent, server-timing, www-authenticate, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
].join(', ');
const PREFLIGHT_SECONDS = 600;

/** Answers CORS requests. (@fastify/cors costs every request 7 us, cross-origin or not; this costs nothing.) */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** Sets the CORS headers. @returns whether the request was a preflight, answered by them alone */
  answers(request: FastifyRequest, reply: FastifyReply): boolean {
    if (this.#origins.size === 0) return false;
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !this.#origins.has(origin)) return false;
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', READ);
    const isPreflight = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers;
    if (!isPreflight) return false;
    reply.header('access-control-allow-methods', METHODS);
    reply.header('access-control-allow-headers', SENT);
    reply.header('access-control-max-age', PREFLIGHT_SECONDS);
    return true;
  }
}
