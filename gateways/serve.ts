import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ModuleMetadata } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Kafka } from 'kafkajs';
import type { Logger } from 'pino';

import type { Config } from '../src/platform/config/config.ts';
import type { Loggers } from '../src/platform/telemetry/telemetry.ts';
import { hasClients, hasJobs } from '../src/kernel/rules/placement.ts';
import { DRAIN_MS } from '../src/kernel/rules/drain.ts';
import { DEMO_USERS } from '../src/demo/rules/demo-users.ts';
import type { AsyncApiSettings } from '../src/live/contracts/asyncapi.ts';
import { lookBack } from '../src/history/operations/look-back.ts';
import type { Services } from '../src/kernel/operations/services.ts';
import type { Associations, BrowserSessionStore } from '../src/tenants/ports.ts';
import type { RegistryStore, Topics } from '../src/events/ports.ts';
import type { ClusterPart, Placement, RequestCounters, Turns } from '../src/platform/coordination/ports.ts';
import type { DevelopmentClock, HealthCheck, Tracer } from '../src/kernel/ports.ts';
import type { Outbox } from '../src/notifications/ports.ts';
import type { EventLog } from '../src/events/operations/read-events.ts';
import type { TestEvents } from '../src/events/operations/test-events.ts';
import type { Rounds } from '../src/kernel/rules/rounds.ts';
import { type IntrospectionClient, localVerifier, remoteVerifier } from './auth/access-token.ts';
import { Authenticator } from './auth/authenticator.ts';
import { BrowserSessions } from './auth/browser-sessions.ts';
import { SessionCookies } from './auth/session-cookie.ts';
import { TokenGate } from './auth/token-gate.ts';
import { startDevelopmentIssuer } from './auth/development-issuer.ts';
import { type DevelopmentKeys, developmentKeys } from './auth/development-keys.ts';
import type { TokenClock } from './auth/identity.ts';
import { createApp, type Edge } from './http/app.ts';
import { closeKindly } from './http/close-kindly.ts';
import { AcceptWatch } from './http/admission/accept-watch.ts';
import { connectionsOf, mostConnections } from './http/admission/connection-bound.ts';
import { COMPONENTS, diskSpace, HealthBoard, ping, unconfigured } from './http/telemetry/health-board.ts';
import type { Metrics } from './http/telemetry/metrics.ts';
import { measureNode } from './http/telemetry/node-metrics.ts';
import { type NodeParts, NodeStatus, type SocketFigures } from './http/telemetry/node-status.ts';
import { sendProblem } from './http/problem-filter.ts';
import { openLimitOf, RateLimits } from './http/admission/rate-limit.ts';
import { Reader } from './events/reader.ts';
import { startRegistry } from './events/registry.ts';
import { type LiveDoors, liveAuthenticator } from './live/authenticator.ts';
import { LiveHealth } from './live/health.ts';
import { UNCOUNTED_FRAMES } from './live/limits.ts';
import { LiveQuotas, liveQuotasOf } from './live/quotas.ts';
import { clientOf, trustedBy } from './http/admission/trusted-proxies.ts';
import { attachLive, type LiveGateway } from './live/attach.ts';
import { HandOver } from './nodes/hand-over.ts';
import type { NodeDesk } from './nodes/node-desk.ts';
import type { TcpLinks } from './nodes/tcp-links.ts';
import { registerSignIn } from './live/transport/sign-in.ts';
import { type PageOptions, registerPage } from './live/transport/static.ts';
import { COUNT_VIOLATIONS, ReservationAdmin } from './rest/platform/admin.ts';
import { SERVICES } from './rest/answer.ts';
import { AnalyticsReports } from './rest/revenue/analytics.ts';
import { AuditTrail } from './rest/tenants/audit-trail.ts';
import { Availability } from './rest/revenue/availability.ts';
import { CompetitorSync } from './rest/competitors/competitor-sync.ts';
import { DevClock, DEVELOPMENT_CLOCK } from './rest/platform/dev-clock.ts';
import { ASYNC_API, AsyncApi } from './rest/events/asyncapi.ts';
import { DevEvents, EVENT_LOG } from './rest/events/dev-events.ts';
import { DevOutbox, OUTBOX } from './rest/notifications/dev-outbox.ts';
import { EventTest, TEST_EVENTS } from './rest/events/event-test.ts';
import { type DocsSettings, setUpDocs } from './rest/docs.ts';
import { UserAssociations } from './rest/tenants/associations.ts';
import { ChannelMappings } from './rest/channels/channel-mappings.ts';
import { Extras } from './rest/money/extras.ts';
import { HEALTH, HealthController } from './rest/platform/health.ts';
import { History } from './rest/history/history.ts';
import { LOGGERS, LoggersController } from './rest/platform/loggers.ts';
import { METRICS, MetricsController } from './rest/platform/metrics.ts';
import { ProblemPages } from './rest/problems.ts';
import { CLUSTER_REPORTS, OperatorCluster } from './rest/platform/operator-cluster.ts';
import { OperatorTenants } from './rest/tenants/operator-tenants.ts';
import { Properties } from './rest/properties/properties.ts';
import { Rates } from './rest/rates/rates.ts';
import { Promotions } from './rest/rates/promotions.ts';
import { Groups } from './rest/groups/groups.ts';
import { Holds } from './rest/stay/holds.ts';
import { Receipts, Surveys } from './rest/stay/guest-pages.ts';
import { Guests } from './rest/guests/guests.ts';
import { HousekeepingTasks } from './rest/rooms/housekeeping.ts';
import { StayPapers } from './rest/stay/stay-papers.ts';
import { RateAdmin } from './rest/rates/rate-admin.ts';
import { RatePlans } from './rest/rates/rate-plans.ts';
import { Restrictions } from './rest/rates/restrictions.ts';
import { Refunds } from './rest/money/refunds.ts';
import { ReservationMoney } from './rest/money/reservation-money.ts';
import { Reservations } from './rest/stay/reservations.ts';
import { TenantReservations } from './rest/stay/tenant-reservations.ts';
import { Tenants } from './rest/tenants/tenants.ts';
import { Users } from './rest/tenants/users.ts';
import { Yield } from './rest/revenue/yield.ts';
import { RoomTypes } from './rest/rooms/room-types.ts';
import { Rooms } from './rest/rooms/rooms.ts';
import { type Figures, metricsFor } from './service-metrics.ts';

