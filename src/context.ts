import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';

import { Host } from '../actors/host.ts';
import { type Background, openBackground } from './background.ts';
import { buildVersion } from './build-version.ts';
import type { Config } from './config.ts';
import { type Clustered, linkPort, memberOf, openCluster } from './clustering.ts';
import { openCounting, openRedis } from './counting.ts';
import { healthChecks } from './health-checks.ts';
import { type Eventing, type OpenEvents, openEvents } from './eventing.ts';
import { KeptLease, LeaseThread } from './coordination/kept-lease.ts';
import { DEMO_USERS } from './domain/demo-users.ts';
import { hasActors, hasJobs, type NodeRole } from './domain/placement.ts';
import type { Instant } from './domain/property-time.ts';
import { CheckpointSweep } from './jobs/checkpoint-sweep.ts';
import { regularly } from './jobs/regularly.ts';
import { WorkerPool } from './jobs/worker-pool.ts';
import { Analyses } from './operations/analyses.ts';
import { HouseForecasts } from './operations/house-forecast.ts';
import { Measured } from './operations/measured.ts';
import { type Keeping, keepJournal } from './operations/keep-journal.ts';
import { finishErasures } from './operations/erase-guest.ts';
import { seedDemo } from './operations/seed-demo.ts';
import { signHeads } from './operations/sign-heads.ts';
import type { Services } from './operations/services.ts';
import { repeatRefunds } from './operations/send-refunds.ts';
import { settleAttempts } from './operations/settle-attempts.ts';
import { settlePayments } from './operations/settle-payments.ts';
import { SealedText } from './operations/sealed-text.ts';
import { SignedText, type SigningKey } from './operations/signed-text.ts';
import { paymentGateway } from './partners/payment-gateway.ts';
import type { Alone } from './ports/alone.ts';
import type { Associations } from './ports/associations.ts';
import type { Member } from './ports/placement.ts';
import type { BrowserSessionStore } from './ports/browser-session-store.ts';
import type { NodeReport } from './ports/cluster-report.ts';
import type { HealthCheck } from './ports/health-check.ts';
import type { DevelopmentClock } from './ports/development-clock.ts';
import type { Outbox } from './ports/outbox.ts';
import type { RelayFigures } from './ports/relay-queue.ts';
import type { Share } from './ports/share.ts';
import type { RequestCounters } from './ports/request-counter.ts';
import type { Tracer } from './ports/tracer.ts';
import { TenantChanges } from './operations/tenant-changes.ts';
import { TenantSettings } from './operations/tenant-settings.ts';
import { databaseAnalytics } from './storage/analytics.ts';
import { databaseAssociations } from './storage/associations.ts';
import { StoredAuditHeads } from './storage/audit-heads.ts';
import { StoredAuditTrail } from './storage/audit-trail.ts';
import { databaseBrowserSessions } from './storage/browser-sessions.ts';
import { connect } from './storage/connection.ts';
import { type Database, openDatabase } from './storage/database.ts';
import { advanceClock, DatabaseClock } from './storage/database-clock.ts';
import { StoredGuestBook } from './storage/guest-book.ts';
import { installationOf } from './storage/installation.ts';
import { StoredGuestErasure } from './storage/guest-erasure.ts';
import { databaseDayBooks } from './storage/day-books.ts';
import { databaseExtras } from './storage/extras.ts';
import { Guests } from './storage/guests.ts';
import { StoredHolds } from './storage/hold-sweep.ts';
import { databaseBookingHistory } from './storage/booking-history.ts';
import { SqlInventoryAudit } from './storage/inventory-audit.ts';
import { StoredJournal } from './storage/journal-archive.ts';
import { KeptConnection } from './storage/kept-connection.ts';
import { migrate } from './storage/migrator.ts';
import { databaseLocks } from './storage/node-locks.ts';
import { StoredOptimizations } from './storage/optimizations.ts';
import { StoredOpenPayments } from './storage/open-payments.ts';
import { databasePropertyReader } from './storage/property-reader.ts';
import { PostgresPropertyStore } from './storage/property-store.ts';
import { databaseReservationReader } from './storage/reservation-reader.ts';
import { databaseSalesReader } from './storage/sales-reader.ts';
import { StoredRetention } from './storage/retention.ts';
import { type SeedUser, seedTenants } from './storage/seed-tenants.ts';
import { databaseAdministration } from './storage/tenant-records.ts';
import { StoredTenants } from './storage/tenants.ts';
import { databaseHousekeeping } from './storage/housekeeping.ts';
import { databaseRoomStays } from './storage/room-stays.ts';
import { databaseStaySurveys } from './storage/stay-surveys.ts';
import { databaseSoldRevenue } from './storage/sold-revenue.ts';
import type { Loggers } from './telemetry.ts';

/** Commit lanes of a node (architecture.md 3). */
const LANES = 2;

/** How often holds and payments without an end are looked for. */
const SWEEP_MS = 5_000;

/** How often refunds without a confirmation are repeated, and erasures that were cut off. */
const RESUME_MS = 60_000;

/** How often properties are looked at for the checkpoint that is due: some thousand rows of a busy one. */
const CHECKPOINTS_MS = 2_000;

