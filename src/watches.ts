import type { Config } from './config.ts';
import { AnalyticsPush } from './jobs/analytics-push.ts';
import { DailyWatch } from './jobs/daily-watch.ts';
import { assignArrivals } from './operations/assign-rooms.ts';
import { markNoShows } from './operations/mark-no-show.ts';
import { nightAudit } from './operations/night-audit.ts';
import { pushReports } from './operations/push-reports.ts';
import { optimizeHorizon } from './operations/recalculate-rates.ts';
import type { Services } from './operations/services.ts';
import { CompetitorSimulator } from './partners/competitor-simulator.ts';
import { HttpAnalytics } from './partners/http-analytics.ts';
import { httpCompetitorFeeds } from './partners/http-competitor-feed.ts';
import type { Alone } from './ports/alone.ts';
import type { Clock } from './ports/clock.ts';
import type { CompetitorFeed } from './ports/competitor-feed.ts';
import type { CompetitorRates } from './ports/competitor-rates.ts';
import type { EachAlone } from './ports/each-alone.ts';
import type { Log } from './ports/log.ts';
import { databaseDailyJobs } from './storage/daily-jobs.ts';
import type { Database } from './storage/database.ts';
import type { StoredTenants } from './storage/tenants.ts';

/** Of work that goes from one tenant or property to the next. */
type Advancing = { alone: Alone; each: EachAlone; progressed: () => void };
/** What work over tenants is made of. */
export type TenantParts = { tenants: StoredTenants; services: () => Services; clock: Clock; log: Log };

/** What is done for each house once a business day. */
export function dailyWatch(database: Database, { services, ...parts }: TenantParts & Advancing): DailyWatch {
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

/** Without an address reports stay where they are. */
export function analyticsPush(
  url: string | undefined,
  { tenants, services, clock, log, alone, each, progressed }: TenantParts & Advancing,
): AnalyticsPush | undefined {
  if (url === undefined) return undefined;
  const service = new HttpAnalytics(url);
  return new AnalyticsPush({
    ...{ tenants, log, each, progressed },
    breaker: () => service.breaker,
    async push(tenantId, signal) {
      let pushed: Awaited<ReturnType<typeof pushReports>> = { pushed: 0, partner: 'NOT_ASKED' };
      await alone(`reports ${tenantId}`, async () => {
        const failed = (...item: [string, unknown]): void => each.failed(...item);
        const parts = { analytics: services().analytics, service, clock, log, failed };
        pushed = await pushReports(parts, tenantId, signal);
      });
      return pushed;
    },
  });
}

/** Those of the environment; a simulated one beside the development issuer; otherwise none. */
export function competitorFeeds(
  config: Config,
  competitors: CompetitorRates,
  clock: Clock,
): readonly CompetitorFeed[] {
  if (config.COMPETITOR_FEED_URL) return httpCompetitorFeeds(config.COMPETITOR_FEED_URL);
  if (!config.developmentParts) return [];
  const usual: CompetitorRates['usualRates'] = (to, today) => competitors.usualRates(to, today);
  return [new CompetitorSimulator({ usual, now: () => clock.now() })];
}
