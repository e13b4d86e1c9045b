import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { randomBytes } from 'node:crypto';

import { developmentKeys } from '../../gateways/auth/development-keys.ts';
import { Reader } from '../../gateways/events/reader.ts';
import { AcceptWatch } from '../../gateways/http/admission/accept-watch.ts';
import { connectionsOf, maxConnections } from '../../gateways/http/admission/connection-bound.ts';
import { clientOf, trustedBy } from '../../gateways/http/admission/trusted-proxies.ts';
import { createApp, type Edge } from '../../gateways/http/app.ts';
import { drainHttp } from '../../gateways/http/drain-http.ts';
import { HealthBoard } from '../../gateways/http/telemetry/health-board.ts';
import { NodeFigures } from '../../gateways/http/telemetry/node-figures.ts';
import { measureNode } from '../../gateways/http/telemetry/node-metrics.ts';
import { NodeStatus, type SocketFigures } from '../../gateways/http/telemetry/node-status.ts';
import { OperatorReads } from '../../gateways/http/telemetry/operator-reads.ts';
import { attachLive, type LiveGateway } from '../../gateways/live/attach.ts';
import { type LiveAuthenticators, liveAuthenticator, roleBy } from '../../gateways/live/authenticator.ts';
import { LiveHealth } from '../../gateways/live/health.ts';
import { UNCOUNTED_FRAMES } from '../../gateways/live/limits.ts';
import { LiveQuotas, liveQuotasOf } from '../../gateways/live/quotas.ts';
import { RequestForwarder } from '../../gateways/nodes/request-forwarder.ts';
import { type DocsSettings, setUpDocs } from '../../gateways/rest/docs.ts';
import { lookBack } from '../history/operations/look-back.ts';
import { DRAIN_MS } from '../kernel/rules/drain.ts';
import { hasClients, hasJobs } from '../kernel/rules/placement.ts';
import type { UsedNow } from '../tenants/operations/read-limits.ts';
import { authenticatorsOf } from './access.ts';
import { bind } from './bind.ts';
import type { Context } from './context.ts';
import { openRegistry, openIssuer } from './development-listeners.ts';
import { metricsFor } from './metrics.ts';
import { openGuestPages, openPages, type SignedInBy } from './pages.ts';
import { type Own, TITLES, componentsOf, moduleOf, type ServiceName } from './service-module.ts';

/** The listeners of this process. */
export type Listening = AsyncDisposable & {
  basic: { user: string; password: string };
  /** Resolves with the name of a listener that no longer accepts connections: only a new process helps. */
  listenerFailed: Promise<string>;
  /** Whether health of the services is UP. */
  isUp(): Promise<boolean>;
  /** Makes readiness follow health; called when everything is in place. */
  ready(): void;
  /** Ends readiness: load balancers send no more requests here. */
  markLeaving(): void;
  /** Has sockets reconnect to another node, spread over time, while requests are still answered. */
  drainSockets(): Promise<void>;
};

/**
 * Opens every listener (docs/reference/configuration.md#listeners): rate and reservation service, live gateway with
 * the page, and in development the issuer. Disposing drains: no new requests, those under way finish, sockets are
 * drained.
 */