/** What the gateways stand on. */
export type World = {
  config: Config;
  log: Logger;
  loggers: Loggers;
  services: Services;
  associations: Associations;
  clock: DevelopmentClock;
  /** The database's time without the development offset. */
  realTime: TokenClock;
  /** Components of `/actuator/health`, each under its own name. */
  health: ReadonlyMap<string, HealthCheck>;
  /** What only a new start of the process mends, each under its own name. */
  liveness: ReadonlyMap<string, HealthCheck>;
  /** Messages that development did not send. */
  outbox: Outbox;
  /** What Kafka gets, or would get. */
  events: EventLog;
  /** Of the embedded schema registry, where this process brings it. */
  registry?: RegistryStore;
  browserSessions: BrowserSessionStore;
  /** What rate limits count with. */
  requestCounters: RequestCounters;
  /** To and from the topics, where there are brokers. */
  topics?: Topics<Kafka>;
  /** What the event test endpoint does. */
  tests: TestEvents;
  /** This node, for its own report. */
  node: NodeParts['node'];
  /** Where spans go, where somebody wants them. */
  tracer?: Tracer;
  /** The other nodes, where there are any. */
  cluster?: {
    placement: Placement;
    links: TcpLinks;
    turns: Turns;
    desk: NodeDesk;
    part: ClusterPart;
  };
  figures(): Figures;
  /** Where regular work is registered. */
  rounds: Rounds;
  /** Whether this node's right to answer is overdue to be renewed. */
  isStale(): boolean;
};

/** The listeners of this process and how to reach them. */
export type Listening = AsyncDisposable & {
  basic: { user: string; password: string };
  /** Resolves with the name of a listener that accepts nobody any more: only a new process helps. */
  dead: Promise<string>;
  /** Whether health of the services is UP. */
  isUp(): Promise<boolean>;
  /** From now on readiness is UP where health is: to be called once whoever reads it finds everything in place. */
  ready(): void;
  /** Readiness is over: whoever distributes requests sends no more of them here. */
  leave(): void;
  /** Sockets are told to come back elsewhere, some at a time, while requests are still answered. */
  sendAway(): Promise<void>;
};

