import t from 'tap';

import type { Services } from '../../kernel/operations/services.ts';
import type { JobRun } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { CommandOf } from '../../kernel/rules/commands.ts';
import { dayOf } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { openDatabase } from '../../platform/database/database.ts';
import type { CompetitorRate, MarketNight } from '../../rates/rules/competitor-rate.ts';
import { DEFAULT_SETTINGS } from '../../tenants/rules/tenant.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { storedProperty } from '../../testing/stored-property.ts';
import type { CompetitorFeed, FeedAnswer, FeedQuestion } from '../ports.ts';
import { databaseCompetitorRates } from '../storage/competitor-rates.ts';
import { refreshCompetitors } from './refresh-competitors.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const competitors = databaseCompetitorRates(database);

/** At 03:30 in Lisbon the business date is already the tenth, at 02:30 it was the ninth. */
const NOW = Date.parse('2027-01-10T03:30:00Z');
const TODAY = dayOf('2027-01-10');
const HOUR = 3_600_000;

class FakeFeed implements CompetitorFeed {
  readonly source: string;
  readonly questions: FeedQuestion[] = [];
  answer: (question: FeedQuestion, signal: AbortSignal) => Promise<FeedAnswer> | FeedAnswer = () => ({
    rates: [],
    malformed: 0,
  });

  constructor(source = 'feed') {
    this.source = source;
  }

  async read(question: FeedQuestion, signal: AbortSignal): Promise<FeedAnswer> {
    this.questions.push(question);
    return this.answer(question, signal);
  }
}

const rate = (other: Partial<CompetitorRate> = {}): CompetitorRate => ({
  competitorId: 'plaza',
  roomType: 'STD',
  day: TODAY,
  rate: 10_000,
  currency: 'EUR',
  observedAt: NOW,
  ...other,
});

let tenants = 0;

/** A tenant with some properties, whose sources are queried on a clock of its own. */
async function tenant(targets: number, ...feeds: FakeFeed[]) {
  const tenantId = `tenant-${(tenants += 1)}`;
  const all: string[] = [];
  for (let n = 0; n < targets; n++) all.push((await storedProperty(admin, tenantId)).propertyId);
  const clock = new FakeClock(NOW);
  const stop = new AbortController();
  const percents: number[] = [];
  const run: JobRun = { id: 'job', signal: stop.signal, progress: async (percent) => void percents.push(percent) };
  // Properties whose prices follow the market are signalled; the effect is tested in recalculate-signals.test.ts.
  const published: string[] = [];
  const view = async ({ propertyId }: Address) => (published.push(propertyId), { isDynamic: false });
  const noted: MarketNight[][] = [];
  const execute = async (_: Address, { command }: { command: CommandOf<'NOTE_MARKET'> }) =>
    void noted.push(command.nights);
  const settings = { of: async () => DEFAULT_SETTINGS };
  const properties = { view, execute };
  const services = { competitors, feeds, settings, clock, log: quiet, properties } as unknown as Services;
  const sources = feeds.map(({ source }) => source);
  return {
    tenantId,
    properties: all,
    clock,
    stop,
    percents,
    published,
    noted,
    refresh: (since?: number) => refreshCompetitors(services, { tenantId, since }, run),
    overview: () => competitors.overview(tenantId, sources),
    market: (propertyId = all[0]!) => competitors.market({ tenantId, propertyId }, TODAY - 9, TODAY + 400),
  };
}

t.test('properties with a plan that follows the market are signalled', async (t) => {
  const { tenantId, properties, refresh, published } = await tenant(2, new FakeFeed());
  await admin.query(
    `insert into rates (tenant_id, id, property_id, code, name, strategy) values ($1, gen_random_uuid(), $2, 'DYN', 'Dynamic', 'DYNAMIC')`,
    [tenantId, properties[1]],
  );
  await refresh();
  t.same(published, [properties[1]]);
});

t.test('changes of one source are signalled although another source throws', async (t) => {
  const [good, bad] = [new FakeFeed('good'), new FakeFeed('bad')];
  good.answer = () => ({ rates: [rate()], malformed: 0 });
  bad.answer = () => {
    throw new Error('a fault of ours');
  };
  const { refresh, noted } = await tenant(1, good, bad);
  t.same(await refresh(), { asked: 1, failed: 1 });
  t.match(noted, [[{ roomType: 'STD', day: TODAY, median: 10_000 }]]);
});

