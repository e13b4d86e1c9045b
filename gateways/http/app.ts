import type { DynamicModule, ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';

import { propertyId } from '../../src/kernel/contracts/fields.ts';
import type { Tracer } from '../../src/kernel/ports.ts';
import type { Address } from '../../src/kernel/rules/caller.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { ForwardRequest, RequestScope, RequestScopes } from '../../src/platform/coordination/ports.ts';
import { Admission, type AdmissionParts } from './admission/admission.ts';
import { boundConnections } from './admission/connection-bound.ts';
import type { TrustsProxy } from './admission/trusted-proxies.ts';
import { AllowedMethods } from './allowed-methods.ts';
import { encodeAnswers } from './answers.ts';
import { MAX_BODY_BYTES, understandJsonOnly } from './body.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { Cors } from './cors.ts';
import { requestIdOf, traceparentOf } from './exchange.ts';
import { refuseTwoHosts, refuseUnstorable } from './malformed.ts';
import { originForm } from './origin-form.ts';
import { ProblemFilter, sendProblem } from './problem-filter.ts';
import { accessOfRoute } from './route.ts';
import { observeResponses, type RequestObserver } from './telemetry/access-log.ts';
import { nestLog } from './telemetry/nest-log.ts';
import { traceRequests } from './telemetry/tracing.ts';
import { unstorableIn } from './unstorable.ts';
import { refuseFields, SchemaPipe } from './validation.ts';

/** Parts of a service's HTTP edge; `main` builds them once and shares them between the services. */
export type Edge = AdmissionParts & {
  log: Logger;
  /** Allowed browser origins; none when empty. */
  corsOrigins: readonly string[];
  /** Called with every finished request, for metrics. */
  observe?: RequestObserver;
  /**
   * While true, everything below /api gets NOT_EXECUTED: the process is about to end
   * (docs/operations/process.md#stop).
   */
  isDraining?: () => boolean;
  /** While true, answers close their connections, so that the next request goes to another node. */
  isLeaving?: () => boolean;
  /** Whether the database has not confirmed this node's lease for a while: reads then carry a warning. */
  isStale?: () => boolean;
  /** In a cluster: forwards requests whose property has another owner. */
  forwarding?: Forwarding;
  /** Receives the spans of requests. */
  tracer?: Tracer;
  /** Called for each connection closed because of the limit. */
  onRefusedConnection?: () => void;
  /** Proxies whose `X-Forwarded-For` is trusted; none when absent. */
  trustProxy?: TrustsProxy;
  /** Size of the files of an import. */
  importMaxBytes?: number;
  /** Smaller bounds, for few descriptors and in tests. */
  bounds?: Partial<typeof CONNECTION_BOUNDS>;
};

/** Request forwarding to other nodes (docs/concepts/cluster.md#request-forwarding). */
export type Forwarding = {
  requestScopes: RequestScopes;
  /** Node id for the answer's headers; in development only. */
  nodeId?: string;
  /** `undefined` when the property is served here. */
  forwardTarget(to: Address): ForwardTarget | undefined;
  /** Has another node answer the request. */
  send(request: FastifyRequest, reply: FastifyReply, target: ForwardTarget): Promise<void>;
};

/** The property, and its owner where that is not the node of the view. */
export type ForwardTarget = Pick<ForwardRequest, 'to'> & Partial<Pick<ForwardRequest, 'holder'>>;

/** Bounds of a listener: slow or silent senders are cut off. */
const CONNECTION_BOUNDS = {
  /** Open connections; further ones are closed. */
  connections: 10_000,
  /** Time to receive the head of a request. */
  headMs: 10_000,
  /** Time to receive the whole request. */
  requestMs: 30_000,
  /** Interval at which both are checked. */
  lookMs: 2_000,
  /** Size of the head; a token takes 8 KB of it at most. */
  headBytes: 16 * 1024,
};

/** Longer path parameters cannot be valid ids; the answer is 404, not a server error. */
const MAX_PARAM_LENGTH = 500;
/** Path prefixes whose routes must declare who may call them. */
const GUARDED = ['/api/', '/reservation-engine/', '/dev/', '/ops/', '/actuator', '/mcp/'];

/**
 * Builds the Nest + Fastify app of one service: checks in the order of docs/reference/api.md#every-request, problems
 * for every error, ids, headers, log and limits. It does not listen yet, and handles no signals: `main` does both.
 *
 * @param service controllers and providers, `{ controllers: [Rates], providers: [{ provide: QUOTE, useValue }] }`
 * @throws Error when a route below /api does not declare who may call it (at `init` or `listen`)
 */
export async function createApp(service: ModuleMetadata, edge: Edge): Promise<NestFastifyApplication> {
  const { log } = edge;
  const bounds = { ...CONNECTION_BOUNDS, ...edge.bounds };
  const adapter = new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    ...(edge.trustProxy && { trustProxy: edge.trustProxy }),
    requestTimeout: bounds.requestMs,
    http: {
      headersTimeout: bounds.headMs,
      connectionsCheckingInterval: bounds.lookMs,
      maxHeaderSize: bounds.headBytes,
    },
    return503OnClosing: false,
    // No Nest middleware is used, and its hook costs time.
    skipMiddie: true,
    genReqId: (raw: FastifyRequest['raw']) => requestIdOf(raw.headers),
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(log, error, request, reply),
    clientErrorHandler: answerBrokenRequest,
    rewriteUrl: ({ url = '/' }: FastifyRequest['raw']) => originForm(url),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
  });
  const app = await NestFactory.create<NestFastifyApplication>(moduleOf(service), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: nestLog(log),
  });
  boundConnections(adapter.getInstance().server, bounds.connections, edge.onRefusedConnection);
  installHooks(adapter.getInstance(), edge);
  app.useGlobalPipes(new SchemaPipe());
  app.useGlobalFilters(new ProblemFilter(log, edge.forwarding));
  return app;
}