/**
 * Opens every listener (docs/reference/configuration.md#listeners): rate and reservation service, live gateway with the
 * page, and in development the issuer. Disposing drains: no new requests, those under way finish, sockets are sent
 * away.
 */
export async function serve(world: World): Promise<Listening> {
  const { config, log } = world;
  // What is open already when a later part fails is closed again.
  await using stack = new AsyncDisposableStack();
  const keys = config.embeddedIssuer ? await developmentKeys(config.dataDir) : undefined;
  const basic = { user: 'innkeeper', password: config.EVENT_TEST_PASSWORD ?? randomBytes(12).toString('base64url') };
  let [leavesSince, draining] = [Infinity, false];
  const leave = (): void => void (leavesSince = Math.min(leavesSince, performance.now()));
  const isLeaving = (): boolean => leavesSince < Infinity;
  const doors = doorsOf(world, keys);
  const edge: Edge = {
    ...{ log: world.loggers.of('http'), basic, ...doors },
    ...(config.TRUST_PROXY !== undefined && { trustProxy: trustedBy(config.TRUST_PROXY) }),
    monitoring: { open: config.developmentParts, token: config.METRICS_TOKEN },
    corsOrigins: config.corsOrigins,
    // With other nodes there is somebody to hand requests on to, to the last.
    isDraining: () => draining && !(world.cluster && world.cluster.placement.view.members.length > 0),
    isLeaving,
    isStale: () => world.isStale(),
    tracer: world.tracer,
  };
  const watch = stack.use(new AcceptWatch({ log }));
  if (keys) stack.use(await openIssuer(config, keys, { log, watch }));
  if (world.registry) stack.use(await openRegistry(config, world.registry, { log, watch }));
  const { isOut, ready } = readiness(isLeaving);
  const live = new LiveHealth();
  const board = new HealthBoard(
    componentsOf([...world.health, ['live', live.health]], config),
    isOut,
    world.liveness,
  );
  const { node, cluster, figures } = world;
  const { clock, jobs } = world.services;
  const status = stack.use(
    new NodeStatus({ node, board, clock, jobs, figures, ...(cluster && { cluster: cluster.part }) }),
  );
  const handOver = cluster && new HandOver({ ...cluster, production: config.production });
  const apps: NestFastifyApplication[] = [];
  stack.defer(() => closeKindly(apps, leavesSince));
  const open = async (name: ServiceName): Promise<NestFastifyApplication> => {
    const own = name === 'live' ? undefined : handOver?.of(name);
    const app = await listen(apps, name, world, { ...edge, ...(own && { handOver: own }) }, { board, status });
    watch.add(name, app.getHttpServer());
    if (name !== 'live') handOver?.answerBy(name, app.getHttpAdapter().getInstance());
    return app;
  };
  await open('rate');
  await open('reservation');
  if (cluster && handOver)
    Object.assign(cluster.desk, { request: handOver.serve.bind(handOver), report: () => status.report() });
  // Dashboards are clients: other nodes have none.
  const sockets = hasClients(config.NODE_ROLE)
    ? watched(world, await open('live'), doors, { status, live })
    : undefined;
  void status.begin();
  const reader = readerOf(world);
  // At the same time: a broker that is away must not take the time of requests.
  const sendAway = async (overMs: number): Promise<void> =>
    void (await Promise.all([reader?.[Symbol.asyncDispose](), sockets?.close(overMs)]));
  stack.defer(() => sendAway(cluster ? 0 : DRAIN_MS.socketsAlone));
  stack.defer(() => {
    leave();
    draining = true;
  });
  const opened = stack.move();
  return {
    ...{ basic, dead: watch.dead, ready, leave },
    isUp: async () => (await board.report()).status === 'UP',
    sendAway: () => sendAway(DRAIN_MS.sockets),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Begins when somebody says so, and ends with leaving. */
function readiness(isLeaving: () => boolean): { isOut(): boolean; ready(): void } {
  let isReady = false;
  return { isOut: () => !isReady || isLeaving(), ready: () => void (isReady = true) };
}

/** Who is let in, over REST and over sockets. */
function doorsOf(world: World, keys: DevelopmentKeys | undefined): LiveDoors {
  const { config, services, associations, requestCounters } = world;
  // The embedded issuer is of this machine, and so is its time.
  const now = keys ? Date.now : world.realTime;
  const rules = { issuer: config.issuer, audience: config.OIDC_AUDIENCE, tokenTyp: config.OIDC_TOKEN_TYP, now };
  const verify = keys ? localVerifier(keys, rules) : remoteVerifier(rules, introspectionOf(config));
  const authenticator = new Authenticator(verify, associations, { now });
  services.tenantChanges.on('changed', (tenantId) => authenticator.forget(tenantId));
  const limits = limitsOf(config, requestCounters);
  return { authenticator, limits, gate: new TokenGate(authenticator, limits) };
}

type Opening = { log: Logger; watch: AcceptWatch };

/** The embedded schema registry on its port. */
function openRegistry(config: Config, registry: RegistryStore, { log, watch }: Opening): Promise<AsyncDisposable> {
  const connections = mostConnections('registry', config.INNKEEPER_OPEN_FILES);
  return bind('REGISTRY_PORT', config.REGISTRY_PORT, (port) =>
    startRegistry(registry, port, log, { connections, watch }),
  );
}

/** The embedded issuer on its port. */
function openIssuer(config: Config, keys: DevelopmentKeys, { log, watch }: Opening): Promise<AsyncDisposable> {
  const { OIDC_PORT, OIDC_AUDIENCE: audience, corsOrigins: dashboardOrigins } = config;
  return bind('OIDC_PORT', OIDC_PORT, (port) =>
    startDevelopmentIssuer({
      ...{ port, audience, keys, dashboardOrigins, log },
      connections: mostConnections('issuer', config.INNKEEPER_OPEN_FILES),
      watch,
    }),
  );
}

/** Topics are read where there are brokers, and jobs. */
function readerOf({ topics, services, config, log, rounds, tracer }: World): Reader | undefined {
  return topics && hasJobs(config.NODE_ROLE) ? new Reader({ topics, services, log, rounds, tracer }) : undefined;
}

/** The live protocol on a listener. */
function watched(
  world: World,
  app: NestFastifyApplication,
  doors: LiveDoors,
  { status, live }: { status: NodeStatus; live: LiveHealth },
): LiveGateway {
  const { services, config, loggers, requestCounters } = world;
  const { RATE_LIMIT_TENANT: tenant, RATE_LIMIT_SUBJECT: subject, RATE_LIMIT_ADDRESS: address } = config;
  const httpServer = app.getHttpServer();
  const gateway = attachLive({
    httpServer,
    properties: services.properties,
    market: (of, start, end) => services.competitors.market(of, start, end),
    lookBack: (of, asOf, before) => lookBack(services, of, asOf, before),
    authenticator: liveAuthenticator(doors),
    clock: services.clock,
    log: loggers.of('live'),
    corsOrigins: config.corsOrigins,
    quotas: new LiveQuotas(liveQuotasOf({ tenant, subject, address }), requestCounters),
    addressOf: clientOf(trustedBy(config.TRUST_PROXY)),
    ...(subject === 0 && { limits: UNCOUNTED_FRAMES }),
  });
  const figures = (): SocketFigures => gateway.figures();
  status.watchLive(() => gateway.stats(), figures);
  live.watch({ figures, connections: () => connectionsOf(httpServer) });
  return gateway;
}

function limitsOf(config: Config, counters: RequestCounters): RateLimits {
  const { RATE_LIMIT_TENANT: tenant, RATE_LIMIT_SUBJECT: subject } = config;
  const { RATE_LIMIT_ADDRESS: address, RATE_LIMIT_COSTLY: costly } = config;
  return new RateLimits({ tenant, subject, address, costly, open: openLimitOf(address) }, counters);
}

/** Opaque tokens are understood only where that is switched on (docs/guide/production.md#sign-in). */
function introspectionOf(config: Config): IntrospectionClient | undefined {
  const { OIDC_INTROSPECTION: on, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = config;
  if (!on) return undefined;
  if (id === undefined || secret === undefined)
    throw new Error('OIDC_INTROSPECTION=1 needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET');
  return { id, secret };
}

export type ServiceName = 'rate' | 'reservation' | 'live';

const TITLES: Record<ServiceName, string> = {
  rate: 'Innkeeper rate service',
  reservation: 'Innkeeper reservation service',
  live: 'Innkeeper live gateway',
};

const RATE = [RatePlans, Rates, Restrictions, Promotions, Yield, RateAdmin, CompetitorSync];
const RESERVATION = [
  ...[Groups, Holds, Reservations, TenantReservations, ReservationMoney, Refunds, StayPapers, Receipts, Surveys],
  ...[Properties, RoomTypes, Rooms, Availability, HousekeepingTasks, History, AnalyticsReports, Extras],
  ...[Guests, ReservationAdmin, AuditTrail],
  ...[Tenants, Users, UserAssociations, ChannelMappings, OperatorTenants, OperatorCluster],
];

/** What all services of this node say of it. */
type Own = { board: HealthBoard; status: NodeStatus };

/** Controllers and providers of a service; the actuator and the pages of problems are on each. */
function moduleOf(name: ServiceName, world: World, metrics: Metrics, { board, status }: Own): ModuleMetadata {
  const { services, clock, config, outbox, events } = world;
  const controllers: NonNullable<ModuleMetadata['controllers']> = [
    ...[HealthController, MetricsController, LoggersController, ProblemPages, AsyncApi],
  ];
  if (name === 'rate') controllers.push(...RATE);
  if (name === 'reservation') {
    controllers.push(...RESERVATION);
    if (config.developmentParts) controllers.push(DevClock, DevOutbox, DevEvents);
    // Its password is known to nobody else there.
    if (config.developmentParts || config.EVENT_TEST_PASSWORD) controllers.push(EventTest);
  }
  const what = 'Differences that audits of properties have found, and reservations whose money did not add up';
  const countViolations = metrics.counter('actor.invariant.violations', what);
  services.measured.on('violation', () => countViolations());
  const providers = [
    { provide: SERVICES, useValue: services },
    { provide: DEVELOPMENT_CLOCK, useValue: clock },
    { provide: OUTBOX, useValue: outbox },
    { provide: EVENT_LOG, useValue: events },
    { provide: TEST_EVENTS, useValue: world.tests },
    {
      provide: ASYNC_API,
      // The document is open to everybody: addresses inside of an installation are not told to strangers.
      useValue: { brokers: config.production ? [] : (config.KAFKA_BROKERS ?? []), live: liveServerOf(config) },
    },
    { provide: HEALTH, useValue: board },
    { provide: CLUSTER_REPORTS, useValue: status.reports },
    { provide: METRICS, useValue: metrics },
    { provide: LOGGERS, useValue: world.loggers },
    { provide: COUNT_VIOLATIONS, useValue: countViolations },
  ];
  return { controllers, providers };
}

/** Every component; what this installation does not have is UNKNOWN. */
function componentsOf(
  own: Iterable<readonly [string, HealthCheck]>,
  { dataDir }: Config,
): ReadonlyMap<string, HealthCheck> {
  const there = new Map<string, HealthCheck>([...own, ['diskSpace', diskSpace(dataDir)], ['ping', ping]]);
  return new Map(COMPONENTS.map((name) => [name, there.get(name) ?? unconfigured]));
}

/** @throws Error with one clear line when the port is taken */
async function listen(
  apps: NestFastifyApplication[],
  name: ServiceName,
  world: World,
  edge: Edge,
  own: Own,
): Promise<NestFastifyApplication> {
  const { config } = world;
  const metrics = metricsFor(name, world);
  measureNode(metrics, own.status);
  const refused = metrics.counter('http.connections.refused', 'Connections closed because there were too many');
  const app = await createApp(moduleOf(name, world, metrics, own), {
    ...edge,
    observe: metrics.observe,
    onRefusedConnection: () => refused(),
    bounds: { connections: mostConnections(name, config.INNKEEPER_OPEN_FILES) },
  });
  const title = TITLES[name];
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  if (name === 'live') await fastify.register(async (pages) => openPages(pages, world, edge.limits));
  else {
    const publicUrl = name === 'rate' ? config.PUBLIC_RATE_URL : config.PUBLIC_RESERVATION_URL;
    setUpDocs(app, { ...docsOf(title, world), publicUrl });
  }
  const variable = { rate: 'RATE_PORT', reservation: 'RESERVATION_PORT', live: 'LIVE_PORT' } as const;
  await app.init();
  // Fastify's own listen: Nest's would log a taken port besides, and one clear line is enough.
  await bind(variable[name], config[variable[name]], (port) => fastify.listen({ port, host: config.HOST }));
  apps.push(app);
  return app;
}

/** What the OpenAPI document says besides its operations. */
function docsOf(title: string, { config, clock }: World): DocsSettings {
  const { issuer, developmentParts: development } = config;
  const today = (): number => Math.floor(clock.now() / 86_400_000);
  return { title, description: 'Hotel rates and reservations.', issuer, development, today };
}

/** The dashboards and their sign-in. Routes that are there before Nest has begun would not have its answers to errors. */
async function openPages(pages: FastifyInstance, world: World, limits: RateLimits): Promise<void> {
  const { config, log } = world;
  pages.setErrorHandler((error, request, reply) => sendProblem(log, error, request, reply));
  const origins = config.PUBLIC_LIVE_URL === undefined ? config.corsOrigins : [config.PUBLIC_LIVE_URL];
  registerSignIn(pages, { sessions: sessionsOf(world), origins, limits, log });
  await registerPage(pages, pageOf(config));
}

/** Signs browsers in as the client that introspection has too, else as the public one of the dashboards. */
function sessionsOf({ config, browserSessions: store, services: { sealed } }: World): BrowserSessions {
  const { issuer, OIDC_AUDIENCE: audience, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = config;
  const client = id === undefined ? { id: 'dashboard' } : { id, ...(secret !== undefined && { secret }) };
  const cookies = new SessionCookies(config.secretKeys.map(({ id, key: secret }) => ({ id, secret })));
  return new BrowserSessions({ issuer, audience, client, store, sealed, cookies });
}

/** Where the live protocol is spoken, for its description. */
function liveServerOf({ PUBLIC_LIVE_URL, HOST, LIVE_PORT }: Config): AsyncApiSettings['live'] {
  const { host, protocol } = new URL(PUBLIC_LIVE_URL ?? `http://${HOST}:${LIVE_PORT}`);
  return { host, protocol: protocol === 'https:' ? 'wss' : 'ws' };
}

/** What the page has to know: whom to sign in with, and where the properties are listed. */
function pageOf(config: Config): PageOptions {
  const { issuer, embeddedIssuer, production } = config;
  const demoUsers = DEMO_USERS.map(({ tenantId: tenant, role, name }) => ({ tenant, role, name }));
  return {
    dir: config.DASHBOARD_DIR ?? join(config.dataDir, 'dashboard'),
    ...(config.PUBLIC_LIVE_URL !== undefined && { publicUrl: config.PUBLIC_LIVE_URL }),
    config: {
      issuer,
      clientId: 'dashboard',
      audience: config.OIDC_AUDIENCE,
      development: !production,
      reservationUrl: config.PUBLIC_RESERVATION_URL ?? `http://${config.HOST}:${config.RESERVATION_PORT}`,
      rateUrl: config.PUBLIC_RATE_URL ?? `http://${config.HOST}:${config.RATE_PORT}`,
      ...(embeddedIssuer && { demoUsers }),
    },
  };
}

async function bind<T>(variable: string, port: number, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const taken = code === 'EADDRINUSE' || code === 'AddrInUse';
    const why = taken ? 'is taken by another program; stop it, or choose another port' : `cannot be used: ${message}`;
    throw new Error(`port ${port} (${variable}) ${why}`, { cause: error });
  }
}