/** How often heads of journals are signed (architecture.md 3). */
const SIGN_MS = 3_600_000;

/** Months of the journal come and go; what could not be locked is tried again an hour later. */
const JOURNAL_MS = 3_600_000;

/** Everything with a lifetime behind the gateways, built once, in order, and ended in the other order. */
export type Context = AsyncDisposable & {
  services: Services;
  associations: Associations;
  database: Database;
  clock: DevelopmentClock;
  /** The database's time without the development offset. */
  realTime(): Instant;
  /** Puts demo tenants, users and houses up where they are absent. */
  seed(issuer: string): Promise<void>;
  /** Begins what nobody's start should wait for: the job queue. */
  begin(): void;
  health: ReadonlyMap<string, HealthCheck>;
  outbox: Outbox;
  events: Eventing['events'];
  registry?: Eventing['registry'];
  topics?: Eventing['topics'];
  browserSessions: BrowserSessionStore;
  requestCounters: RequestCounters;
  tests: Eventing['tests'];
  /** The other nodes, where there are more. */
  cluster?: Clustered;
  /** Whether the lease was not renewed in time, though it holds. */
  isStale(): boolean;
  /** This node, for its own report. */
  node: { nodeId: string; build: string; startedAt: number };
  figures(): Host['figures'] & {
    activeConnections: number;
    competitorSyncAge: number;
    relay: RelayFigures;
    lease: NodeReport['lease'];
  };
};

