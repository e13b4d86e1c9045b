import t from 'tap';

import { type Day, dayOf } from '../../kernel/rules/dates.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { type OtbOfDay, metricsOf, auditNight } from '../rules/night-audit.ts';
import { databaseAnalytics } from './analytics.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const analytics = databaseAnalytics(database);

const DATE = dayOf('2027-03-10');
const LATER = Date.parse('2100-01-01T00:00:00Z');

/** The stored row of a day with some rooms sold of some types. */
function report(date: Day, sold: Record<string, number> = { STD: 1 }) {
  const books: OtbOfDay = {
    sold: Object.entries(sold).map(([roomType, rooms]) => ({
      roomType,
      rooms,
      revenue: 10_000 * rooms,
      taxes: 0,
      fees: 0,
    })),
    due: { reservations: 0, cancelled: 0, noShows: 0, awaited: 0, overstayed: 0 },
    arrivals: 0,
    departures: 0,
    bookings: [],
    charges: 0,
    penalties: { revenue: 0, taxes: 0 },
    payments: [],
    refunds: { count: 0, amount: 0 },
  };
  const content = auditNight(date, 'EUR', books, { after: [], before: [] });
  return { id: `00000000-0000-4000-8000-${String(date).padStart(12, '0')}`, content, metrics: metricsOf(content) };
}

const tenantOf = (() => {
  let made = 0;
  return () => ({ tenantId: `tenant-${(made += 1)}`, propertyId: 'grand' });
})();

t.test('a report that is made again replaces the earlier one with its figures', async (t) => {
  const to = tenantOf();
  const { tenantId, propertyId } = to;
  await analytics.store(to, report(DATE, { STD: 1, OLD: 1 }));
  await analytics.store(to, report(DATE, { STD: 2 }));
  const { items } = await analytics.list(tenantId, { propertyId }, 10);
  t.equal(items.length, 1);
  t.strictSame(items[0]!.content, report(DATE, { STD: 2 }).content);
  const metrics = await analytics.metrics(tenantId, { propertyId }, 100);
  t.strictSame(
    metrics.items.map(({ type, roomType }) => [type, roomType]),
    [
      ['OCCUPANCY', undefined],
      ['OCCUPANCY', 'STD'],
      ['ADR', undefined],
      ['ADR', 'STD'],
      ['REVPAR', undefined],
      ['REVPAR', 'STD'],
      ['CANCELLATION_RATE', undefined],
      ['PICKUP', undefined],
      ['PICKUP', 'STD'],
      ['PENALTIES', undefined],
    ],
  );
});

t.test('two jobs that make the same audits at once both succeed', async (t) => {
  const to = tenantOf();
  const made = Array.from({ length: 20 }, (_, n) => report(DATE + n));
  const inAnyOrder = [made, made.toReversed()];
  await Promise.all(inAnyOrder.map((all) => analytics.store(to, ...all)));
  t.equal((await analytics.list(to.tenantId, { propertyId: to.propertyId }, 100)).items.length, made.length);
});

t.test('lists go page by page, newest first, within their bounds and their tenant', async (t) => {
  const to = tenantOf();
  const { tenantId, propertyId } = to;
  const dates = [0, 1, 2, 3, 4].map((n) => DATE + n);
  for (const date of dates) await analytics.store(to, report(date));
  await analytics.store(
    { tenantId, propertyId: 'other' },
    { ...report(DATE), id: '00000000-0000-4000-9000-000000000001' },
  );
  const bounds = { propertyId, from: DATE + 1, to: DATE + 3 };
  const first = await analytics.list(tenantId, bounds, 2);
  t.same(
    first.items.map(({ content }) => content.date),
    [DATE + 3, DATE + 2],
  );
  const second = await analytics.list(tenantId, bounds, 2, first.next);
  t.match(second, { items: { length: 1 }, next: undefined });
  const seen: string[] = [];
  for (let page = await analytics.metrics(tenantId, bounds, 4); ;) {
    seen.push(...page.items.map(({ date, type, roomType }) => `${date} ${type} ${roomType}`));
    if (!page.next) break;
    page = await analytics.metrics(tenantId, bounds, 4, page.next);
  }
  t.equal(seen.length, 30);
  t.equal(new Set(seen).size, 30);
  t.match(await analytics.metrics(tenantId, { ...bounds, type: 'ADR' }, 100), { items: { length: 6 } });
  const { id } = report(DATE);
  t.match(await analytics.find(tenantId, id), { id, propertyId, type: 'NIGHT_AUDIT', content: { date: DATE } });
  t.equal(await analytics.find('rival', id), undefined);
  t.equal(await analytics.find(tenantId, 'nonsense'), undefined);
  t.same(await analytics.list('rival', { propertyId }, 10), { items: [] });
});

t.test('a report is found for a push until it is accepted, and again when its content changes', async (t) => {
  const to = tenantOf();
  const { tenantId } = to;
  await analytics.store(to, report(DATE + 1));
  await analytics.store(to, report(DATE));
  const due = (now = LATER) => analytics.unpushed(tenantId, now, 10);
  const [oldest] = await due();
  t.match(oldest, { id: report(DATE).id, attempts: 0 });
  const { id, completedAt } = oldest!;
  await analytics.attempted(tenantId, { id, completedAt, attempts: 1, dueAt: LATER + 1 });
  t.same((await due()).length, 1, 'the other one');
  t.match(await due(LATER + 1), [{ id, attempts: 1 }, {}]);
  await analytics.attempted(tenantId, { id, completedAt, pushedAt: LATER });
  t.match(await analytics.find(tenantId, id), { pushedAt: LATER });
  await analytics.store(to, report(DATE));
  t.equal((await due()).length, 1, 'the same report again is no news');
  await analytics.store(to, report(DATE, { STD: 3 }));
  t.match(await due(), [{ id, attempts: 0 }, {}]);
  await admin.query(
    `update analytics_reports set completed_at = completed_at + interval '1 s' where tenant_id = $1`,
    [tenantId],
  );
  await analytics.attempted(tenantId, { id, completedAt, pushedAt: LATER });
  t.equal((await due()).length, 2, 'what was pushed has been replaced meanwhile');
});
