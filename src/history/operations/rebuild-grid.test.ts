import t from 'tap';

import { formatDay } from '../../kernel/rules/dates.ts';
import { availabilityQuery } from '../../properties/contracts/properties.ts';
import { readAvailability } from '../../revenue/operations/read-availability.ts';
import { readPickup } from '../../revenue/operations/read-pickup.ts';
import { JournalHistory } from '../../testing/actors/journal-history.ts';
import { withArchive } from '../../testing/archive.ts';
import { CALLER } from '../../testing/front-desk.ts';
import { cellHistoryQuery, pickupQuery } from '../contracts/history.ts';
import { snapshotOfView } from '../jobs/checkpoint-sweep.ts';
import { foldJournal } from '../rules/journal-fold.ts';
import { PastGrid } from '../rules/past-grid.ts';
import { readCellHistory } from './read-history.ts';
import { gridAt } from './rebuild-grid.ts';

const DAY_MS = 86_400_000;
const FOREVER = Number.MAX_SAFE_INTEGER;

const world = await withArchive(t);
const began = Date.now() - 20 * DAY_MS;
const property = await JournalHistory.of(world.store, began);
await property.live(Date.now() - DAY_MS, 200, 12);
const services = world.servicesOf(property);
const { to, pages } = property;
const newest = pages.at(-1)!;

/** The last row decided at the same moment as the one at `index`. */
const pageAt = (index: number) => property.at(pages[index]!.at)!;

async function rebuilt(at: number) {
  const was = await world.archive.read(to, (journal) => gridAt(services, journal, at));
  return was && { seq: was.seq, at: was.at, cells: new PastGrid(was.grid).cells(0, FOREVER) };
}

/** Compares every instant of a decision, and one in between. */
async function allAgree(): Promise<string[]> {
  const wrong: string[] = [];
  for (const { at } of pages)
    for (const instant of [at, at + 1]) {
      const page = property.at(instant)!;
      const was = await rebuilt(instant);
      const wanted = { seq: page.seq, at: page.at, cells: page.cells };
      if (JSON.stringify(was) !== JSON.stringify(wanted)) wrong.push(`${instant}: ${was?.seq}, not ${page.seq}`);
    }
  return wrong;
}

t.test('every instant is rebuilt from the first row on as the actor showed it', async (t) => {
  t.ok(pages.length > 200, `${pages.length} rows`);
  t.same(await allAgree(), []);
});

t.test('a checkpoint is stored once at an existing row, and found', async (t) => {
  const page = pages[80]!;
  const grid = await snapshotOfView(page.view);
  t.equal(await world.archive.newest(to), 0);
  t.ok(await world.archive.write(to, page.seq, grid));
  t.ok(await world.archive.write(to, page.seq, grid), 'twice changes nothing');
  t.notOk(await world.archive.write(to, newest.seq + 1, grid), 'no row, no checkpoint');
  t.notOk(await world.archive.write({ ...to, tenantId: 'rival' }, page.seq, grid), 'nor in another tenant');
  t.equal(await world.archive.newest(to), page.seq);
  const { rows } = await world.test.admin.query(
    `select c.seq, c.hash = j.hash and c.at = j.at as same from journal_checkpoints c join journal j using (tenant_id, property_id, seq)`,
  );
  t.same(rows, [{ seq: String(page.seq), same: true }]);
});

t.test('with checkpoints every instant is the same, and rows before the checkpoint are not read', async (t) => {
  for (const { seq, view } of [pageAt(81), pageAt(150), newest])
    await world.archive.write(to, seq, await snapshotOfView(view));
  t.same(await allAgree(), []);
  const read: number[] = [];
  await world.archive.read(to, (journal) => {
    const spied = Object.assign(Object.create(journal) as typeof journal, {
      checkpointAt: journal.checkpointAt.bind(journal),
      positionAt: journal.positionAt.bind(journal),
      rows: (after: number, last: number) => (read.push(after, last), journal.rows(after, last)),
    });
    return gridAt(services, spied, pageAt(160).at);
  });
  t.same(read, [pageAt(150).seq, pageAt(160).seq]);
});