/** @throws DatabaseFailure and other errors with one clear line for the operator */
export async function openContext(config: Config, loggers: Loggers, tracer?: Tracer): Promise<Context> {
  const { root: log } = loggers;
  const databaseUrl = databaseUrlOf(config);
  const thread = new LeaseThread();
  await migrate(databaseUrl, (line) => log.debug(line));
  const stack = new AsyncDisposableStack();
  const told = (line: string): void => log.warn({ line }, 'slow statement');
  const database = stack.use(await openDatabase(databaseUrl, { log: told }));
  const clock = new DatabaseClock();
  const self = { nodeId: nodeIdIn(config.dataDir), ...memberOf(config, buildVersion(), await linkPort(config)) };
  const share: Share = { nodeId: self.nodeId, takes: (to) => cluster?.takes(to) ?? true };
  const lease = await openLease(stack, thread, { databaseUrl, self, clock, log: loggers.of('cluster') });
  const reservations = databaseReservationReader(database);
  const base = { config, databaseUrl, database, clock };
  const eventing = stack.use(openEvents({ ...base, tracer, lease, share, log: loggers.of('relay') }));
  const keys = config.secretKeys.map(({ id, key }) => ({ id, secret: key }));
  const guests = new Guests(database, keys);
  const store = stack.use(new PostgresPropertyStore({ databaseUrl, database, reservations, nodeId: self.nodeId }));
  const archive = new StoredJournal(database);
  const computer = stack.use(new WorkerPool());
  const residents = { residents: () => host.residents() };
  const checkpoints = stack.use(new CheckpointSweep({ properties: residents, checkpoints: archive, log }));
  const host = stack.use(
    new Host({
      ...{ store, clock, tracer, log: loggers.of('actors'), lanes: LANES, mayOwn: () => lease.held },
      passivating: (resident) => checkpoints.passivating(resident),
      told: (...what) => [eventing, background].forEach((one) => one.told(...what)),
      violated: () => services.measured.emit('violation'),
    }),
  );
  lease.onLost(() => host.abandon());
  const jobs = { ...base, log: loggers.of('jobs'), system: () => lease.client() };
  const background = stack.use(openBackground(jobs, () => services));
  const payments = stack.use(await paymentGateway(config, clock, log));
  const redis = await openRedis(config, log, stack);
  const remembered = inMemory();
  const node = { config, databaseUrl, self, redis, lease, host, clock, loggers, ...remembered };
  const cluster: Clustered | undefined = await openCluster(stack, node);
  const counting = await openCounting(redis, () => installationOf(() => lease.client()), cluster?.placement);
  const services: Services = {
    ...background.services,
    ...inDatabase(database, lease, share),
    ...aboutTenants(database),
    ...{ properties: cluster?.directory ?? host, reservations, guests, archive, computer },
    ...{ payments: payments.gateway, outbox: background.outbox },
    ...remembered,
    ...{ clock, log, issuer: config.issuer },
    ...underKeys(keys),
  };
  cluster?.spread(services.tenantChanges);
  const sign = goOnRegularly(stack, config.NODE_ROLE, services, { database, lease });
  stack.use(regularly(CHECKPOINTS_MS, log, async () => void (await checkpoints.run())));
  const journal = keepRegularly(stack, config.NODE_ROLE, { archive, computer, log, databaseUrl, lease });
  const parts = [...background.health, ...eventing.health, ...counting.health];
  return {
    services,
    ...{ associations: databaseAssociations(database), browserSessions: databaseBrowserSessions(database) },
    ...{ database, realTime: () => clock.real() },
    clock: developmentClock(clock, lease, { host, services, journal, background, sign, cluster }),
    ...(cluster && { cluster }),
    seed: (issuer) => putDemoThere(database, services, issuer),
    begin: () => [eventing, background].forEach((one) => one.begin()),
    health: healthChecks(database, lease, [...parts, ['paymentService', payments.health]]),
    ...{ ...eventing.shown, outbox: background.outbox, requestCounters: counting.counters },
    node: { nodeId: self.nodeId, build: self.build, startedAt: clock.now() },
    isStale: () => lease.state === 'overdue',
    figures: () => figuresOf({ host, database, lease }, background, eventing),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

type Leased = { databaseUrl: string; self: Member; clock: DatabaseClock; log: Logger };

/** The lease of this node, and beside it the connection for questions that span tenants. */
async function openLease(
  stack: AsyncDisposableStack,
  thread: LeaseThread,
  { databaseUrl, self, clock, log }: Leased,
): Promise<KeptLease> {
  const system = stack.use(new KeptConnection(() => connect(databaseUrl, 'innkeeper_system')));
  const lease = await KeptLease.take({
    ...{ node: { ...self, address: `${self.host}:${self.port}` }, databaseUrl, thread, log },
    client: () => system.client(),
    renewed: (time) => clock.take(time),
  });
  return stack.use(lease);
}

function databaseUrlOf({ DATABASE_URL: url }: Config): string {
  if (url === undefined) throw new Error('DATABASE_URL is not set; npm start brings a database of its own');
  return url;
}

function figuresOf(
  { host, database, lease }: { host: Host; database: Database; lease: KeptLease },
  { competitorSyncAge }: Background,
  { figures }: OpenEvents,
): ReturnType<Context['figures']> {
  const activeConnections = database.activeConnections();
  const { held, ageSeconds } = lease;
  return {
    ...{ ...host.figures, activeConnections, competitorSyncAge: competitorSyncAge(), relay: figures() },
    lease: { held, ageSeconds },
  };
}

/** What was cut off goes on, and heads of journals are signed, until the stack is disposed of; says how to sign now. */
function goOnRegularly(
  stack: AsyncDisposableStack,
  role: NodeRole,
  services: Services,
  { database, lease }: { database: Database; lease: KeptLease },
): () => Promise<void> {
  const { log } = services;
  const alone = databaseLocks(() => lease.client());
  const tenants = new StoredTenants(() => lease.client());
  const sign = (): Promise<void> => signHeads({ ...services, tenants, heads: new StoredAuditHeads(database) });
  if (hasActors(role)) {
    stack.use(regularly(SWEEP_MS, log, () => settlePayments(services)));
    stack.use(regularly(SWEEP_MS, log, () => settleAttempts(services)));
    stack.use(regularly(RESUME_MS, log, () => repeatRefunds(services)));
  }
  if (hasJobs(role)) {
    stack.use(regularly(RESUME_MS, log, () => resumeErasures(services, tenants, alone)));
    stack.use(regularly(SIGN_MS, log, sign, 'at once'));
  }
  return sign;
}

/** Guests who are half forgotten, of every tenant. */
async function resumeErasures(services: Services, tenants: StoredTenants, alone: Alone): Promise<void> {
  for (const tenantId of await tenants.running())
    await alone(`erasures ${tenantId}`, () => finishErasures(services, tenantId));
}

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
    guestErasure: new StoredGuestErasure(database),
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

type Kept = Pick<Keeping, 'computer' | 'log'> & { archive: StoredJournal; databaseUrl: string; lease: KeptLease };

/** Lets months of the journal come and go, at once and then hourly, until the stack is disposed of. */
function keepRegularly(stack: AsyncDisposableStack, role: NodeRole, { databaseUrl, lease, ...kept }: Kept): Keeping {
  const retention = new StoredRetention(databaseUrl);
  let ended = false;
  const journal: Keeping = { ...kept, checkpoints: kept.archive, retention, ended: () => ended };
  const keep = async (): Promise<void> => void (lease.held && (await keepJournal(journal)));
  if (hasJobs(role)) stack.use(regularly(JOURNAL_MS, kept.log, keep, 'at once'));
  stack.defer(() => void (ended = true));
  return journal;
}

/** Demo tenants with their users under this issuer, and their houses (contracts.md 1). */
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
  services: Services;
  journal: Keeping;
  background: Background;
  sign: () => Promise<void>;
  cluster: Clustered | undefined;
};

function developmentClock(
  clock: DatabaseClock,
  lease: KeptLease,
  { host, services, journal, background, sign, cluster }: Timely,
): DevelopmentClock {
  const goOn = async (): Promise<void> => {
    await clock.measure(await lease.client());
    await host.catchUp();
    await settlePayments(services);
  };
  if (cluster) cluster.desk.clockMoved = goOn;
  return {
    now: () => clock.now(),
    async advance(milliseconds) {
      await advanceClock(await lease.client(), milliseconds / 1000);
      // All nodes first: what follows is about the properties of all.
      await Promise.all([goOn(), cluster?.tellTime()]);
      await keepJournal(journal);
      await background.catchUp();
      await sign();
      return clock.now();
    },
  };
}
