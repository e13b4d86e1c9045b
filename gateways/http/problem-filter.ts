import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

import type { Code, DomainError } from '../../src/kernel/rules/domain-error.ts';
import { ForwardRequest } from '../../src/platform/coordination/ports.ts';
import { AGENT_SCOPE } from '../auth/identity.ts';
import { stampLimit } from './admission/rate-limit.ts';
import type { Forwarding } from './app.ts';
import { MAX_BODY_BYTES } from './body.ts';
import { domainErrorOf } from './domain-error-of.ts';
import { pathOf, stampSeq } from './exchange.ts';
import { sendProblemPage, wantsPage } from './problem-page.ts';
import { PROBLEM_TYPE, problemOf, retryAfterOf } from './problem.ts';

/**
 * Converts everything thrown at the HTTP edge into a problem (docs/reference/api.md#problems), or forwards the
 * request.
 */
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

/** Sends the problem for `thrown`. Faults are logged with their stack, which is never sent. */
export function sendProblem(log: Logger, thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = domainErrorOf(thrown);
  if (error.code === 'INTERNAL' || (error.code === 'STORE_UNAVAILABLE' && error !== thrown)) {
    // The route, never the path: that may be a credential, or name guests.
    log.error({ requestId: request.id, route: request.routeOptions?.url ?? '(none)', err: thrown }, error.code);
  }
  if (reply.sent) return;
  request.refused = error.code;
  const problem = problemOf(error, pathOf(request), error.details.requestId ?? request.id);
  stampHeaders(error, request, reply);
  leaveBody(request, reply);
  if (wantsPage(request)) return sendProblemPage(problem, reply);
  // Sent as text, so that no serializer or content type of the route applies.
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
  if (error.code === 'INSUFFICIENT_SCOPE')
    reply.header('www-authenticate', `Bearer realm="innkeeper", error="insufficient_scope"${resourceOf(request)}`);
}

/**
 * Handles an unread body: an error may be sent before it was read, and Deno's server then waits for a reader, as does
 * the next request on the connection. A small body is read and dropped; a large one closes the connection.
 */
function leaveBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return;
  const declared = raw.headers['content-length'];
  if (declared !== undefined && Number(declared) <= MAX_BODY_BYTES) raw.resume();
  else if (declared !== undefined || raw.headers['transfer-encoding'] !== undefined)
    reply.header('connection', 'close');
}

/** RFC 6750: the error is named only when a token was sent. */
function challengeFor(request: FastifyRequest): string {
  if (request.challenge === 'Basic') return 'Basic realm="innkeeper", charset="UTF-8"';
  const sent = request.headers.authorization !== undefined;
  return `Bearer realm="innkeeper"${sent ? ', error="invalid_token"' : ''}${resourceOf(request)}`;
}

/** RFC 9728: where a client learns which issuer its token should come from. */
const resourceOf = ({ agentResource }: FastifyRequest): string =>
  agentResource === null ? '' : `, scope="${AGENT_SCOPE}", resource_metadata="${agentResource}"`;

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of the sent problem, for the log. */
    refused: Code | null;
    /** Authentication scheme of the route, where it is not a bearer token. */
    challenge: 'Basic' | null;
    /** On the route for agents: address of the document about it. */
    agentResource: string | null;
  }
}