t.test('availability as of an instant has its seq; what was not, or is not yet, is refused', async (t) => {
  const page = pageAt(120);
  const ask = (asOf: number) => {
    const [start_date, end_date] = [page.view.businessDate, page.view.businessDate + 9].map(formatDay);
    const query = { property_id: to.propertyId, start_date, end_date, asOf: new Date(asOf).toISOString() };
    return readAvailability(services, CALLER, availabilityQuery.parse(query));
  };
  const was = await ask(page.at);
  const today = page.view.businessDate;
  t.equal(was.seq, page.seq);
  t.same(was.read(), { cells: page.view.grid(today, today + 9), closed: new Set() });
  await t.rejects(ask(property.scene.now + 1_000), { code: 'VALIDATION_FAILED' });
  await t.rejects(ask(began - 1), { code: 'INSUFFICIENT_DATA' });
});

t.test('the history of a cell comes in pages, newest first, the same as one fold of it all', async (t) => {
  const { rows } = await world.test.admin.query(
    `select seq::int, (extract(epoch from at) * 1000)::float8 as at, type, subject, entity, facts::text as facts
     from journal order by seq`,
  );
  const histories = Array.from({ length: 8 }, (_, n) => newest.view.businessDate + n).map((night) => ({
    night,
    changes: foldJournal({ rows, watched: { roomType: 'STD', day: night } }).changes,
  }));
  // The run is random: take its busiest night.
  const { night: day, changes } = histories.reduce((a, b) => (b.changes.length > a.changes.length ? b : a));
  t.ok(changes.length > 6, `${changes.length} changes`);
  for (const limit of [1, 3, 200]) {
    const seen: unknown[] = [];
    let [cursor, asked]: [string | undefined, number] = [undefined, 0];
    do {
      const query = { roomType: 'STD', date: formatDay(day), limit: String(limit), cursor };
      const page = await readCellHistory(services, CALLER, to.propertyId, cellHistoryQuery.parse(query));
      t.ok(page.items.length <= limit);
      t.equal(page.seq, newest.seq);
      seen.push(...page.items);
      [cursor, asked] = [page.nextCursor, asked + 1];
    } while (cursor !== undefined && asked < 500);
    t.same(seen, changes.toReversed(), `in pages of ${limit}`);
  }
});

t.test('a cursor is of one cell', async (t) => {
  const query = { roomType: 'STD', date: formatDay(newest.view.businessDate), limit: '1' };
  const ask = (changed: object) =>
    readCellHistory(services, CALLER, to.propertyId, cellHistoryQuery.parse({ ...query, ...changed }));
  const { nextCursor } = await ask({});
  t.ok(nextCursor);
  await t.rejects(ask({ cursor: nextCursor, roomType: 'DLX' }), { code: 'VALIDATION_FAILED' });
});

t.test('pickup is what came on the books between two instants', async (t) => {
  const today = newest.view.businessDate;
  const range = { start_date: formatDay(today), end_date: formatDay(today + 11) };
  const booked = (page: (typeof pages)[0] | undefined, roomType: string, day: number) =>
    page?.cells.find((cell) => cell.roomType === roomType && cell.day === day)?.booked ?? 0;
  for (const asOf of [undefined, pageAt(180).at]) {
    const later = asOf ?? property.scene.now;
    const query = { ...range, days: '5', asOf: asOf && new Date(asOf).toISOString() };
    const report = await readPickup(services, CALLER, to.propertyId, pickupQuery.parse(query));
    const [now, before] = [property.at(later)!, property.at(later - 5 * DAY_MS)];
    t.equal(report.seq, now.seq);
    t.equal(report.asOf - report.comparedTo, 5 * DAY_MS);
    for (const cell of report.cells) {
      t.equal(cell.roomsNow, booked(now, cell.roomType, cell.day));
      t.equal(cell.roomsThen, booked(before, cell.roomType, cell.day));
    }
    t.equal(
      report.dates.reduce((sum, date) => sum + date.roomsNow, 0),
      report.total.roomsNow,
    );
    t.equal(report.cells.length, now.cells.filter(({ day }) => day >= today && day <= today + 11).length);
  }
  const long = await readPickup(services, CALLER, to.propertyId, pickupQuery.parse({ ...range, days: '60' }));
  t.equal(long.total.roomsThen, 0, 'before its creation a house has nothing on its books');
});
