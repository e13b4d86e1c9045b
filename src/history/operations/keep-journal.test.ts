import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { RoundRegistry } from '../../platform/jobs/round-registry.ts';
import { JournalHistory } from '../../testing/actors/journal-history.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { withArchive } from '../../testing/archive.ts';
import { property } from '../../testing/property-world.ts';
import { PastGrid } from '../rules/past-grid.ts';
import { type RetentionServices, applyRetention } from './keep-journal.ts';
import { gridAt } from './rebuild-grid.ts';

const DAY_MS = 86_400_000;
const now = Date.now();

const world = await withArchive(t);
const { admin } = world.test;
// Some months of entries without partitions; the third property ended in them.
const busy = await JournalHistory.of(world.store, now - 520 * DAY_MS);
await busy.live(now - 350 * DAY_MS, 40, 3);
const quietProperty = await JournalHistory.of(world.store, now - 500 * DAY_MS, 'rival');
await quietProperty.live(now - 470 * DAY_MS, 5, 4);
const gone = await JournalHistory.of(world.store, now - 490 * DAY_MS);
gone.scene.accept({ type: 'DELETE_PROPERTY' });
await gone.write();

const services = world.servicesOf(busy);
const keeping: RetentionServices = {
  archive: world.archive,
  computer: services.computer,
  log: quiet,
  checkpoints: world.archive,
  retention: world.retention,
  ended: () => false,
};