/** Nest requires a class for each module. */
function moduleOf(service: ModuleMetadata): DynamicModule {
  // oxlint-disable-next-line typescript/no-extraneous-class
  return { ...service, module: class ServiceModule {} };
}

function installHooks(instance: FastifyInstance, edge: Edge): void {
  const methods = new AllowedMethods();
  const admission = new Admission(edge, methods);
  const observe = observeResponses(edge.log, edge.observe);
  const cors = new Cors(edge.corsOrigins);
  instance.decorateRequest('caller', null);
  instance.decorateRequest('operator', null);
  instance.decorateRequest('answered', null);
  instance.decorateRequest('refused', null);
  instance.decorateRequest('challenge', null);
  instance.decorateRequest('agentResource', null);
  instance.decorateRequest('trusted', false);
  instance.decorateRequest('requestScope', null);
  understandJsonOnly(instance, edge.importMaxBytes);
  if (edge.tracer) traceRequests(instance, edge.tracer);
  instance.addHook('onRoute', (route) => {
    methods.add(route.url, route.method);
    guardRoute(route, admission);
    route.onResponse = observe(route.url);
  });
  // Not async: this hook is on the path of every request, and nearly always completes synchronously.
  instance.addHook('onRequest', (request, reply, done) => {
    request.requestScope = edge.forwarding?.requestScopes.current() ?? null;
    stampAnswer(request, reply);
    refuseTwoHosts(request);
    stampNode(request, reply, edge);
    if (edge.isLeaving?.() === true) reply.header('connection', 'close');
    if (cors.answers(request, reply)) void reply.code(204).send();
    // oxlint-disable-next-line promise/no-callback-in-promise
    else if (request.is404) admission.nothingHere(request, reply).catch(done);
    else done(isRefusedByDrain(request, edge) ? draining() : undefined);
  });
  // After authentication: callers without permission learn nothing about parameters.
  instance.addHook('preValidation', (request, _reply, done) => {
    refuseUnstorable(request);
    done();
  });
  // Once the body is there: a slow sender uses nothing of its tenant.
  instance.addHook('preHandler', (request, reply, done) => {
    const begun = admission.waitForShare(request, reply);
    // oxlint-disable-next-line promise/no-callback-in-promise
    if (begun) begun.then(() => done(), done);
    else done();
  });
  instance.addHook('onSend', (request, _reply, _payload, done) => {
    request.answered?.();
    done();
  });
  encodeAnswers(instance);
  if (edge.forwarding) forwardRequests(instance, edge.forwarding);
  const unrouted = observe('(none)');
  instance.addHook('onResponse', (request, reply, done) => {
    // Work after the answer, or started by the request, can no longer be forwarded.
    if (request.requestScope) request.requestScope.begun = true;
    if (request.is404) unrouted(request, reply, done);
    else done();
  });
}

/** In `preHandler`, and not before the body is read: reading loses the asynchronous context of earlier hooks. */
function forwardRequests(instance: FastifyInstance, forwarding: Forwarding): void {
  instance.addHook('preHandler', (request, reply, done) => {
    const scope = (request.requestScope ??= requestScopeOf(request));
    const to = scope.admitted ? undefined : namedProperty(request);
    const others = to && forwarding.forwardTarget(to);
    // oxlint-disable-next-line promise/no-callback-in-promise
    if (others) forwarding.send(request, reply, others).catch(done);
    else forwarding.requestScopes.run(scope, done);
  });
}

