import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** Called with a finished request. `pattern` is the route, never the path: a label must not contain guest ids. */
export type RequestObserver = (pattern: string, method: string, status: number, seconds: number) => void;

type OnResponse = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** Slower answers are always logged, quick successful reads one in a hundred (docs/operations/process.md#log). */
const SLOW_MS = 200;
const SAMPLE_OF_READS = 100;
/** Sampling of rate-limited anonymous requests: a flood of them must not become a flood of log lines. */
const SAMPLE_OF_FLOOD = 100;

/** Creates the hook that logs and counts the answers of a route. */
export function observeResponses(log: Logger, observe: RequestObserver | undefined): (pattern: string) => OnResponse {
  let reads = 0;
  let flooded = 0;
  return (pattern) => (request, reply, done) => {
    // The receiving node counts and logs the request.
    if (request.requestScope?.admitted) return done();
    const ms = reply.elapsedTime;
    const { method } = request;
    const status = reply.statusCode;
    observe?.(pattern, method, status, ms / 1000);
    const quickRead = (method === 'GET' || method === 'HEAD') && status < 400 && ms < SLOW_MS;
    const isFlood = status === 429 && request.caller === null;
    const isSkipped =
      (quickRead && ++reads % SAMPLE_OF_READS !== 0) || (isFlood && flooded++ % SAMPLE_OF_FLOOD !== 0);
    if (!isSkipped) log.info(lineOf(pattern, request, reply, ms), 'request');
    done();
  };
}

/** Without query and concrete path: they may name guests. */
function lineOf(pattern: string, request: FastifyRequest, reply: FastifyReply, ms: number): Record<string, unknown> {
  const { caller, refused, method, id } = request;
  return {
    requestId: id,
    method,
    route: pattern,
    status: reply.statusCode,
    ms: Math.round(ms * 100) / 100,
    ...(refused !== null && { code: refused }),
    ...(caller !== null && { tenantId: caller.tenantId, subject: caller.subject }),
  };
}
