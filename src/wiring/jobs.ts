import type { Client } from 'pg';

import { CompetitorWatch, LOOK_MS } from '../competitors/jobs/competitor-watch.ts';
import { refreshCompetitors } from '../competitors/operations/refresh-competitors.ts';
import { databaseCompetitorRates } from '../competitors/storage/competitor-rates.ts';
import { ItemRunner } from '../kernel/operations/item-runner.ts';
import type { Services } from '../kernel/operations/services.ts';
import type { Clock, HealthCheck, JobName, Log } from '../kernel/ports.ts';
import type { PropertyView } from '../kernel/property-actors.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { JournalEntry } from '../kernel/rules/journal.ts';
import { hasActors, hasJobs } from '../kernel/rules/placement.ts';
import type { Rounds } from '../kernel/rules/rounds.ts';
import { stayAddressInLetter } from '../notifications/operations/stay-link.ts';
import { stayMailLetter } from '../notifications/operations/stay-mail-letter.ts';
import type { DevMailbox } from '../notifications/ports.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database/database.ts';
import { installationOf } from '../platform/database/installation.ts';
import type { Connections } from '../platform/database/limited-client.ts';
import { databaseLocks } from '../platform/database/node-locks.ts';
import type { OpenBackend } from '../platform/jobs/backend.ts';
import { JobQueues, type JobQueueSettings } from '../platform/jobs/job-queues.ts';
import { databaseJobRounds } from '../platform/jobs/job-rounds.ts';
import { openJobsPool } from '../platform/jobs/jobs-pool.ts';
import { openPostgresBackend } from '../platform/jobs/postgres-backend.ts';
import { openRedisBackend } from '../platform/jobs/redis-backend.ts';
import { regularly } from '../platform/jobs/regularly.ts';
import { RepeatedJobs } from '../platform/jobs/repeated-jobs.ts';
import { ROUND as TENANT_ROUND, TenantWatch } from '../platform/jobs/tenant-watch.ts';
import { Repricer } from '../rates/jobs/repricer.ts';
import type { AnalyticsPush } from '../revenue/jobs/analytics-push.ts';
import type { DailyWatch } from '../revenue/jobs/daily-watch.ts';
import { findLostOptimizations } from '../revenue/operations/optimize-yield.ts';
import { recalculateRates } from '../revenue/operations/recalculate-rates.ts';
import { recalculateSignals } from '../revenue/operations/recalculate-signals.ts';
import { runOptimization } from '../revenue/operations/run-optimization.ts';
import { followTenant } from '../tenants/operations/follow-tenant.ts';
import { signInAddress } from '../tenants/operations/invite-users.ts';
import { StoredTenants } from '../tenants/storage/tenants.ts';
import { openNotifying } from './notifications.ts';
import { analyticsPush, competitorFeeds, dailyWatch, type TenantParts } from './watches.ts';

/** Interval of reading journals for notifications, without signals of commits. */
const READ_MS = 5_000;

/** How long the development clock waits for due jobs, and until guests were notified. */
const CATCH_UP_MS = 30_000;
const NOTIFY_MS = 10_000;

type Parts = {
  config: Config;
  databaseUrl: string;
  connections: Connections;
  database: Database;
  log: Log;
  clock: Clock;
  /** The connection as innkeeper_system. */
  system: () => Promise<Client>;
  nodeId: string;
  rounds: Rounds;
};

/** Work beside requests: the job queue and its jobs. */
export type Background = AsyncDisposable & {
  services: Pick<Services, 'jobs' | 'competitors' | 'feeds' | 'repricing' | 'sendsMail'>;
  /** Components of health by name. */
  health: ReadonlyMap<string, HealthCheck>;
  /** Messages retained by development. */
  outbox: DevMailbox;
  competitorSyncAge(): number;
  /** Called with every commit of this node's properties. */
  onCommitted(to: Address, entry: JournalEntry, view: PropertyView): void;
  begin(): void;
  /** Runs jobs that are due by the application's clock. */
  catchUp(): Promise<void>;
};

