import type { Services } from '../../kernel/operations/services.ts';
import type { JobRun, Jobs } from '../../kernel/ports.ts';
import { addressKey } from '../../kernel/rules/caller.ts';
import { isDatabaseUnavailable } from '../../kernel/rules/database-unavailable.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { businessDate } from '../../kernel/rules/property-time.ts';
import { EVENT_SOURCE, filterQuotes, SYNC_AGAIN_MS, WATCHED_NIGHTS } from '../../rates/rules/competitor-rate.ts';
import { type Recalculating, recalculateSignals } from '../../revenue/operations/recalculate-signals.ts';
import type { CompetitorFeed, DueProperty } from '../ports.ts';
import { noteMarket } from './note-market.ts';

/** Properties of a tenant that are queried at once. */
const PROPERTIES_AT_ONCE = 3;

type Refresh = Jobs['competitor-refresh'];
type Refreshing = Pick<Services, 'competitors' | 'feeds' | 'settings' | 'clock' | 'log'> & Recalculating;

/**
 * Queries the sources of a tenant's due properties, resident or passive, for the coming year. A failed source keeps its
 * last rates with their age, and is due again sooner. The same applies to a property with invalid data: it is logged,
 * and the others are refreshed. Without the database the job ends, and a repeat continues it.
 */
export async function refreshCompetitors(
  services: Refreshing,
  { tenantId, since }: Refresh['data'],
  run: JobRun,
  failed: (item: string, error: unknown) => void = () => undefined,
): Promise<Refresh['result']> {
  const { competitors, feeds, clock, log } = services;
  const sources = feeds.map(({ source }) => source);
  const by = { now: clock.now(), since };
  const total = await competitors.countDue(tenantId, sources, by);
  const report = { asked: 0, failed: 0 };
  if (total === 0) return report;
  await competitors.forgetDeleted(tenantId);
  let percent = 0;
  const work = async (property: DueProperty): Promise<void> => {
    const refreshed = await refreshProperty(services, property, run.signal).catch(async (error: unknown) => {
      if (run.signal.aborted || isDatabaseUnavailable(error)) throw error;
      failed(`${tenantId}/${property.to.propertyId}`, error);
      return giveUpOn(services, property, error);
    });
    if (!refreshed) report.failed += 1;
    report.asked += 1;
    const now = Math.floor((100 * report.asked) / total);
    if (now > percent) await run.progress((percent = now));
  };
  for (let after: string | undefined; ;) {
    const properties = await competitors.due(tenantId, sources, by, after);
    await fewAtOnce(properties, work);
    after = properties.at(-1)?.to.propertyId;
    if (after !== undefined) continue;
    if (report.failed > 0) log.warn(report, 'sources of competitor rates have failed');
    return report;
  }
}

/** Returns whether all sources have answered. */
async function refreshProperty(services: Refreshing, property: DueProperty, signal: AbortSignal): Promise<boolean> {
  const { competitors, feeds, clock } = services;
  const today = businessDate(clock.now(), property.clock);
  const nights = { start: today, end: today + WATCHED_NIGHTS - 1 };
  const answered = await noteMarket(services, property.to, nights, async () => {
    await competitors.forget(property.to, today, [...feeds.map(({ source }) => source), EVENT_SOURCE]);
    let all = true;
    for (const feed of feeds.filter(({ source }) => property.sources.includes(source)))
      if (!(await ask(services, feed, property, nights, signal))) all = false;
    return all;
  });
  if (property.dynamic)
    await recalculateSignals(services, property.to).catch((error: unknown) =>
      services.log.warn(
        { property: addressKey(property.to), error: String(error) },
        'prices do not follow the market yet',
      ),
    );
  return answered;
}

/** Only the log has the cause. */
async function giveUpOn(
  { competitors, clock, log }: Refreshing,
  { to, sources }: DueProperty,
  error: unknown,
): Promise<boolean> {
  log.warn({ property: addressKey(to), error: String(error) }, 'competitor rates of a house cannot be refreshed');
  const at = clock.now();
  for (const source of sources)
    await competitors.fail(
      to,
      { source, at, nextSync: at + SYNC_AGAIN_MS },
      'a fault of the service; its log says more',
    );
  return false;
}

async function ask(
  { competitors, settings, clock }: Refreshing,
  feed: CompetitorFeed,
  { to, currency, roomTypes }: DueProperty,
  nights: { start: Day; end: Day },
  signal: AbortSignal,
): Promise<boolean> {
  const { source } = feed;
  const at = clock.now();
  try {
    signal.throwIfAborted();
    const { rates, malformed } = await feed.read({ to, currency, ...nights }, signal);
    const { comparable, leftOut } = filterQuotes(rates, { currency, roomTypes, ...nights, now: at });
    if (malformed > 0) leftOut.MALFORMED = malformed;
    const { competitorRefreshHours } = await settings.of(to.tenantId);
    const queried = { source, at, nextSync: at + competitorRefreshHours * 3_600_000 };
    await competitors.replace(to, queried, { ...nights, rates: comparable, leftOut });
    return true;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    await competitors.fail(to, { source, at, nextSync: at + SYNC_AGAIN_MS }, error.message);
    return false;
  }
}

/** Runs the work for each, a few at once; after a failure no other is begun, and running ones are awaited. */
async function fewAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  let broken = false;
  const lane = async (): Promise<void> => {
    for (const one of left) {
      if (broken) return;
      await work(one).catch((error: unknown) => {
        broken = true;
        throw error;
      });
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: PROPERTIES_AT_ONCE }, lane));
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
}
