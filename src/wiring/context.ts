import type { Client } from 'pg';
import type { Logger } from 'pino';

import type { Host } from '../../actors/host.ts';
import { OperatorLooks } from '../../gateways/nodes/node-looks.ts';
import type { DemoStates } from '../demo/ports.ts';
import type { RelayFigures } from '../events/ports.ts';
import { StoredGuests } from '../guests/storage/guests.ts';
import type { ExpiredKeyFigures } from '../history/ports.ts';
import { StoredJournal } from '../history/storage/journal-archive.ts';
import { sameMoment } from '../kernel/operations/same-moment.ts';
import type { Services } from '../kernel/operations/services.ts';
import type { DevelopmentClock, HealthCheck, Tracer } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { RoundFigures, Rounds } from '../kernel/rules/rounds.ts';
import { paymentGateway } from '../money/partners/payment-gateway.ts';
import type { DevMailbox } from '../notifications/ports.ts';
import type { Config } from '../platform/config/config.ts';
import { abandonOnLoss } from '../platform/coordination/abandon-on-loss.ts';
import { FigureRows } from '../platform/coordination/figure-rows.ts';
import type { NodeLease } from '../platform/coordination/node-lease.ts';
import type { NodeReport, RequestCounters } from '../platform/coordination/ports.ts';
import { StuckLease } from '../platform/coordination/stuck-lease.ts';
import type { Database } from '../platform/database/database.ts';
import { installationOf } from '../platform/database/installation.ts';
import { RoundRegistry } from '../platform/jobs/round-registry.ts';
import type { Loggers } from '../platform/telemetry/telemetry.ts';
import { Vacuum } from '../privacy/storage/vacuum.ts';
import { PostgresPropertyStore } from '../property-store/storage/property-store.ts';
import { StoredChainModels } from '../revenue/jobs/stored-chain-models.ts';
import { databaseChainJournals } from '../revenue/storage/chain-journals.ts';
import type { Sandboxes } from '../sandbox/ports.ts';
import { databaseReservationReader } from '../stay/storage/reservation-reader.ts';
import type { SubscriptionFigures } from '../subscriptions/ports.ts';
import type { Associations, BrowserSessionStore, People } from '../tenants/ports.ts';
import { databaseAssociations } from '../tenants/storage/associations.ts';
import { databaseBrowserSessions } from '../tenants/storage/browser-sessions.ts';
import { databasePeople } from '../tenants/storage/people.ts';
import { type Clustered, NodePartition, openCluster } from './cluster.ts';
import { openCounting, openRedis } from './counters.ts';
import { DemoSeed } from './demo-seed.ts';
import { EarlyPasts } from './demo/early-pasts.ts';
import { openDemo, openSandboxes } from './demo/open-demo.ts';
import { developmentClock, putDemoThere } from './development.ts';
import { type Eventing, type OpenEvents, openEvents, openSubscriptions } from './events.ts';
import { healthChecks } from './health-checks.ts';
import { openHost } from './hosting.ts';
import { type Background, openBackground } from './jobs.ts';
import { Measured } from './measured.ts';
import { goOnRegularly, keepRegularly, packRegularly } from './regular-rounds.ts';
import { aboutTenants, asConfigured, inDatabase, inMemory, underKeys } from './services.ts';
import { openStorage } from './storage.ts';
import { WorkerPool } from './worker/worker-pool.ts';

/** Everything with a lifetime behind the gateways, built once in order, and closed in reverse order. */
export type Context = AsyncDisposable & {
  config: Config;
  log: Logger;
  loggers: Loggers;
  /** Receives spans, where tracing is configured. */
  tracer?: Tracer;
  services: Services;
  associations: Associations;
  database: Database;
  clock: DevelopmentClock;
  /** The database's time without the development offset. */
  realTime(): Instant;
  /**
   * Creates demo tenants, users and properties where they are absent; never rejects, and continues in the background.
   */
  seed(issuer: string): Promise<void>;
  /** Starts what no start should wait for: the job queue. */
  begin(): void;
  /** Ends what sends requests by itself: the guests of the demo. */
  quieten(): void;
  /** The demo, where hotels live. */
  demo?: DemoStates;
  sandboxes: Sandboxes;
  /** What requests and commits leave for figures over time. */
  measured: Measured;
  /** Questions of operators to all nodes. */
  looks: OperatorLooks;
  /** Figures of each minute of a day. */
  figureRows: FigureRows;
  /** Components of `/actuator/health` by name. */
  health: ReadonlyMap<string, HealthCheck>;
  /** Components whose failure only a restart repairs. */
  liveness: ReadonlyMap<string, HealthCheck>;
  /** Messages that development did not send. */
  outbox: DevMailbox;
  /** Published events, or those that would be published without Kafka. */
  events: Eventing['events'];
  /** The embedded schema registry, where this process runs it. */
  registry?: Eventing['registry'];
  /** Kafka topics, where brokers are configured. */
  topics?: Eventing['topics'];
  browserSessions: BrowserSessionStore;
  people: People;
  /** Counters of rate limits. */
  requestCounters: RequestCounters;
  /** Implementation of the event test endpoint. */
  tests: Eventing['tests'];
  /** The other nodes, in a cluster. */
  cluster?: Clustered;
  /** Registry of regular work. */
  rounds: Rounds;
  /** Whether the lease was not renewed in time, though it is still valid. */
  isStale(): boolean;
  /** This node, for its own report. */
  node: { nodeId: string; build: string; startedAt: Instant };
  figures(): Host['figures'] & {
    activeConnections: number;
    competitorSyncAge: number;
    relay: RelayFigures;
    subscriptions: SubscriptionFigures;
    lease: NodeReport['lease'];
    rounds: readonly RoundFigures[];
    expiredKeys: ExpiredKeyFigures;
  };
};

