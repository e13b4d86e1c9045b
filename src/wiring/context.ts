import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import type { Logger } from 'pino';

import { Host, type HostOptions } from '../../actors/host.ts';
import { abandonOnLoss } from '../platform/coordination/abandon-on-loss.ts';
import { type Background, openBackground } from './jobs.ts';
import { buildVersion } from '../platform/config/build-version.ts';
import type { Config } from '../platform/config/config.ts';
import { type Clustered, linkPort, memberOf, openCluster } from './cluster.ts';
import { openCounting, openRedis } from './counters.ts';
import { DemoSeed } from './demo-seed.ts';
import { healthChecks } from './health-checks.ts';
import { type Eventing, type OpenEvents, openEvents } from './events.ts';
import { LeaseThread } from '../platform/coordination/keeper-thread.ts';
import { KeptLease } from '../platform/coordination/kept-lease.ts';
import { StuckLease } from '../platform/coordination/stuck-lease.ts';
import { DEMO_USERS } from '../demo/rules/demo-users.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import { CheckpointSweep } from '../history/jobs/checkpoint-sweep.ts';
import { RoundRegistry } from '../platform/jobs/round-registry.ts';
import { WorkerPool } from './worker/worker-pool.ts';
import { Analyses } from '../revenue/operations/analyses.ts';
import { HouseForecasts } from '../revenue/operations/house-forecast.ts';
import { Measured } from '../kernel/operations/measured.ts';
import type { KeyForgetting } from '../privacy/operations/forget-keys.ts';
import { seedDemo } from '../demo/operations/seed-demo.ts';
import type { Services } from '../kernel/operations/services.ts';
import { eachRound, goOnRegularly, keepRegularly } from './regular-rounds.ts';
import { SealedText } from '../kernel/operations/sealed-text.ts';
import { SignedText, type SigningKey } from '../kernel/operations/signed-text.ts';
import { paymentGateway } from '../money/partners/payment-gateway.ts';
import type { Associations, BrowserSessionStore } from '../tenants/ports.ts';
import type { Member, NodeReport, RequestCounters } from '../platform/coordination/ports.ts';
import type { DevelopmentClock, HealthCheck, Share, Tracer } from '../kernel/ports.ts';
import type { Outbox } from '../notifications/ports.ts';
import type { RelayFigures } from '../events/ports.ts';
import type { ExpiredKeyFigures } from '../history/ports.ts';
import type { RoundFigures, Rounds } from '../kernel/rules/rounds.ts';
import { TenantChanges } from '../tenants/operations/tenant-changes.ts';
import { TenantSettings } from '../tenants/operations/tenant-settings.ts';
import { databaseAnalytics } from '../revenue/storage/analytics.ts';
import { databaseAssociations } from '../tenants/storage/associations.ts';
import { StoredAuditTrail } from '../tenants/storage/audit-trail.ts';
import { databaseBrowserSessions } from '../tenants/storage/browser-sessions.ts';
import { connect } from '../platform/database/connection.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { advanceClock, DatabaseClock } from '../platform/database/database-clock.ts';
import { StoredGuestBook } from '../guests/storage/guest-book.ts';
import { installationOf } from '../platform/database/installation.ts';
import { StoredGuestErasure } from '../privacy/storage/guest-erasure.ts';
import { databaseDayBooks } from '../revenue/storage/day-books.ts';
import { databaseExtras } from '../money/storage/extras.ts';
import { Guests } from '../guests/storage/guests.ts';
import { StoredHolds } from '../stay/storage/hold-sweep.ts';
import { databaseBookingHistory } from '../revenue/storage/booking-history.ts';
import { SqlInventoryAudit } from '../property-store/storage/inventory-audit.ts';
import { StoredJournal } from '../history/storage/journal-archive.ts';
import { KeptConnection } from '../platform/database/kept-connection.ts';
import { Connections } from '../platform/database/limited-client.ts';
import { databaseLogins, isSeparated } from '../platform/database/logins.ts';
import { migrate } from '../platform/database/migrator.ts';
import { StoredOptimizations } from '../revenue/storage/optimizations.ts';
import { StoredOpenPayments } from '../money/storage/open-payments.ts';
import { databasePropertyReader } from '../property-store/storage/property-reader.ts';
import { PostgresPropertyStore } from '../property-store/storage/property-store.ts';
import { databaseReservationReader } from '../stay/storage/reservation-reader.ts';
import { databaseSalesReader } from '../property-store/storage/sales-reader.ts';
import { type SeedUser, seedTenants } from '../tenants/storage/seed-tenants.ts';
import { databaseAdministration } from '../tenants/storage/tenant-records.ts';
import { Vacuum } from '../privacy/storage/vacuum.ts';
import { StoredTenants } from '../tenants/storage/tenants.ts';
import { databaseHousekeeping } from '../rooms/storage/housekeeping.ts';
import { databaseRoomStays } from '../rooms/storage/room-stays.ts';
import { databaseStaySurveys } from '../guests/storage/stay-surveys.ts';
import { databaseSoldRevenue } from '../revenue/storage/sold-revenue.ts';
import type { Loggers } from '../platform/telemetry/telemetry.ts';