/** Reports are pushed where an analytics service is configured. */
type Watches = { competitors: CompetitorWatch; daily: DailyWatch; push: AnalyticsPush | undefined };

function* healthOf({ competitors, push }: Watches): Generator<readonly [string, HealthCheck]> {
  yield ['competitorApi', competitors.health];
  if (push) yield ['analytics', push.health];
}

/** Nothing runs before `begin`. @param services resolved only when a job runs */
export function openBackground(parts: Parts, services: () => Services): Background {
  const { config, database, log, clock, system, rounds } = parts;
  const works = hasJobs(config.NODE_ROLE);
  const competitors = databaseCompetitorRates(database);
  const tenants = new StoredTenants(system);
  const alone = databaseLocks(system);
  const feeds = competitorFeeds(config, competitors, clock);
  // Rounds of the queue are registered under the names of their jobs.
  const eachOf = (round: JobName | 'notifications') => new ItemRunner(rounds.items(round, LOOK_MS), log);
  const repeated = new RepeatedJobs({ stored: databaseJobRounds(system, parts.nodeId), rounds, works, log });
  const jobs: JobQueues = new JobQueues({
    open: jobBackend(parts),
    settings: repeated.watched(settingsOf({ services, tenants, eachOf }, () => watches)),
    late: () => repeated.late,
    works,
    log,
    rounds,
  });
  const all = { tenants, services, clock, log, alone };
  const advancing = (name: JobName) => ({ ...all, each: eachOf(name), progressed: () => repeated.progressed(name) });
  const watches: Watches = {
    competitors: new CompetitorWatch({ tenants, competitors, feeds, jobs, clock, each: eachOf('competitor-check') }),
    daily: dailyWatch(database, advancing('daily-check')),
    push: analyticsPush(config.ANALYTICS_URL, advancing('analytics-push')),
  };
  const { notifier, outbox, sendsMail } = mailing(parts, services, tenants, eachOf('notifications'));
  const following = tenantWatch({ tenants, services, clock, log }, rounds);
  const repricer = new Repricer({ reprice: (to) => recalculateSignals(services(), to), clock, log });
  const looking = new AsyncDisposableStack();
  const unlessGone = notLooked(log);
  return {
    services: { jobs, competitors, feeds, repricing: repricer, sendsMail },
    health: new Map([['jobs', jobs.health], ...notifier.health, ...healthOf(watches)]),
    outbox,
    competitorSyncAge: () => watches.competitors.ageSeconds,
    onCommitted(to, entry, view) {
      repricer.committed(to, entry, view);
      // Nodes without jobs send no notifications; those with jobs read journals themselves.
      if (works) notifier.committed(to, entry);
    },
    begin: () => {
      jobs.begin();
      repeated.begin();
      following.begin(works ? 'looks' : 'waits');
      services().tenantChanges.on('configured', (tenantId) => following.ask(tenantId));
      if (!works) return;
      services().tenantChanges.on('changed', (tenantId) => notifier.administered(tenantId));
      void lookOnceOpen(jobs, watches).catch(unlessGone);
      looking.use(regularly(rounds.register('notifications', LOOK_MS), log, () => notifier.look(), 'at once'));
      if (!hasActors(config.NODE_ROLE))
        looking.use(regularly(rounds.register('notification-journal', READ_MS), log, () => notifier.read()));
    },
    async catchUp() {
      await following.done();
      await watches.competitors.runDue(CATCH_UP_MS).catch(unlessGone);
      await watches.daily.lookAgain().catch(unlessGone);
      await watches.push?.runDue(NOTIFY_MS).catch(unlessGone);
      await notifier.runDue(NOTIFY_MS).catch(unlessGone);
    },
    // One after the other: producers of jobs end before the queue.
    async [Symbol.asyncDispose]() {
      for (const part of [looking, repeated, following, notifier, repricer, watches.push, jobs])
        await part?.[Symbol.asyncDispose]();
    },
  };
}

