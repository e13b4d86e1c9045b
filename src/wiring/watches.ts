import { CompetitorSimulator } from '../competitors/partners/competitor-simulator.ts';
import { httpCompetitorFeeds } from '../competitors/partners/http-competitor-feed.ts';
import type { CompetitorFeed, CompetitorRates } from '../competitors/ports.ts';
import type { ItemRunner } from '../kernel/operations/item-runner.ts';
import type { Services } from '../kernel/operations/services.ts';
import type { AdvisoryLock, Clock, Log } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database/database.ts';
import { AnalyticsPush } from '../revenue/jobs/analytics-push.ts';
import { DailyWatch } from '../revenue/jobs/daily-watch.ts';
import { learnDaily } from '../revenue/operations/demand/demand-models.ts';
import { nightAudit } from '../revenue/operations/night-audit.ts';
import { switchRates } from '../revenue/operations/price-experiments/switch-rates.ts';
import { pushReports } from '../revenue/operations/push-reports.ts';
import { optimizeHorizon } from '../revenue/operations/recalculate-rates.ts';
import { HttpAnalytics } from '../revenue/partners/http-analytics.ts';
import { databaseDailyJobs } from '../revenue/storage/daily-jobs.ts';
import { assignArrivals } from '../rooms/operations/assign-rooms.ts';
import { chargeDues } from '../stay/operations/charge-due.ts';
import { markNoShows } from '../stay/operations/mark-no-show.ts';
import { postOverstays } from '../stay/operations/post-overstays.ts';
import type { StoredTenants } from '../tenants/storage/tenants.ts';

/** Parts of work that proceeds from one tenant or property to the next. */
type Advancing = { alone: AdvisoryLock; each: ItemRunner; progressed: () => void };
/** Parts of work over tenants. */
export type TenantParts = { tenants: StoredTenants; services: () => Services; clock: Clock; log: Log };

/** Daily work per property, once a business day. */
export function dailyWatch(database: Database, { services, ...parts }: TenantParts & Advancing): DailyWatch {
  const { each } = parts;
  const endDay = async (to: Address, date: Day): Promise<boolean> => {
    const isMarked = markNoShows(services(), to, date, each);
    // Nights are posted also where no-shows cannot be marked.
    await isMarked.catch(() => undefined);
    return (await postOverstays(services(), to, date, each)) && isMarked;
  };
  return new DailyWatch({
    ...parts,
    daily: databaseDailyJobs(database),
    work: {
      NO_SHOWS: endDay,
      NIGHT_AUDIT: (to, date) => nightAudit(services(), to, date, () => endDay(to, date)),
      CHARGE_DUES: (to) => chargeDues(services(), to, each),
      ASSIGN_ROOMS: (to, date) => assignArrivals(services(), to, date, each),
      LEARN_DEMAND: (to, date) => learnDaily(services(), to, date),
      OPTIMIZE_RATES: (to, date) => optimizeHorizon(services(), to, date),
      SWITCH_RATES: (to, date) => switchRates(services(), to, date),
    },
  });
}

/** Without an address reports are not pushed. */
export function analyticsPush(
  url: string | undefined,
  { tenants, services, clock, log, alone, each, progressed }: TenantParts & Advancing,
): AnalyticsPush | undefined {
  if (url === undefined) return undefined;
  const service = new HttpAnalytics(url);
  return new AnalyticsPush({
    tenants,
    log,
    each,
    progressed,
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

/** Configured feeds; a simulated one beside the development issuer; otherwise none. */
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
