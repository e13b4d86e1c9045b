import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { OpenSpan, Tracer } from '../../../src/kernel/ports.ts';
import { traceIdOf } from '../exchange.ts';
import { accessOfRoute } from '../route.ts';

const UNROUTED = '(none)';

/** The route, never the path: that may name guests. */
type Traced = { route: string; config: FastifyContextConfig };

/**
 * Creates spans of requests and their operations; commands of the operation carry its span. Without tracing no hooks
 * are added. Must be called before other hooks are added.
 */
export function traceRequests(instance: FastifyInstance, tracer: Tracer): void {
  instance.decorateRequest('span', null);
  instance.decorateRequest('operation', null);
  instance.decorateRequest('traced', null);
  instance.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const parent = typeof traceparent === 'string' ? traceparent : undefined;
    request.traced = tracedOf(request);
    const name = `${request.method} ${request.traced.route}`;
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

/** Fastify makes the options of a route anew each time that they are read. */
function tracedOf(request: FastifyRequest): Traced {
  const { url, config } = request.routeOptions;
  return { route: request.is404 ? UNROUTED : (url ?? UNROUTED), config };
}

/** The operation is named by the permission it needs. */
function operationOf({ traced }: FastifyRequest): string {
  const access = accessOfRoute(traced?.config);
  return access?.gate === 'tenant' ? access.permission : (access?.gate ?? 'page');
}

function factsOf(request: FastifyRequest, { statusCode }: FastifyReply) {
  return {
    'http.request.method': request.method,
    'http.route': request.traced?.route ?? UNROUTED,
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
    traced: Traced | null;
  }
}
