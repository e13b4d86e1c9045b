import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { OpenSpan, Tracer } from '../../../src/kernel/ports.ts';
import { traceIdOf } from '../exchange.ts';
import { accessOfRoute } from '../route.ts';

/**
 * Creates spans of requests and their operations; commands of the operation carry its span. Without tracing no hooks
 * are added. Must be called before other hooks are added.
 */
export function traceRequests(instance: FastifyInstance, tracer: Tracer): void {
  instance.decorateRequest('span', null);
  instance.decorateRequest('operation', null);
  instance.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const parent = typeof traceparent === 'string' ? traceparent : undefined;
    const name = `${request.method} ${routeOf(request)}`;
    request.span = tracer.open(name, 'server', parent, traceIdOf(request.id)) ?? null;
    done();
  });
  instance.addHook('preHandler', (request, _reply, done) => {
    if (request.span) {
      request.operation = tracer.open(operationOf(request), 'internal', request.span.traceparent) ?? null;
      if (request.caller && request.operation) request.caller.trace = request.operation.traceparent;
    }
    done();
  });
  instance.addHook('onSend', (request, reply, _payload, done) => {
    request.operation?.end({}, reply.statusCode >= 500);
    request.operation = null;
    done();
  });
  instance.addHook('onResponse', (request, reply, done) => {
    request.span?.end(factsOf(request, reply), reply.statusCode >= 500);
    done();
  });
}

/** The route, never the path: that may name guests. */
const routeOf = (request: FastifyRequest): string =>
  request.is404 ? '(none)' : (request.routeOptions.url ?? '(none)');

/** The operation is named by the permission it needs. */
function operationOf({ routeOptions: { config } }: FastifyRequest): string {
  const access = accessOfRoute(config);
  return access?.gate === 'tenant' ? access.permission : (access?.gate ?? 'page');
}

function factsOf(request: FastifyRequest, { statusCode }: FastifyReply) {
  return {
    'http.request.method': request.method,
    'http.route': routeOf(request),
    'http.response.status_code': statusCode,
    'innkeeper.request': request.id,
    'innkeeper.tenant': request.caller?.tenantId,
    'innkeeper.refused': request.refused ?? undefined,
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Open spans of the request and its operation; null without tracing. */
    span: OpenSpan | null;
    operation: OpenSpan | null;
  }
}