function mailing(
  { config, database, log, clock }: Parts,
  services: () => Services,
  tenants: StoredTenants,
  each: ItemRunner,
): ReturnType<typeof openNotifying> {
  return openNotifying({
    config,
    database,
    tenants,
    log,
    clock,
    each,
    settings: async (tenantId) => (await services().settings.of(tenantId)).notifications,
    letterOf: (tenantId, mail) => stayMailLetter(services(), tenantId, mail),
    signInUrl: (tenantId) => signInAddress(services(), tenantId),
    stayUrl: (tenantId, id, orderedAt) => stayAddressInLetter(services(), tenantId, id, orderedAt),
  });
}

const notLooked = (log: Log) => (error: unknown) => log.warn({ error: String(error) }, 'nobody looked what is due');

/** Checks for due work at the start, which need not wait for the queue's next round. */
async function lookOnceOpen(jobs: JobQueues, { competitors }: Watches): Promise<void> {
  await jobs.opened();
  await competitors.lookAgain();
}

/** Redis where configured, else PostgreSQL. */
function jobBackend({ config, databaseUrl, connections, system, log }: Parts): OpenBackend {
  const { REDIS_URL: url } = config;
  if (url === undefined) return () => openPostgresBackend(() => openJobsPool(databaseUrl, connections.Client));
  return () => openRedisBackend({ url, installation: () => installationOf(system), log });
}

/** Handlers and settings of all jobs. */
function settingsOf(
  { services, tenants, eachOf }: Pick<TenantParts, 'services' | 'tenants'> & { eachOf(round: JobName): ItemRunner },
  watches: () => Watches,
): JobQueueSettings {
  const everyMinute = { concurrency: 1, attempts: 1, backoffMs: 1_000, repeatMs: LOOK_MS };
  const lost = eachOf('daily-check');
  const refreshed = eachOf('competitor-check');
  return {
    'analytics-push': {
      handler: async () => ({ pushed: (await watches().push?.look()) ?? 0 }),
      ...everyMinute,
    },
    'competitor-check': {
      handler: async () => ({ due: (await watches().competitors.look()).length }),
      ...everyMinute,
    },
    'competitor-refresh': {
      async handler(order, run) {
        const report = await refreshCompetitors(services(), order, run, (...item) => refreshed.failed(...item));
        await watches().competitors.lookAt(order.tenantId);
        return report;
      },
      concurrency: 2,
      attempts: 3,
      backoffMs: 5_000,
    },
    'daily-check': {
      handler: async () => {
        await refindOptimizations({ services, tenants, each: lost });
        await watches().daily.look();
        await watches().daily.makeUp();
        return {};
      },
      ...everyMinute,
    },
    'rate-recalculation': {
      handler: async (order, run) => recalculateRates(services(), order, run),
      concurrency: 1,
      attempts: 3,
      backoffMs: 2_000,
    },
    'yield-optimization': {
      handler: async (order, run) => runOptimization(services(), order, run),
      // One thread for long searches; the other is left to those that a caller waits for.
      concurrency: 1,
      attempts: 3,
      backoffMs: 2_000,
    },
  };
}

/** Of every tenant, in the background: optimizations that cannot be requested now are in the next round. */
async function refindOptimizations({
  services,
  tenants,
  each,
}: Pick<TenantParts, 'services' | 'tenants'> & { each: ItemRunner }): Promise<void> {
  for (const tenantId of await tenants.running())
    await each.one(`${tenantId} lost optimizations`, () => findLostOptimizations(services(), tenantId, each));
}

/** Applies tenant settings to properties. */
function tenantWatch({ services, ...parts }: TenantParts, rounds: Rounds): TenantWatch {
  const each = new ItemRunner(rounds.items(TENANT_ROUND, LOOK_MS), parts.log);
  return new TenantWatch({
    ...parts,
    rounds,
    follow: (tenantId, signal) => followTenant(services(), tenantId, signal, each),
  });
}