/** Commit lanes of a node (docs/concepts/commit-and-fence.md#commit-lanes). */
const LANES = 2;

/** How often properties are looked at for the checkpoint that is due: some thousand rows of a busy one. */
const CHECKPOINTS_MS = 2_000;

const ONE_LOGIN =
  'the login of DATABASE_URL may act as every role: give each role its own (DATABASE_APP_URL, DATABASE_SYSTEM_URL, ' +
  'DATABASE_JOBS_URL, see ops/logins.sql), so that row-level security also holds against injected SQL';

/** Everything with a lifetime behind the gateways, built once, in order, and ended in the other order. */
export type Context = AsyncDisposable & {
  services: Services;
  associations: Associations;
  database: Database;
  clock: DevelopmentClock;
  /** The database's time without the development offset. */
  realTime(): Instant;
  /** Puts demo tenants, users and houses up where they are absent; never rejects, and goes on behind the start. */
  seed(issuer: string): Promise<void>;
  /** Begins what nobody's start should wait for: the job queue. */
  begin(): void;
  health: ReadonlyMap<string, HealthCheck>;
  /** What only a new start of the process mends. */
  liveness: ReadonlyMap<string, HealthCheck>;
  outbox: Outbox;
  events: Eventing['events'];
  registry?: Eventing['registry'];
  topics?: Eventing['topics'];
  browserSessions: BrowserSessionStore;
  requestCounters: RequestCounters;
  tests: Eventing['tests'];
  /** The other nodes, where there are more. */
  cluster?: Clustered;
  /** Where regular work is registered. */
  rounds: Rounds;
  /** Whether the lease was not renewed in time, though it holds. */
  isStale(): boolean;
  /** This node, for its own report. */
  node: { nodeId: string; build: string; startedAt: number };
  figures(): Host['figures'] & {
    activeConnections: number;
    competitorSyncAge: number;
    relay: RelayFigures;
    lease: NodeReport['lease'];
    rounds: readonly RoundFigures[];
    expiredKeys: ExpiredKeyFigures;
  };
};

