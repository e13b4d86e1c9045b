import type { Client } from 'pg';

import type { Config } from './config.ts';
import type { Address } from './domain/caller.ts';
import type { JournalEntry } from './domain/journal.ts';
import { hasActors, hasJobs } from './domain/placement.ts';
import { AnalyticsPush } from './jobs/analytics-push.ts';
import { CompetitorWatch, LOOK_MS } from './jobs/competitor-watch.ts';
import { DailyWatch } from './jobs/daily-watch.ts';
import { JobQueues, type Settings } from './jobs/job-queues.ts';
import { regularly } from './jobs/regularly.ts';
import type { OpenBackend } from './jobs/backend.ts';
import { openPostgresBackend } from './jobs/postgres-backend.ts';
import { openRedisBackend } from './jobs/redis-backend.ts';
import { Repricer } from './jobs/repricer.ts';
import { TenantWatch } from './jobs/tenant-watch.ts';
import { openNotifying } from './notifying.ts';
import { assignArrivals } from './operations/assign-rooms.ts';
import { followTenant } from './operations/follow-tenant.ts';
import { markNoShows } from './operations/mark-no-show.ts';
import { nightAudit } from './operations/night-audit.ts';
import { pushReports } from './operations/push-reports.ts';
import { findLostOptimizations } from './operations/optimize-yield.ts';
import { optimizeHorizon, recalculateRates } from './operations/recalculate-rates.ts';
import { recalculateSignals } from './operations/recalculate-signals.ts';
import { refreshCompetitors } from './operations/refresh-competitors.ts';
import { runOptimization } from './operations/run-optimization.ts';
import type { Services } from './operations/services.ts';
import { CompetitorSimulator } from './partners/competitor-simulator.ts';
import { HttpAnalytics } from './partners/http-analytics.ts';
import { httpCompetitorFeeds } from './partners/http-competitor-feed.ts';
import type { Alone } from './ports/alone.ts';
import type { Clock } from './ports/clock.ts';
import type { CompetitorFeed } from './ports/competitor-feed.ts';
import type { CompetitorRates } from './ports/competitor-rates.ts';
import type { HealthCheck } from './ports/health-check.ts';
import type { Log } from './ports/log.ts';
import type { Outbox } from './ports/outbox.ts';
import type { PropertyView } from './ports/properties.ts';
import { databaseCompetitorRates } from './storage/competitor-rates.ts';
import { databaseDailyJobs } from './storage/daily-jobs.ts';
import type { Database } from './storage/database.ts';
import { installationOf } from './storage/installation.ts';
import { databaseLocks } from './storage/node-locks.ts';
import { openJobsPool } from './storage/jobs-pool.ts';
import { StoredTenants } from './storage/tenants.ts';

/** Where no commits are heard of, journals are read so often for what guests are to be told. */
const READ_MS = 5_000;

/** How long the development clock waits for jobs that fell due, and until guests have been told. */
const CATCH_UP_MS = 30_000;
const TELL_MS = 10_000;

type Parts = {
  config: Config;
  databaseUrl: string;
  database: Database;
  log: Log;
  clock: Clock;
  /** The connection of innkeeper_system. */
  system: () => Promise<Client>;
};

/** What goes on beside requests: the job queue, and what it does. */
export type Background = AsyncDisposable & {
  services: Pick<Services, 'jobs' | 'competitors' | 'feeds' | 'repricing'>;
  /** Components of the health, each under its own name. */
  health: ReadonlyMap<string, HealthCheck>;
  /** What was sent in development. */
  outbox: Outbox;
  competitorSyncAge(): number;
  /** Told of what properties of this node commit. */
  told(to: Address, entry: JournalEntry, view: PropertyView): void;
  begin(): void;
  /** Has jobs done that are due on the application's clock. */
  catchUp(): Promise<void>;
};

/** Reports are pushed where an analytics service is configured. */
type Watches = { competitors: CompetitorWatch; daily: DailyWatch; push: AnalyticsPush | undefined };

/** Nothing runs before `begin`. @param services asked for only when a job runs */
export function openBackground(parts: Parts, services: () => Services): Background {
  const { config, database, log, clock, system } = parts;
  const works = hasJobs(config.NODE_ROLE);
  const competitors = databaseCompetitorRates(database);
  const tenants = new StoredTenants(system);
  const alone = databaseLocks(system);
  const feeds = competitorFeeds(config, competitors, clock);
  const jobs: JobQueues = new JobQueues({
    open: jobBackend(parts),
    settings: settingsOf({ services, tenants, log }, () => watches),
    ...{ works, log },
  });
  const watches: Watches = {
    competitors: new CompetitorWatch({ tenants, competitors, feeds, jobs, clock }),
    daily: dailyWatch(database, { tenants, services, clock, log, alone }),
    push: analyticsPush(config.ANALYTICS_URL, { tenants, services, clock, log, alone }),
  };
  const { notifier, outbox } = openNotifying({
    ...{ config, database, tenants, log, clock },
    settings: async (tenantId) => (await services().settings.of(tenantId)).notifications,
  });
  const following = tenantWatch({ tenants, services, clock, log });
  const repricer = new Repricer({ reprice: (to) => recalculateSignals(services(), to), clock, log });
  const looking = new AsyncDisposableStack();
  const unlessGone = (error: unknown): void => log.warn({ error: String(error) }, 'nobody looked what is due');
  return {
    services: { jobs, competitors, feeds, repricing: repricer },
    health: new Map([
      ...([['jobs', jobs.health], ['competitorApi', watches.competitors.health], ...notifier.health] as const),
      ...(watches.push ? [['analytics', watches.push.health] as const] : []),
    ]),
    outbox,
    competitorSyncAge: () => watches.competitors.ageSeconds,
    told(to, entry, view) {
      repricer.told(to, entry, view);
      // Where no jobs are, nobody is written to; a node that has them reads journals by itself.
      if (works) notifier.told(to, entry);
    },
    begin: () => {
      jobs.begin();
      following.begin(works ? 'looks' : 'waits');
      services().tenantChanges.on('configured', (tenantId) => following.ask(tenantId));
      if (!works) return;
      void watches.competitors.look().catch(unlessGone);
      looking.use(regularly(LOOK_MS, log, () => notifier.look(), 'at once'));
      if (!hasActors(config.NODE_ROLE)) looking.use(regularly(READ_MS, log, () => notifier.read()));
    },
    async catchUp() {
      await following.done();
      await watches.competitors.runDue(CATCH_UP_MS).catch(unlessGone);
      await watches.daily.lookAgain().catch(unlessGone);
      await watches.push?.runDue(TELL_MS).catch(unlessGone);
      await notifier.runDue(TELL_MS).catch(unlessGone);
    },
    async [Symbol.asyncDispose]() {
      await looking.disposeAsync();
      await following[Symbol.asyncDispose]();
      await notifier[Symbol.asyncDispose]();
      await repricer[Symbol.asyncDispose]();
      await watches.push?.[Symbol.asyncDispose]();
      await jobs[Symbol.asyncDispose]();
    },
  };
}

