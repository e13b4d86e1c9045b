import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

import type { Code, DomainError } from '../../src/kernel/rules/domain-error.ts';
import { ForwardRequest } from '../../src/platform/coordination/ports.ts';
import { stampLimit } from './admission/rate-limit.ts';
import type { Forwarding } from './app.ts';
import { MAX_BODY_BYTES } from './body.ts';
import { domainErrorOf } from './domain-error-of.ts';
import { pathOf, stampSeq } from './exchange.ts';
import { PROBLEM_TYPE, problemOf, retryAfterOf } from './problem.ts';

/** Turns everything that is thrown anywhere at the edge into one kind of answer (docs/reference/api.md#problems). */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #log: Logger;
  readonly #forwarding: Forwarding | undefined;

  constructor(log: Logger, forwarding: Forwarding | undefined) {
    this.#log = log;
    this.#forwarding = forwarding;
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const problem = (error: unknown): void => sendProblem(this.#log, error, request, reply);
    if (thrown instanceof ForwardRequest && this.#forwarding)
      this.#forwarding.send(request, reply, thrown).catch(problem);
    else problem(thrown);
  }
}

/** Sends the problem for `thrown`; faults of ours are logged with their stack, which never leaves the property. */
export function sendProblem(log: Logger, thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = domainErrorOf(thrown);
  if (error.code === 'INTERNAL' || (error.code === 'STORE_UNAVAILABLE' && error !== thrown)) {
    log.error({ requestId: request.id, route: pathOf(request), err: thrown }, error.code);
  }
  if (reply.sent) return;
  request.refused = error.code;
  const problem = problemOf(error, pathOf(request), error.details.requestId ?? request.id);
  stampHeaders(error, request, reply);
  leaveBody(request, reply);
  // A text, so that no serializer or content type of the route has a say in it.
  void reply.code(problem.status).header('content-type', PROBLEM_TYPE).send(JSON.stringify(problem));
}

function stampHeaders(error: DomainError, request: FastifyRequest, reply: FastifyReply): void {
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  const limit = error.details.extra?.['limit'];
  if (error.kind === 'limit' && typeof limit === 'number')
    stampLimit(reply, { limit, remaining: 0, resetSeconds: retryAfter ?? 1 });
  if (error.details.seq !== undefined) stampSeq(reply, error.details.seq);
  if (error.details.replayed) reply.header('idempotency-replayed', 'true');
  if (error.kind === 'unauthenticated') reply.header('www-authenticate', challengeFor(request));
}

/**
 * An error may come before the body was read. Deno's server then waits for somebody to read it, and the next request
 * on the connection with it: what is small is read and forgotten, what is large ends the connection.
 */
function leaveBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return;
  const declared = raw.headers['content-length'];
  if (declared !== undefined && Number(declared) <= MAX_BODY_BYTES) raw.resume();
  else if (declared !== undefined || raw.headers['transfer-encoding'] !== undefined)
    reply.header('connection', 'close');
}

/** RFC 6750: the error is only named when a token was sent. */
function challengeFor(request: FastifyRequest): string {
  if (request.challenge === 'Basic') return 'Basic realm="innkeeper", charset="UTF-8"';
  const sent = request.headers.authorization !== undefined;
  return `Bearer realm="innkeeper"${sent ? ', error="invalid_token"' : ''}`;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of the problem that was answered, for the log. */
    refused: Code | null;
    /** How the route wants to be called, where that is not a bearer token. */
    challenge: 'Basic' | null;
  }
}
