import { randomUUID } from 'node:crypto';
import tap, { test } from 'tap';

import { signalServer } from '../../src/testing/fail-over/server-processes.ts';
import { cutLog, type LogPlace } from '../../src/testing/launch/cut-log.ts';
import { query } from '../../src/testing/launch/throw-away.ts';
import { auditIsClean } from './audit.ts';
import { BACK_WITHIN_MS } from './booking-again.ts';
import { embeddedDatabaseUrl } from './database-url.ts';
import { Launched, postgresPid } from './launched.ts';
import { isProblem } from './problems.ts';
import { BlackboxProperty, must } from './property.ts';
import { RunbookPage } from './runbook-page.ts';
import { Service } from './service.ts';
import { SteadyBookers } from './steady-bookers.ts';
import { TemporaryDisk } from './temporary-disk.ts';
import { pause, until } from './waiting.ts';

/** The short form of `npm run prove -- storage` (docs/operations/storage.md#storage). */
tap.setTimeout(240_000);

const DISK_BYTES = 200 * 2 ** 20;
/** Less than the service reserves. */
const ENOUGH_BYTES = 20 * 2 ** 20;
const BOOKERS = 4;
const STEP_MS = 1_500;
const PLACE =
  'select file_name as file, file_offset as offset from pg_walfile_name_offset(pg_current_wal_flush_lsn())';

type Health = { status: string; components: Record<string, { status: string; details?: Record<string, unknown> }> };

const disk = TemporaryDisk.mount(DISK_BYTES);
const skip = disk ? false : 'only root can make a small disk';
tap.teardown(() => disk?.[Symbol.dispose]());

async function open(on: TemporaryDisk): Promise<{ service: Service; property: BlackboxProperty }> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = on.folder;
  const service = await Service.start();
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  tap.teardown(() => service.remove());
  return { service, property: await BlackboxProperty.open(service, { rooms: { DLX: 5_000 }, pricedNights: 70 }) };
}
const world = disk && (await open(disk));

const health = async (path = ''): Promise<Health> =>
  (await world!.service.call<Health>('GET', `${world!.service.dev.reservationUrl}/actuator/health${path}`)).json;

/** Those of these bookings that are not there. */
async function missing(acknowledged: SteadyBookers['acknowledged']): Promise<string[]> {
  const there = new Set((await world!.property.reservations()).map(({ reservationId }) => reservationId));
  return acknowledged.map(({ reservationId }) => reservationId).filter((id) => !there.has(id));
}

void test(
  'while the data folder is full bookings are refused, reads go on, and it comes back',
  { skip },
  async (t) => {
    const { service, property } = world!;
    const { pid } = service.dev;
    const server = postgresPid(service.dataDir);
    const { reservationId } = await property.booked();
    const bookers = new SteadyBookers(BOOKERS, () => property);
    await pause(STEP_MS);
    // Enough for PostgreSQL to take a change: the service refuses it, so that the rest is for reads.
    const emptyMost = disk!.fill(ENOUGH_BYTES);
    await until('users are refused', BACK_WITHIN_MS, async () => {
      const user = { role: 'OWNER', body: { subject: randomUUID(), role: 'STAFF' } } as const;
      const refused = await service.tenants('POST', '/users', user);
      return refused.text.includes('STORE_READ_ONLY') ? true : undefined;
    });
    const emptyRest = disk!.fill();
    await until('health says so', BACK_WITHIN_MS, async () => {
      const { components } = await health();
      return components['storage']?.status === 'OUT_OF_SERVICE' && components['diskSpace']?.status === 'DOWN'
        ? true
        : undefined;
    });
    t.match(await health('/storage'), { details: { readOnly: true, reason: /MB are free on the disk/ } });
    t.equal((await health('/readiness')).status, 'UP', 'a balancer goes on sending it reads');
    const full = new RunbookPage(t, service, 'StoreReadOnly');
    const low = new RunbookPage(t, service, 'DiskSpaceLow');
    t.match(
      await full.shell('curl -s $RESERVATION/actuator/health/storage'),
      /"reason":"[^"]+".*"free"|"free".*"reason"/,
    );
    t.match(await full.shell('du -sh $DATA_DIR/*'), /\tpostgres|\/postgres/);
    t.equal(await full.figureIs('health_storage', (value) => value === 0), 0);
    const [free, total] = [await low.figure('disk_free'), await low.figure('disk_total')];
    t.ok(free / total < 0.1, `${free} of ${total} bytes are free`);
    await pause(STEP_MS);
    const refused = await property.book();
    isProblem(t, refused, 503, { code: 'STORE_READ_ONLY' });
    t.match(refused, { headers: { 'retry-after': /^\d+$/ }, json: { retryable: true } });
    t.equal(must(await property.read(reservationId), 200).json.status, 'CONFIRMED');
    t.equal((await property.quote()).status, 200);
    const count = bookers.acknowledged.length;
    await pause(STEP_MS);
    t.equal(bookers.acknowledged.length, count, 'nothing is acknowledged meanwhile');
    emptyMost();
    emptyRest();
    const emptiedAt = performance.now();
    const backAt = await until('bookings again', BACK_WITHIN_MS, () => bookers.firstAfter(emptiedAt));
    t.comment(`first booking after ${Math.round(backAt - emptiedAt)} ms`);
    await bookers.end();
    t.same(bookers.strange, []);
    t.same(await missing(bookers.acknowledged), []);
    await until('health is up again', BACK_WITHIN_MS, async () => {
      const { status, components } = await health();
      if (status === 'UP') return true;
      const down = Object.entries(components).filter(([, component]) => component.status !== 'UP');
      t.comment(`not up yet: ${JSON.stringify(Object.fromEntries(down))}`);
      return undefined;
    });
    t.equal(await full.figureIs('health_storage', (value) => value === 1), 1);
    t.match(await low.shell('npm run size'), /booking/i);
    t.equal(service.dev.pid, pid, 'the service was not started anew');
    t.equal(postgresPid(service.dataDir), server, 'nor PostgreSQL');
    t.notMatch(service.output, /command rejected/, 'no command is taken for a poisonous one');
  },
);