async function months(): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class where relname ~ '^journal_\\d' and relkind = 'r' order by 1`,
  );
  return rows.map(({ name }) => name);
}

function verify(): { status: number | null; output: string } {
  const path = fileURLToPath(new URL('../../commands/verify-audit.ts', import.meta.url));
  const env = { ...process.env, DATABASE_URL: world.test.url };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', './src/platform/launch/strip-types.mjs', path],
    {
      env,
      encoding: 'utf8',
    },
  );
  return { status, output: stdout + stderr };
}

/** Oldest row left of a property, and its checkpoints. */
async function leftOf({ to }: JournalHistory): Promise<{ first: number | null; checkpoints: number[] }> {
  const { rows } = await admin.query<{ first: number | null; checkpoints: number[] }>(
    `select (select min(seq)::int from journal where tenant_id = $1 and property_id = $2) as first,
       array(select seq::int from journal_checkpoints where tenant_id = $1 and property_id = $2 order by 1) as checkpoints`,
    [to.tenantId, to.propertyId],
  );
  return rows[0]!;
}

t.test('a month goes only when it has expired and each property has a checkpoint of its last row', async (t) => {
  await world.retention.alone(async (expiring) => {
    await expiring.makeMonths();
    t.same((await admin.query('select from journal_default')).rowCount, 0, 'rows are in their months');
    const [oldest] = await expiring.expiredMonths();
    t.ok(oldest! < new Date(now - 500 * DAY_MS).toISOString());
    t.match(await expiring.uncovered(oldest!), [{ to: busy.to }]);
    await t.rejects(expiring.dropMonth(oldest!), { code: 'IK005', message: /1 properties have no checkpoint/ });
    await t.rejects(expiring.dropMonth(new Date(now).toISOString().slice(0, 8) + '01'), /has not expired/);
    t.notOk(await world.retention.alone(() => Promise.reject(new Error('not reached'))), 'one at a time');
  });
  t.match(verify(), { status: 0 });
});

t.test(
  'a property that cannot be folded keeps its month, by name; all others get theirs, and the rest goes on',
  async (t) => {
    const facts = await admin.query<{ facts: string }>(
      `select facts::text as facts from journal where tenant_id = $1 and property_id = $2 and seq = 1`,
      [quietProperty.to.tenantId, quietProperty.to.propertyId],
    );
    const poison = (text: string) =>
      admin.query(`update journal set facts = $3 where tenant_id = $1 and property_id = $2 and seq = 1`, [
        quietProperty.to.tenantId,
        quietProperty.to.propertyId,
        text,
      ]);
    await poison('{"cells": 7}');
    const registry = new RoundRegistry();
    const each = new ItemRunner(registry.register('retention', 3_600_000), quiet);
    let audits = 0;
    const retention: RetentionServices['retention'] = {
      alone: (work) =>
        world.retention.alone((expiring) =>
          work({
            makeMonths: () => expiring.makeMonths(),
            expiredMonths: () => expiring.expiredMonths(),
            uncovered: (...of) => expiring.uncovered(...of),
            dropMonth: (month) => expiring.dropMonth(month),
            forgetAudit: async () => ((audits += 1), 0),
          }),
        ),
    };
    const before = await months();
    await applyRetention({ ...keeping, retention }, each);
    const name = `${quietProperty.to.tenantId}/${quietProperty.to.propertyId}`;
    t.ok(
      registry.figures()[0]!.failedItems?.every((item) => item.startsWith(name)),
      'it is named, and nobody else',
    );
    t.ok(registry.figures()[0]!.failures > 0);
    t.equal(audits, 1, 'the steps behind it are done');
    await world.retention.alone(async (expiring) => {
      for (const month of await expiring.expiredMonths())
        t.same(
          (await expiring.uncovered(month)).filter(({ to }) => to.propertyId !== quietProperty.to.propertyId),
          [],
          `every other property is covered at the end of ${month}`,
        );
    });
    const left = await months();
    const mine = await admin.query<{ name: string }>(
      `select min(tableoid::regclass::text) as name from journal where tenant_id = $1 and property_id = $2`,
      [quietProperty.to.tenantId, quietProperty.to.propertyId],
    );
    t.same(
      left.filter((month) => month < mine.rows[0]!.name),
      [],
      'months before it are dropped',
    );
    t.ok(left.includes(mine.rows[0]!.name) && left.length <= before.length);
    t.match(verify(), { status: 1 }, 'and the row that was changed is found');
    await poison(facts.rows[0]!.facts);
    t.match(verify(), { status: 0 });
  },
);

t.test('after the retention the past goes on from checkpoints, and so does the audit chain', async (t) => {
  const before = await months();
  await applyRetention(keeping);
  const after = await months();
  const cutoff = new Date(now - 400 * DAY_MS).toISOString().slice(0, 7).replace('-', '_');
  t.ok(before.some((name) => name < `journal_${cutoff}`));
  t.same(
    after,
    before.filter((name) => name >= `journal_${cutoff}`),
    'nothing younger is gone',
  );
  const { first, checkpoints } = await leftOf(busy);
  t.same(checkpoints, [first! - 1], 'one checkpoint stands for all that was before');
  const wrong: number[] = [];
  const rebuilt = (of: JournalHistory, at: number) =>
    world.archive.read(of.to, (journal) => gridAt(services, journal, at));
  for (const page of busy.pages.filter(({ seq }) => seq >= checkpoints[0]!)) {
    const was = await rebuilt(busy, page.at);
    const cells = new PastGrid(was!.grid).cells(0, Number.MAX_SAFE_INTEGER);
    // Several rows may have been decided at the same moment.
    if (JSON.stringify(cells) !== JSON.stringify(busy.at(page.at)!.cells)) wrong.push(page.seq);
  }
  t.same(wrong, []);
  const anchor = busy.pages.find(({ seq }) => seq === checkpoints[0])!;
  const lost = busy.pages.findLast(({ at }) => at < anchor.at)!;
  await t.rejects(rebuilt(busy, lost.at), { code: 'INSUFFICIENT_DATA' });
  for (const whole of [quietProperty, gone]) {
    const { seq } = whole.scene.state;
    t.same(await leftOf(whole), { first: null, checkpoints: [seq] }, 'a house whose rows are all gone');
  }
  const last = quietProperty.pages.at(-1)!;
  t.same(new PastGrid((await rebuilt(quietProperty, now))!.grid).cells(0, Number.MAX_SAFE_INTEGER), last.cells);
  t.match(verify(), { status: 0, output: /every chain is whole/ });
});

t.test('a month that is missing early, or has another hash, is reported', async (t) => {
  const { first } = await leftOf(busy);
  const where = `tenant_id = '${busy.to.tenantId}' and property_id = '${busy.to.propertyId}'`;
  for (const [change, message] of [
    [`delete from journal_checkpoints where ${where}`, new RegExp(`row ${first! - 1} is missing, before its time`)],
    [`update journal_checkpoints set hash = 'x' where ${where}`, new RegExp(`row ${first} was changed`)],
    [`update journal_checkpoints set at = app_now() where ${where}`, /before its time/],
    [`delete from journal where ${where} and seq = ${first}`, new RegExp(`row ${first} is missing, before its time`)],
    ["delete from journal_checkpoints where tenant_id = 'rival'", /is missing, before its time/],
  ] as const) {
    await admin.query('create temp table kept as select * from journal');
    await admin.query('create temp table points as select * from journal_checkpoints');
    await admin.query(change);
    t.match(verify(), { status: 1, output: message }, change);
    await admin.query('delete from journal; insert into journal select * from kept; drop table kept');
    await admin.query('delete from journal_checkpoints; insert into journal_checkpoints select * from points');
    await admin.query('drop table points');
  }
  t.match(verify(), { status: 0 });
});

t.test('a row that a clock put behind the end of its month goes with it', async (t) => {
  const { first } = await leftOf(busy);
  const where = `tenant_id = '${busy.to.tenantId}' and property_id = '${busy.to.propertyId}'`;
  const next = await admin.query(`select date_trunc('month', at) + interval '1 month' as edge from journal
    where ${where} and seq = ${first}`);
  const { edge } = next.rows[0] as { edge: Date };
  const inMonth = await admin.query<{ seq: string }>(
    `select seq from journal where ${where} and at < $1 order by seq desc limit 2`,
    [edge],
  );
  const [last, stray] = inMonth.rows.map(({ seq }) => Number(seq));
  // The second last row of the month has a time just after the last one's.
  await admin.query(`update journal set at = $1::timestamptz + interval '3 ms' where ${where} and seq = ${stray}`, [
    edge,
  ]);
  await admin.query(`update system.clock set offset_ms = $1`, [edge.getTime() + 401 * DAY_MS - now]);
  await applyRetention(keeping);
  t.same((await leftOf(busy)).checkpoints, [last]);
  t.equal((await leftOf(busy)).first, last! + 1);
  t.match(verify(), { status: 0 });
});

t.test('the clock put forward by years takes all rows, and the next ones follow', async (t) => {
  await admin.query(`update system.clock set offset_ms = $1`, [9 * 365 * DAY_MS]);
  await applyRetention(keeping);
  t.equal((await admin.query('select from journal')).rowCount, 0);
  busy.scene.now = now + 9 * 365 * DAY_MS;
  const { propertyId } = busy.to;
  busy.scene.accept({ type: 'UPDATE_PROPERTY', property: property({ propertyId, policies: { horizonNights: 9 } }) });
  await busy.write();
  await applyRetention(keeping);
  t.equal((await admin.query('select from journal_default')).rowCount, 0);
  const was = await world.archive.read(busy.to, (journal) => gridAt(services, journal, busy.scene.now));
  t.same(new PastGrid(was!.grid).cells(0, Number.MAX_SAFE_INTEGER), busy.pages.at(-1)!.cells);
  t.match(verify(), { status: 0 });
});