const propertyReference = z.object({ propertyId });

/** The property of a request whose operation calls it first: its owner handles the whole request. */
function namedProperty({ caller, body, routeOptions }: FastifyRequest): Address | undefined {
  if (!caller || routeOptions.config.access?.isForOwner !== true) return undefined;
  const named = propertyReference.safeParse(body);
  // An invalid body is rejected here: no node would accept it.
  if (!named.success || unstorableIn(body).length > 0) return undefined;
  return { tenantId: caller.tenantId, propertyId: named.data.propertyId };
}

/** Fails closed: below the guarded paths every route declares who may call it, or the app does not start. */
function guardRoute(route: RouteOptions, admission: Admission): void {
  const access = accessOfRoute(route.config);
  if (access === undefined) {
    if (!GUARDED.some((prefix) => `${route.url}/`.startsWith(prefix))) {
      // The API documents and their page: public, without a decorator, and a megabyte in size.
      route.onRequest = (request, reply) => admission.limitAnonymous(request, reply);
      return;
    }
    throw new Error(`${String(route.method)} ${route.url} needs @Needs(), or @Open()`);
  }
  const reads = ['GET', 'HEAD'].includes([route.method].flat()[0] ?? '');
  if (!reads && route.config?.access?.takesBody === false) route.preHandler = refuseFields;
  const countsAs = route.config?.access?.countsAs;
  // Before it may be forwarded: the receiving node counts.
  if (countsAs)
    route.preValidation = (request, reply) => admission.countMore(request, reply, countsAs(request.body) - 1);
  const hook = admission.hookFor(access);
  if (hook !== undefined)
    route.onRequest = (request, reply, done) => {
      const waiting = request.requestScope?.admitted ? acceptForwarded(request) : hook(request, reply);
      // oxlint-disable-next-line promise/no-callback-in-promise
      if (waiting) waiting.then(() => done(), done);
      else done();
    };
}

/**
 * Requests that do not concern one property, such as the development clock, are handled where they are received, and so
 * are pages that do not say that they are for its owner.
 */
function requestScopeOf({ url, body, routeOptions }: FastifyRequest): RequestScope {
  const { staysHere = false, isForOwner = false } = routeOptions.config.access ?? {};
  const stays = typeof staysHere === 'function' ? staysHere(body) : staysHere;
  return { begun: (!isApi(url) && !isForOwner) || stays };
}

/** Takes over the caller that the forwarding node has authenticated and counted. */
function acceptForwarded(request: FastifyRequest): undefined {
  const { caller, operator } = request.requestScope!.admitted!;
  if (caller) request.caller = caller;
  if (operator) request.operator = operator;
}

/** Requests admitted by other nodes are finished during a drain. */
function isRefusedByDrain(request: FastifyRequest, { isDraining }: Edge): boolean {
  return isDraining?.() === true && isApi(request.url) && !request.requestScope?.admitted;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Scope of the request: whether it was forwarded by another node, or can still be forwarded. */
    requestScope: RequestScope | null;
  }
}

/** For answers that are not pages: a browser runs and loads nothing. Pages set their own policy. */
const NOTHING_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** For the API documents page, which loads its own files and inline styles. */
const DOCUMENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function stampAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('traceparent', request.span?.traceparent ?? traceparentOf(request.headers, request.id));
  reply.header('x-content-type-options', 'nosniff');
  if (!isApi(request.url)) {
    reply.header('referrer-policy', 'no-referrer');
    reply.header('x-frame-options', 'DENY');
    reply.header('content-security-policy', request.url.startsWith('/swagger-ui') ? DOCUMENT_POLICY : NOTHING_POLICY);
    return;
  }
  reply.header('content-security-policy', NOTHING_POLICY);
  reply.header('cache-control', 'no-store');
  // For handlers that return JSON as text.
  reply.header('content-type', 'application/json; charset=utf-8');
}

/** Stamps the node that answers; the answer of another node carries its own stamp. */
function stampNode(request: FastifyRequest, reply: FastifyReply, { forwarding, isStale }: Edge): void {
  if (forwarding?.nodeId !== undefined) reply.header('x-innkeeper-node', forwarding.nodeId);
  if (request.method === 'GET' && isStale?.() === true) reply.header('warning', '110 - "Response is Stale"');
}

/** Requests of programs to operations; the others are pages, health and documents. */
function isApi(url: string): boolean {
  return url.startsWith('/api/') || /^\/mcp(?:\?|$)/.test(url);
}

function draining(): DomainError {
  return new DomainError('NOT_EXECUTED', 'The service is going down; another one takes over.', {
    retryAfterSeconds: 1,
  });
}