void test('a backup that finds no room says so and leaves nothing', { skip }, async (t) => {
  const { service } = world!;
  using small = TemporaryDisk.mount(20 * 2 ** 20)!;
  const to = `${small.folder}/backup`;
  const tool = new Launched({ ...service.env, DATA_DIR: service.dataDir }, 'backup', ['--', '--to', to]);
  t.equal(await tool.exited, 1);
  t.match(tool.output, /^innkeeper: no backup was made: it needs \d+ MB, and \d+ MB are free in /m);
  t.ok(small.free > 19 * 2 ** 20, 'nothing is left');
});

void test('a log that lost what it had confirmed is noticed by the next start', { skip }, async (t) => {
  const { service, property } = world!;
  const generation = async (): Promise<unknown> => {
    const sql = `select generation from property_actor where property_id = '${property.propertyId}'`;
    return (await query(embeddedDatabaseUrl(service.dataDir), sql))[0]?.['generation'];
  };
  await query(embeddedDatabaseUrl(service.dataDir), 'checkpoint');
  const bookers = new SteadyBookers(BOOKERS, () => property);
  await pause(STEP_MS);
  const [place] = await query(embeddedDatabaseUrl(service.dataDir), PLACE);
  const safe = bookers.acknowledged.length;
  await pause(2 * STEP_MS);
  const gone = service.killHard();
  signalServer(postgresPid(service.dataDir)!, 'SIGKILL');
  await gone;
  await until('PostgreSQL is gone', BACK_WITHIN_MS, () => postgresPid(service.dataDir) === undefined || undefined);
  const acknowledged = [...bookers.acknowledged];
  cutLog(service.dataDir, place as unknown as LogPlace, 'truncated');
  await service.up();
  t.match(service.output, /history was rewound: the log of the database ends \d+ bytes before what it had confirmed/);
  t.match(await health('/storage'), { details: { rewound: /history was rewound/ } });
  const page = new RunbookPage(t, service, 'HistoryRewound');
  t.ok((await page.figure('actor_history_rewound')) > 0, 'the alert fires');
  // It ends with 1 for any fault, such as another one of this machine.
  t.match(await page.shell('npm run doctor').catch(({ stdout }: { stdout: string }) => stdout), /^ok +database/m);
  t.equal(await generation(), 2, 'dashboards and receivers see it');
  await bookers.end();
  const lost = new Set(await missing(acknowledged));
  t.ok(lost.size > 0, 'what the disk lost is lost');
  t.notOk(acknowledged.slice(0, safe - BOOKERS).some(({ reservationId }) => lost.has(reservationId)));
  // A booking whose confirmation was lost may still be held; it is confirmed when its payment is looked at.
  await auditIsClean(t, property);
});