export async function serve(context: Context): Promise<Listening> {
  const { config, log } = context;
  // Closes what is open already when a later part fails.
  await using stack = new AsyncDisposableStack();
  const keys = config.embeddedIssuer ? await developmentKeys(config.dataDir) : undefined;
  const basic = { user: 'innkeeper', password: config.EVENT_TEST_PASSWORD ?? randomBytes(12).toString('base64url') };
  const phase = new Phase();
  const authenticators = authenticatorsOf(context, keys);
  const edge: Edge = {
    ...edgeOf(context),
    ...authenticators,
    basic,
    // In a cluster requests are forwarded to other nodes until the end.
    isDraining: () => phase.isDraining && !(context.cluster && context.cluster.placement.view.members.length > 0),
    isLeaving: () => phase.isLeaving,
  };
  const watch = stack.use(new AcceptWatch({ log }));
  if (keys) stack.use(await openIssuer(config, keys, { log, watch }));
  if (context.registry) stack.use(await openRegistry(config, context.registry, { log, watch }));
  const { live, board, status, figures, reads } = openStatus(stack, context, phase);
  const { cluster } = context;
  const forwarder = cluster && new RequestForwarder({ ...cluster, production: config.production });
  const apps: NestFastifyApplication[] = [];
  stack.defer(() => drainHttp(apps, phase.leavesSince));
  const open = async (name: ServiceName): Promise<NestFastifyApplication> => {
    // Pages for guests are answered by the reservation service of the owner, which every node has.
    const forwarding = forwarder?.of(name === 'live' ? 'reservation' : name);
    const authenticator = liveAuthenticator(authenticators);
    const signedInBy = { roleOf: roleBy(authenticator), identify: authenticator.identify };
    const usedNow: UsedNow = (tenantId) => edge.limits.usedBy(tenantId);
    const own = { board, status, figures, reads, usedNow, signedInBy };
    const app = await listen(apps, name, context, { ...edge, ...(forwarding && { forwarding }) }, own);
    watch.add(name, app.getHttpServer());
    if (name !== 'live') forwarder?.registerApp(name, app.getHttpAdapter().getInstance());
    return app;
  };
  await open('rate');
  await open('reservation');
  if (cluster && forwarder)
    Object.assign(cluster.nodeRpc, { request: forwarder.serve.bind(forwarder), report: () => status.report() });
  // Only nodes for clients have dashboards.
  const sockets = hasClients(config.NODE_ROLE)
    ? openLive(context, await open('live'), authenticators, { status, live })
    : undefined;
  void status.begin();
  figures.begin();
  const reader = readerOf(context);
  // At the same time: an unavailable broker must not take the time of requests.
  const drainSockets = async (overMs: number): Promise<void> =>
    void (await Promise.all([reader?.[Symbol.asyncDispose](), sockets?.close(overMs)]));
  stack.defer(() => drainSockets(cluster ? 0 : DRAIN_MS.socketsAlone));
  stack.defer(() => {
    phase.markLeaving();
    phase.isDraining = true;
  });
  const opened = stack.move();
  return {
    basic,
    listenerFailed: watch.listenerFailed,
    ready: () => void (phase.isReady = true),
    markLeaving: () => phase.markLeaving(),
    isUp: async () => (await board.report()).status === 'UP',
    drainSockets: () => drainSockets(DRAIN_MS.sockets),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Settings shared by all HTTP listeners. */
function edgeOf({ config, loggers, measured, isStale }: Context) {
  return {
    log: loggers.of('http'),
    ...(config.TRUST_PROXY !== undefined && { trustProxy: trustedBy(config.TRUST_PROXY) }),
    monitoring: { open: config.developmentParts, token: config.METRICS_TOKEN },
    corsOrigins: config.corsOrigins,
    publicUrl: config.PUBLIC_RESERVATION_URL,
    isStale,
    tracer: measured.spans,
  };
}

/** Phase of the listeners: starting, ready, leaving (no new requests are wanted), draining (they are refused). */
class Phase {
  isReady = false;
  isDraining = false;
  /** Start of the drain, by `performance.now()`. */
  leavesSince = Infinity;

  get isLeaving(): boolean {
    return this.leavesSince < Infinity;
  }

  markLeaving(): void {
    this.leavesSince = Math.min(this.leavesSince, performance.now());
  }
}

/** Health and report of this node; readiness lasts from `ready()` until the node is leaving. */
function openStatus(stack: AsyncDisposableStack, context: Context, phase: Phase) {
  const { config, node, cluster, figures, health, liveness } = context;
  const { clock, jobs } = context.services;
  const live = new LiveHealth();
  const isOut = (): boolean => !phase.isReady || phase.isLeaving;
  const board = new HealthBoard(componentsOf([...health, ['live', live.health]], config), isOut, liveness);
  const parts = { node, board, clock, jobs, figures, ...(cluster && { cluster: cluster.part }) };
  const status = stack.use(new NodeStatus(parts));
  return { live, board, status, ...openFigures(stack, context, status) };
}

/** Figures of this node over time, and those of all nodes for operators. */
function openFigures(stack: AsyncDisposableStack, context: Context, status: NodeStatus) {
  const { node, measured, looks, figureRows: rows, loggers, realTime: now } = context;
  const { edge, commits, fanOut, spans } = measured;
  const own = { nodeId: node.nodeId, status, looks, rows, edge, commits, fanOut, now, log: loggers.root };
  const figures = stack.use(
    new NodeFigures({ ...own, retained: () => spans.retained(), bookings: () => measured.bookings }),
  );
  return { figures, reads: new OperatorReads({ looks, rows, now, watch: () => figures.watch }) };
}

/** Topics are read on nodes with jobs, where brokers are configured. */
function readerOf({ topics, services, config, log, rounds, tracer }: Context): Reader | undefined {
  return topics && hasJobs(config.NODE_ROLE) ? new Reader({ topics, services, log, rounds, tracer }) : undefined;
}

/** Opens the live protocol on a listener. */
function openLive(
  context: Context,
  app: NestFastifyApplication,
  authenticators: LiveAuthenticators,
  { status, live }: { status: NodeStatus; live: LiveHealth },
): LiveGateway {
  const { services, config, loggers, requestCounters } = context;
  const { RATE_LIMIT_TENANT: tenant, RATE_LIMIT_SUBJECT: subject, RATE_LIMIT_ADDRESS: address } = config;
  const httpServer = app.getHttpServer();
  const gateway = attachLive({
    httpServer,
    properties: services.properties,
    market: (of, start, end) => services.competitors.market(of, start, end),
    lookBack: (of, asOf, before) => lookBack(services, of, asOf, before),
    authenticator: liveAuthenticator(authenticators),
    clock: services.clock,
    log: loggers.of('live'),
    corsOrigins: config.corsOrigins,
    quotas: new LiveQuotas(liveQuotasOf({ tenant, subject, address }), requestCounters),
    addressOf: clientOf(trustedBy(config.TRUST_PROXY)),
    fanOut: context.measured.fanOut,
    ...(subject === 0 && { limits: UNCOUNTED_FRAMES }),
  });
  const figures = (): SocketFigures => gateway.figures();
  status.watchLive(() => gateway.stats(), figures);
  live.watch({ figures, connections: () => connectionsOf(httpServer) });
  return gateway;
}

/** @throws Error with one clear line when the port is taken */
async function listen(
  apps: NestFastifyApplication[],
  name: ServiceName,
  context: Context,
  edge: Edge,
  own: Own & { signedInBy: SignedInBy },
): Promise<NestFastifyApplication> {
  const { config } = context;
  const metrics = metricsFor(name, context);
  measureNode(metrics, own.status);
  const refused = metrics.counter('http.connections.refused', 'Connections closed because there were too many');
  const app = await createApp(moduleOf(name, context, metrics, own), {
    ...edge,
    observe: own.figures.observed(name, metrics),
    onRefusedConnection: () => refused(),
    importMaxBytes: config.IMPORT_MAX_BYTES,
    bounds: { connections: maxConnections(name, config.INNKEEPER_OPEN_FILES) },
  });
  const title = TITLES[name];
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  const { limits, forwarding } = edge;
  if (name === 'live')
    await fastify.register(async (pages) => openPages(pages, context, limits, own.signedInBy, forwarding));
  else {
    const publicUrl = name === 'rate' ? config.PUBLIC_RATE_URL : config.PUBLIC_RESERVATION_URL;
    setUpDocs(app, { ...docsOf(title, context), publicUrl });
    if (name === 'reservation' && forwarding) await openGuestPages(fastify, context, forwarding, true);
  }
  const variable = { rate: 'RATE_PORT', reservation: 'RESERVATION_PORT', live: 'LIVE_PORT' } as const;
  await app.init();
  // Fastify's own listen: Nest would also log a taken port, and one clear line is enough.
  await bind(variable[name], config[variable[name]], (port) => fastify.listen({ port, host: config.HOST }));
  apps.push(app);
  return app;
}

/** Settings of the OpenAPI document besides its operations. */
function docsOf(title: string, { config, clock }: Context): DocsSettings {
  const { issuer, developmentParts: development } = config;
  const today = (): number => Math.floor(clock.now() / 86_400_000);
  return { title, description: 'Hotel rates and reservations.', issuer, development, today };
}