/** @throws DatabaseFailure and other errors with one clear line for the operator */
export async function openContext(config: Config, loggers: Loggers, tracer?: Tracer): Promise<Context> {
  const { root: log } = loggers;
  // Closes what is open already when a later part fails.
  await using stack = new AsyncDisposableStack();
  const owner = await openOwner(stack, config, loggers, tracer);
  const { logins, connections, database, clock, self, lease, rounds, remembered, host, events, base, keys } = owner;
  const { archive, computer, partition } = owner;
  const system = (): Promise<Client> => lease.client();
  const ofJobs = { ...base, databaseUrl: logins.jobs, log: loggers.of('jobs'), system, rounds };
  // Jobs run use cases, and use cases enqueue jobs: a job's dependencies are resolved when it runs.
  const background = stack.use(openBackground(ofJobs, () => services));
  owner.observers.push(background);
  const payments = stack.use(await paymentGateway(config, clock, log));
  const vacuum = stack.use(new Vacuum(logins.owner, log, { Client: connections.Client }));
  const redis = await openRedis(config, log, stack);
  const node = { config, databaseUrl: logins.system, connections, self, redis, lease, host, clock, loggers };
  const cluster: Clustered | undefined = await openCluster(stack, { ...node, ...remembered });
  if (cluster) partition.follow(cluster);
  const counting = await openCounting(redis, () => installationOf(system), cluster?.placement);
  const services: Services = {
    ...background.services,
    ...inDatabase(database, lease, partition, vacuum),
    ...aboutTenants(database),
    ...asConfigured(config),
    ...underKeys(keys),
    ...remembered,
    archive,
    computer,
    clock,
    log,
    payments: payments.gateway,
    outbox: background.outbox,
    reservations: owner.reservations,
    guests: new StoredGuests(database, keys),
    ...openProperties(stack, owner, cluster),
  };
  cluster?.spread(services.tenantChanges);
  const regular = openRegularWork(stack, owner, services);
  const stuck = stack.use(new StuckLease({ lease, askDatabase: () => database.orm.em.fork().execute('select 1') }));
  const { demo, seed, sandboxes } = openSeed(stack, { ...owner, nodeId: self.nodeId, system, services, log });
  const own = Object.entries({ rounds, ...owner.writing, sampleData: seed, paymentService: payments });
  const checks = [...background.health, ...events.health, ...counting.health, ...own.map(healthOf)];
  const opened = stack.move();
  return {
    config,
    log,
    loggers,
    tracer,
    services,
    database,
    rounds,
    cluster,
    ...events.shown,
    ...aboutPeople(database),
    ...openOperating(owner, cluster),
    clock: developmentClock(clock, lease, { host, ...regular.clockDriven, background, cluster }),
    seed: (issuer) => seed.begin(() => putDemoThere(database, services, issuer, demo?.living)),
    begin: () => [events, background, regular.subscriptions, demo?.guests].forEach((one) => one?.begin()),
    quieten: () => demo?.guests?.end(),
    demo: demo?.states,
    sandboxes,
    liveness: new Map([['lease', stuck.health]]),
    health: healthChecks(database, lease, checks),
    outbox: background.outbox,
    requestCounters: counting.counters,
    node: { nodeId: self.nodeId, build: self.build, startedAt: clock.now() },
    isStale: () => lease.state === 'overdue',
    // Each metric of each listener reads them, and they are of all properties in memory.
    figures: sameMoment(() => figuresOf(owner, background, events, regular)),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The property actors, and the read models of searches over them. */
function openProperties(
  stack: AsyncDisposableStack,
  { host, database, clock, loggers }: Owner,
  cluster: Clustered | undefined,
): Pick<Services, 'properties' | 'chainModels'> {
  const properties = cluster?.directory ?? host;
  const journals = databaseChainJournals(database);
  const log = loggers.root;
  return { properties, chainModels: stack.use(new StoredChainModels({ journals, properties, clock, log })) };
}

/** Who signs in, and what is theirs. */
function aboutPeople(database: Database): Pick<Context, 'associations' | 'browserSessions' | 'people'> {
  return {
    associations: databaseAssociations(database),
    browserSessions: databaseBrowserSessions(database),
    people: databasePeople(database),
  };
}

/** What operators read: figures over time, and answers of all nodes, to which gateways add those about figures. */
function openOperating({ self, host, measured, lease, clock }: Owner, cluster: Clustered | undefined) {
  const looks = new OperatorLooks(self.nodeId, cluster);
  looks.register('actor', (to) => host.actorFigures(to as Address) ?? null);
  if (cluster) cluster.nodeRpc.look = (what) => looks.answer(what);
  const figureRows = new FigureRows(() => lease.client(), self.nodeId);
  return { measured, looks, figureRows, realTime: () => clock.real() };
}

/** What creates the demo, the demo itself where hotels live, and sandboxes. */
function openSeed(stack: AsyncDisposableStack, parts: Parameters<typeof openDemo>[1]) {
  const demo = openDemo(stack, parts);
  const sandboxes = openSandboxes(stack, parts);
  return { demo, sandboxes, seed: stack.use(new DemoSeed(parts.log, {}, () => demo?.living.progress ?? {})) };
}

/** Opens regular rounds: interrupted operations, signed heads, contingency packs, retention, subscriptions. */
function openRegularWork(stack: AsyncDisposableStack, owner: Owner, services: Services) {
  const { config, database, lease, rounds, archive, computer, connections, logins } = owner;
  const { sign, reconcile } = goOnRegularly(stack, config.NODE_ROLE, services, { database, lease, rounds });
  packRegularly(stack, config, services, { lease, rounds });
  const parts = { archive, computer, log: services.log, databaseUrl: logins.system, connections, lease, rounds };
  const { keep, keys: expiredKeys } = keepRegularly(stack, config.NODE_ROLE, parts);
  const subscriptions = openSubscriptions(stack, services, owner);
  owner.observers.push(subscriptions);
  return { clockDriven: { sign, reconcile, keep }, expiredKeys, subscriptions };
}

type RegularWork = ReturnType<typeof openRegularWork>;
type Owner = Awaited<ReturnType<typeof openOwner>>;

/** Opens what owns properties: the database, this node's lease, the actors, and the events of their journals. */
async function openOwner(stack: AsyncDisposableStack, config: Config, loggers: Loggers, tracer?: Tracer) {
  const early = stack.use(new EarlyPasts(config));
  const storage = await openStorage(stack, config, loggers);
  const { logins, connections, database, gate, clock, self, lease } = storage;
  const partition = new NodePartition(self.nodeId);
  const reservations = databaseReservationReader(database);
  const base = { config, databaseUrl: logins.system, connections, database, clock, nodeId: self.nodeId };
  const rounds = new RoundRegistry();
  const measured = new Measured(tracer, () => clock.real());
  const events = stack.use(
    openEvents({ ...base, tracer, lease, share: partition, rounds, log: loggers.of('relay') }),
  );
  const store = stack.use(
    new PostgresPropertyStore({
      databaseUrl: logins.app,
      database,
      reservations,
      nodeId: self.nodeId,
      Client: connections.Client,
      onOverdue: (why) => lease.giveUp(why),
      gate,
    }),
  );
  const archive = new StoredJournal(database);
  const computer = stack.use(new WorkerPool());
  const remembered = inMemory();
  const observers: Pick<Background, 'onCommitted'>[] = [events, measured];
  const host = openHost(stack, {
    store,
    archive,
    clock,
    tracer: measured.spans,
    onBatch: ({ commitMs }) => measured.commits.record(commitMs),
    loggers,
    lease,
    rounds,
    onCommitted: (...what) => observers.forEach((one) => one.onCommitted(...what)),
    violated: () => remembered.metricEvents.emit('violation'),
  });
  abandonOnLoss(lease, host, connections);
  const keys = config.secretKeys.map(({ id, key }) => ({ id, secret: key }));
  return {
    ...storage,
    early,
    config,
    loggers,
    partition,
    reservations,
    base,
    rounds,
    measured,
    events,
    archive,
    computer,
    remembered,
    observers,
    store,
    /** Health components of what is written. */
    writing: { actors: host, commits: store, storage: { health: gate } },
    host,
    keys,
  };
}

const healthOf = ([name, { health }]: [string, { health: HealthCheck }]): [string, HealthCheck] => [name, health];

type FiguresOf = {
  host: Host;
  database: Database;
  lease: NodeLease;
  rounds: RoundRegistry;
  /** What the start found missing. */
  rewound: { properties: number } | undefined;
};

function figuresOf(
  { host, database, lease, rounds, rewound }: FiguresOf,
  { competitorSyncAge }: Background,
  { figures }: OpenEvents,
  { expiredKeys: keys, subscriptions }: RegularWork,
): ReturnType<Context['figures']> {
  const activeConnections = database.activeConnections();
  const { held, ageSeconds } = lease;
  const ofHost = host.figures;
  return {
    ...ofHost,
    rewound: ofHost.rewound + (rewound?.properties ?? 0),
    activeConnections,
    competitorSyncAge: competitorSyncAge(),
    relay: figures(),
    subscriptions: subscriptions.figures(),
    lease: { held, ageSeconds },
    rounds: rounds.figures(),
    expiredKeys: { overdueSeconds: keys.overdueSeconds, forgotten: keys.forgotten },
  };
}