/** @throws DatabaseFailure and other errors with one clear line for the operator */
export async function openContext(config: Config, loggers: Loggers, tracer?: Tracer): Promise<Context> {
  const { root: log } = loggers;
  const stack = new AsyncDisposableStack();
  const { logins, connections, database, clock, self, lease } = await openStorage(stack, config, loggers);
  const share: Share = { nodeId: self.nodeId, takes: (to) => cluster?.takes(to) ?? true };
  const reservations = databaseReservationReader(database);
  const { system: databaseUrl, app, jobs } = logins;
  const base = { config, databaseUrl, connections, database, clock, nodeId: self.nodeId };
  const rounds = new RoundRegistry();
  const eventing = stack.use(openEvents({ ...base, tracer, lease, share, rounds, log: loggers.of('relay') }));
  const keys = config.secretKeys.map(({ id, key }) => ({ id, secret: key }));
  const guests = new Guests(database, keys);
  const store = stack.use(
    new PostgresPropertyStore({
      ...{ databaseUrl: app, database, reservations, nodeId: self.nodeId, Client: connections.Client },
      onOverdue: (why) => lease.giveUp(why),
    }),
  );
  const archive = new StoredJournal(database);
  const computer = stack.use(new WorkerPool());
  const host = openHost(stack, {
    ...{ store, archive, clock, tracer, loggers, lease, rounds },
    told: (...what) => [eventing, background].forEach((one) => one.told(...what)),
    violated: () => services.measured.emit('violation'),
  });
  abandonOnLoss(lease, host, connections);
  const system = (): Promise<Client> => lease.client();
  const ofJobs = { ...base, databaseUrl: jobs, log: loggers.of('jobs'), system, rounds };
  const background = stack.use(openBackground(ofJobs, () => services));
  const payments = stack.use(await paymentGateway(config, clock, log));
  const vacuum = stack.use(new Vacuum(logins.owner, log, { Client: connections.Client }));
  const redis = await openRedis(config, log, stack);
  const remembered = inMemory();
  const node = { config, databaseUrl, connections, self, redis, lease, host, clock, loggers, ...remembered };
  const cluster: Clustered | undefined = await openCluster(stack, node);
  const counting = await openCounting(redis, () => installationOf(system), cluster?.placement);
  const services: Services = {
    ...background.services,
    ...inDatabase(database, lease, share, vacuum),
    ...aboutTenants(database),
    ...{ properties: cluster?.directory ?? host, reservations, guests, archive, computer },
    ...{ payments: payments.gateway, outbox: background.outbox },
    ...remembered,
    ...{ clock, log, ...asConfigured(config), ...underKeys(keys) },
  };
  cluster?.spread(services.tenantChanges);
  const { sign, settle } = goOnRegularly(stack, config.NODE_ROLE, services, { database, lease, rounds });
  const kept = { archive, computer, log, databaseUrl, connections, lease, rounds };
  const { keep, keys: expiredKeys } = keepRegularly(stack, config.NODE_ROLE, kept);
  const stuck = stack.use(new StuckLease({ lease, askDatabase: () => database.orm.em.fork().execute('select 1') }));
  const demo = stack.use(new DemoSeed(log));
  const own = Object.entries({ rounds, actors: host, sampleData: demo, paymentService: payments });
  const parts = [...background.health, ...eventing.health, ...counting.health, ...own.map(healthOf)];
  return {
    services,
    ...{ associations: databaseAssociations(database), browserSessions: databaseBrowserSessions(database) },
    ...{ database, rounds, realTime: () => clock.real(), ...(cluster && { cluster }) },
    clock: developmentClock(clock, lease, { host, settle, keep, background, sign, cluster }),
    seed: (issuer) => demo.begin(() => putDemoThere(database, services, issuer)),
    begin: () => [eventing, background].forEach((one) => one.begin()),
    liveness: new Map([['lease', stuck.health]]),
    health: healthChecks(database, lease, parts),
    ...{ ...eventing.shown, outbox: background.outbox, requestCounters: counting.counters },
    node: { nodeId: self.nodeId, build: self.build, startedAt: clock.now() },
    isStale: () => lease.state === 'overdue',
    figures: () => figuresOf({ host, database, lease, rounds, keys: expiredKeys }, background, eventing),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const healthOf = ([name, { health }]: [string, { health: HealthCheck }]): [string, HealthCheck] => [name, health];

/** The database, migrated, and this node's right to own properties in it. */
async function openStorage(stack: AsyncDisposableStack, config: Config, loggers: Loggers) {
  const { root: log } = loggers;
  const logins = databaseLogins(config);
  if (config.production && !isSeparated(logins)) log.warn(ONE_LOGIN);
  // It loads while tables are looked after.
  const thread = new LeaseThread();
  await migrate(logins.owner, (line) => log.debug(line));
  const connections = new Connections();
  const slow = (line: string): void => log.warn({ line }, 'slow statement');
  const database = stack.use(await openDatabase(logins.app, { log: slow, Client: connections.Client }));
  const clock = new DatabaseClock();
  const self = { nodeId: nodeIdIn(config.dataDir), ...memberOf(config, buildVersion(), await linkPort(config)) };
  const lease = await openLease(stack, thread, {
    ...{ databaseUrl: logins.system, connections, self, clock, log: loggers.of('cluster') },
  });
  return { logins, connections, database, clock, self, lease };
}

type Hosting = Pick<HostOptions, 'store' | 'clock' | 'tracer' | 'told' | 'violated'> & {
  archive: StoredJournal;
  loggers: Loggers;
  lease: KeptLease;
  rounds: Rounds;
};

/** The property actors of this node, and the checkpoints of what they have in memory. */
function openHost(stack: AsyncDisposableStack, { archive, loggers, lease, rounds, ...options }: Hosting): Host {
  const { root: log } = loggers;
  const residents = { residents: () => host.residents() };
  const checkpoints = stack.use(new CheckpointSweep({ properties: residents, checkpoints: archive, log }));
  const host: Host = stack.use(
    new Host({
      ...{ ...options, log: loggers.of('actors'), lanes: LANES, mayOwn: () => lease.held },
      passivating: (resident) => checkpoints.passivating(resident),
    }),
  );
  eachRound(stack, rounds, log)('checkpoints', CHECKPOINTS_MS, async (each) => void (await checkpoints.run(each)));
  return host;
}

type Leased = { databaseUrl: string; connections: Connections; self: Member; clock: DatabaseClock; log: Logger };

/** The lease of this node, and beside it the connection for questions that span tenants. */
async function openLease(
  stack: AsyncDisposableStack,
  thread: LeaseThread,
  { databaseUrl, connections: { Client }, self, clock, log }: Leased,
): Promise<KeptLease> {
  const system = stack.use(new KeptConnection(() => connect(databaseUrl, 'innkeeper_system', { Client })));
  const lease = await KeptLease.take({
    ...{ node: { ...self, address: `${self.host}:${self.port}` }, databaseUrl, thread, log },
    client: () => system.client(),
    renewed: (time) => clock.take(time),
  });
  return stack.use(lease);
}

type FiguresOf = {
  host: Host;
  database: Database;
  lease: KeptLease;
  rounds: RoundRegistry;
  keys: KeyForgetting;
};

function figuresOf(
  { host, database, lease, rounds, keys }: FiguresOf,
  { competitorSyncAge }: Background,
  { figures }: OpenEvents,
): ReturnType<Context['figures']> {
  const activeConnections = database.activeConnections();
  const { held, ageSeconds } = lease;
  return {
    ...{ ...host.figures, activeConnections, competitorSyncAge: competitorSyncAge(), relay: figures() },
    lease: { held, ageSeconds },
    rounds: rounds.figures(),
    expiredKeys: { overdueSeconds: keys.overdueSeconds, forgotten: keys.forgotten },
  };
}

/** What operations are told by the environment. */
const asConfigured = (config: Config): Pick<Services, 'issuer' | 'publicUrl' | 'holdLimits'> => ({
  ...{ issuer: config.issuer, publicUrl: config.PUBLIC_RESERVATION_URL },
  holdLimits: { holds: config.OPEN_HOLDS_SUBJECT, roomNights: config.HELD_ROOM_NIGHTS_SUBJECT },
});

/** Text that we hand out and take back, and text that we alone can read. */
const underKeys = (keys: readonly SigningKey[]): Pick<Services, 'signed' | 'sealed'> => ({
  signed: new SignedText(keys),
  sealed: new SealedText(keys),
});

/** What this node remembers of its own. */
const inMemory = (): Pick<Services, 'analyses' | 'forecasts' | 'measured'> => ({
  analyses: new Analyses(),
  forecasts: new HouseForecasts(),
  measured: new Measured(),
});

/** What operations read and keep beside the actors. */
function inDatabase(
  database: Database,
  lease: KeptLease,
  share: Share,
  vacuum: Vacuum,
): Pick<
  Services,
  | 'bookingHistory'
  | 'propertyReader'
  | 'guestBook'
  | 'guestErasure'
  | 'sales'
  | 'revenue'
  | 'roomStays'
  | 'housekeeping'
  | 'optimizations'
  | 'holds'
  | 'openPayments'
  | 'audit'
  | 'trail'
  | 'analytics'
  | 'dayBooks'
  | 'extras'
  | 'surveys'
  | 'tenants'
> {
  return {
    propertyReader: databasePropertyReader(database),
    guestBook: new StoredGuestBook(database),
    guestErasure: new StoredGuestErasure(database, () => vacuum.soon()),
    sales: databaseSalesReader(database),
    revenue: databaseSoldRevenue(database),
    roomStays: databaseRoomStays(database),
    housekeeping: databaseHousekeeping(database),
    bookingHistory: databaseBookingHistory(database),
    optimizations: new StoredOptimizations(database),
    holds: new StoredHolds(() => lease.client(), database, share),
    openPayments: new StoredOpenPayments(() => lease.client(), database, share),
    audit: new SqlInventoryAudit(database),
    trail: new StoredAuditTrail(database),
    analytics: databaseAnalytics(database),
    dayBooks: databaseDayBooks(database),
    extras: databaseExtras(database),
    surveys: databaseStaySurveys(database),
    tenants: new StoredTenants(() => lease.client()),
  };
}

/** Tenants, and what they have instead of defaults. */
function aboutTenants(database: Database): Pick<Services, 'administration' | 'tenantChanges' | 'settings'> {
  const administration = databaseAdministration(database);
  const tenantChanges = new TenantChanges();
  return { administration, tenantChanges, settings: new TenantSettings(administration, tenantChanges) };
}

/** Demo tenants with their users under this issuer, and their houses (docs/reference/set-up.md#development-only). */
async function putDemoThere(database: Database, services: Services, issuer: string): Promise<void> {
  const users = (tenantId: string): SeedUser[] =>
    DEMO_USERS.filter((user) => user.tenantId === tenantId).map(({ subject, role, name, email }) => ({
      iss: issuer,
      sub: subject,
      role,
      name,
      email,
    }));
  await seedTenants(database, [
    { tenantId: 'demo', name: 'Demo Hotels', type: 'CHAIN', users: users('demo') },
    { tenantId: 'rival', name: 'Rival Hotels', type: 'INDEPENDENT', users: users('rival') },
  ]);
  await seedDemo(services);
}

/** Stable over restarts, so that a second process on the same data is noticed. */
function nodeIdIn(dataDir: string): string {
  const file = join(dataDir, 'node-id');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, `${randomUUID()}\n`, { mode: 0o600 });
  }
  return readFileSync(file, 'utf8').trim();
}

/** What has to catch up when time is put forward. */
type Timely = {
  host: Host;
  settle: () => Promise<void>;
  keep: () => Promise<void>;
  background: Background;
  sign: () => Promise<void>;
  cluster: Clustered | undefined;
};

function developmentClock(
  clock: DatabaseClock,
  lease: KeptLease,
  { host, settle, keep, background, sign, cluster }: Timely,
): DevelopmentClock {
  const goOn = async (): Promise<void> => {
    await clock.measure(await lease.client());
    await host.catchUp();
    await settle();
  };
  if (cluster) cluster.desk.clockMoved = goOn;
  return {
    now: () => clock.now(),
    async advance(milliseconds) {
      await advanceClock(await lease.client(), milliseconds / 1000);
      // All nodes first: what follows is about the properties of all.
      await Promise.all([goOn(), cluster?.tellTime()]);
      await keep();
      await background.catchUp();
      await sign();
      return clock.now();
    },
  };
}