/** What is done for each house once a business day. */
function dailyWatch(database: Database, { services, ...parts }: TenantParts & { alone: Alone }): DailyWatch {
  return new DailyWatch({
    ...{ ...parts, daily: databaseDailyJobs(database) },
    work: {
      NO_SHOWS: (to, date) => markNoShows(services(), to, date),
      NIGHT_AUDIT: (to, date) => nightAudit(services(), to, date),
      ASSIGN_ROOMS: (to, date) => assignArrivals(services(), to, date),
      OPTIMIZE_RATES: (to, date) => optimizeHorizon(services(), to, date),
    },
  });
}

/** Redis where there is one, else the database that is there anyway. */
function jobBackend({ config, databaseUrl, system, log }: Parts): OpenBackend {
  const { REDIS_URL: url } = config;
  if (url === undefined) return () => openPostgresBackend(() => openJobsPool(databaseUrl));
  return () => openRedisBackend({ url, installation: () => installationOf(system), log });
}

/** Every job with what does it. */
function settingsOf({ services, tenants, log }: Omit<TenantParts, 'clock'>, watches: () => Watches): Settings {
  const everyMinute = { concurrency: 1, attempts: 1, backoffMs: 1_000, repeatMs: LOOK_MS };
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
        const report = await refreshCompetitors(services(), order, run);
        await watches().competitors.lookAt(order.tenantId);
        return report;
      },
      ...{ concurrency: 2, attempts: 3, backoffMs: 5_000 },
    },
    'daily-check': {
      handler: async () => {
        await refindOptimizations({ services, tenants, log });
        await watches().daily.look();
        await watches().daily.makeUp();
        return {};
      },
      ...everyMinute,
    },
    'rate-recalculation': {
      handler: async (order, run) => recalculateRates(services(), order, run),
      ...{ concurrency: 1, attempts: 3, backoffMs: 2_000 },
    },
    'yield-optimization': {
      handler: async (order, run) => runOptimization(services(), order, run),
      // One thread for long searches; the other one is left to those that somebody waits for.
      ...{ concurrency: 1, attempts: 3, backoffMs: 2_000 },
    },
  };
}

/** Of every tenant, behind nobody's back: what cannot be found again now is in the next round. */
async function refindOptimizations({ services, tenants, log }: Omit<TenantParts, 'clock'>): Promise<void> {
  for (const tenantId of await tenants.running())
    await findLostOptimizations(services(), tenantId).catch((error: unknown) =>
      log.warn({ tenantId, error: String(error) }, 'lost optimizations are looked for later'),
    );
}

/** Houses follow what their tenant says of them. */
function tenantWatch({ services, ...parts }: TenantParts): TenantWatch {
  return new TenantWatch({ ...parts, follow: (tenantId, signal) => followTenant(services(), tenantId, signal) });
}

type TenantParts = { tenants: StoredTenants; services: () => Services; clock: Clock; log: Log };

/** Without an address reports stay where they are. */
function analyticsPush(
  url: string | undefined,
  { tenants, services, clock, log, alone }: TenantParts & { alone: Alone },
): AnalyticsPush | undefined {
  if (url === undefined) return undefined;
  const service = new HttpAnalytics(url);
  return new AnalyticsPush({
    ...{ tenants, log },
    breaker: () => service.breaker,
    async push(tenantId, signal) {
      let pushed: Awaited<ReturnType<typeof pushReports>> = { pushed: 0, partner: 'NOT_ASKED' };
      await alone(`reports ${tenantId}`, async () => {
        pushed = await pushReports({ analytics: services().analytics, service, clock, log }, tenantId, signal);
      });
      return pushed;
    },
  });
}

/** Those of the environment; in development a simulated one where none is named; in production none. */
function competitorFeeds(config: Config, competitors: CompetitorRates, clock: Clock): readonly CompetitorFeed[] {
  if (config.COMPETITOR_FEED_URL) return httpCompetitorFeeds(config.COMPETITOR_FEED_URL);
  if (config.production) return [];
  const usual: CompetitorRates['usualRates'] = (to, today) => competitors.usualRates(to, today);
  return [new CompetitorSimulator({ usual, now: () => clock.now() })];
}