t.test('every property of the tenant is queried for the coming year, and no other', async (t) => {
  const feed = new FakeFeed();
  feed.answer = () => ({ rates: [rate(), rate({ currency: 'USD' })], malformed: 3 });
  const { tenantId, properties, refresh, overview, market, percents } = await tenant(4, feed);
  t.same(await refresh(), { asked: 4, failed: 0 });
  t.same(feed.questions.map(({ to }) => to.propertyId).toSorted(), properties);
  t.match(feed.questions[0], { to: { tenantId }, currency: 'EUR', start: TODAY, end: TODAY + 364 });
  t.same(percents, [25, 50, 75, 100]);
  const counts = { properties: 4, queried: 4, failing: 0, rates: 4, leftOut: { CURRENCY: 4, MALFORMED: 12 } };
  t.match(await overview(), [{ ...counts, lastSuccess: NOW, nextSync: NOW + 6 * HOUR }]);
  t.match(await market(), [{ roomType: 'STD', day: TODAY, median: 10_000, count: 1 }]);
  t.same(await refresh(), { asked: 0, failed: 0 }, 'nothing is due');
  t.equal(feed.questions.length, 4);
});

t.test('all are due again after six hours, and at once when last queried before a given moment', async (t) => {
  const feed = new FakeFeed();
  const { refresh, clock } = await tenant(1, feed);
  await refresh();
  clock.pass(6 * HOUR - 1);
  t.same(await refresh(), { asked: 0, failed: 0 });
  t.same(await refresh(NOW), { asked: 0, failed: 0 }, 'it was asked at that moment');
  t.same(await refresh(clock.now()), { asked: 1, failed: 0 });
  clock.pass(6 * HOUR);
  t.same(await refresh(), { asked: 1, failed: 0 });
});

t.test('a failed source keeps its last data, other sources continue, and it is queried again sooner', async (t) => {
  const [good, bad] = [new FakeFeed('good'), new FakeFeed('bad')];
  good.answer = () => ({ rates: [rate({ competitorId: 'a' })], malformed: 0 });
  bad.answer = () => ({ rates: [rate({ competitorId: 'b', rate: 20_000 })], malformed: 0 });
  const { refresh, clock, overview, market, noted } = await tenant(1, good, bad);
  await refresh();
  t.match(noted, [[{ day: TODAY, median: 15_000, low: 10_000, high: 20_000, count: 2 }]], 'dashboards are told');
  bad.answer = () => Promise.reject(new DomainError('PARTNER_UNAVAILABLE', 'it answers 500'));
  clock.pass(6 * HOUR);
  t.same(await refresh(), { asked: 1, failed: 1 });
  t.equal(noted.length, 1, 'of nothing that is as it was');
  t.match(await market(), [{ count: 2, median: 15_000 }]);
  t.match(await overview(), [
    { source: 'good', failing: 0, lastSuccess: NOW + 6 * HOUR, nextSync: NOW + 12 * HOUR, error: undefined },
    { source: 'bad', failing: 1, lastSuccess: NOW, lastAttempt: NOW + 6 * HOUR, error: 'it answers 500', rates: 1 },
  ]);
  clock.pass(HOUR / 4);
  bad.answer = () => ({ rates: [], malformed: 0 });
  t.same(await refresh(), { asked: 1, failed: 0 });
  t.match(noted[1], [{ day: TODAY, median: 10_000, count: 1 }]);
  t.same([good.questions.length, bad.questions.length], [2, 3]);
  t.match(await market(), [{ count: 1 }]);
});

t.test('nights that are over go with the business date of the property', async (t) => {
  const feed = new FakeFeed();
  const observedAt = NOW - HOUR;
  feed.answer = ({ start }) => ({ rates: [0, 1].map((n) => rate({ day: start + n, observedAt })), malformed: 0 });
  const { refresh, clock, market } = await tenant(1, feed);
  clock.pass(-HOUR);
  await refresh();
  t.match(await market(), [{ day: TODAY - 1 }, { day: TODAY }]);
  feed.answer = () => Promise.reject(new DomainError('PARTNER_UNAVAILABLE', 'no'));
  clock.pass(HOUR);
  await refresh(clock.now());
  t.match(await market(), [{ day: TODAY }], 'also when the source fails');
});

t.test('a database that is away ends the job, and a repeat goes on with what is left', async (t) => {
  const feed = new FakeFeed();
  const { refresh, properties, overview } = await tenant(5, feed);
  let asked = 0;
  feed.answer = () => {
    asked += 1;
    if (asked === 2) throw Object.assign(new Error('away'), { code: 'ECONNRESET' });
    return { rates: [], malformed: 0 };
  };
  await t.rejects(refresh(NOW + 1), { message: 'away' });
  const before = (await overview())[0]!.queried;
  t.ok(before < properties.length);
  t.same(await refresh(), { asked: properties.length - before, failed: 0 });
});

t.test('an aborted job queries no further source, and records no failure', async (t) => {
  const feed = new FakeFeed();
  const { refresh, stop, overview } = await tenant(7, feed);
  feed.answer = (_, signal) => {
    stop.abort(new Error('going'));
    signal.throwIfAborted();
    return { rates: [], malformed: 0 };
  };
  await t.rejects(refresh(), { message: 'going' });
  t.ok(feed.questions.length <= 3);
  t.match(await overview(), [{ queried: 0, failing: 0 }]);
});
