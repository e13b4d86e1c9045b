import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';

import { servicesOrSkip } from '../../../test/services/needed.ts';
import { instantAt } from '../../kernel/rules/property-time.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { queueJobSettings } from '../../testing/jobs/job-places.ts';
import { MailServer } from '../../testing/partners/mail-server.ts';
import { PostOffice } from '../../testing/partners/post-office.ts';
import { storedProperty } from '../../testing/stored-property.ts';
import { JobQueues } from './job-queues.ts';
import { openRedisBackend } from './redis-backend.ts';

const PROPERTIES = 16;
const BOOKINGS = 2;
const AUDITED = 24;
const REFRESHES = 30;
const OPTIMIZATIONS = 8;
/** After so many mails the first node dies. */
const DIES_AFTER = 12;
/** What a node has under way at once of everything but mails. */
const UNDER_WAY = 6;
/** Mails that one handed over at a time. */
const BATCH = 8;

type Noted = { what: string; node: string; ended: boolean };

async function start(node: string, env: Record<string, string>): Promise<ChildProcess> {
  const program = ['--import', './src/platform/launch/strip-types.mjs', 'src/testing/jobs/job-node.ts'];
  const child = spawn(process.execPath, program, {
    env: { ...process.env, ...env, NODE: node },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data', { signal: AbortSignal.timeout(60_000) });
  return child;
}

/** Properties with guests who booked and are about to come, and properties that have nothing but a day that ended. */
async function world(office: PostOffice): Promise<number> {
  const { admin } = office.test;
  await admin.query(`create table noted (what text, node text, ended boolean default false)`);
  await admin.query(`insert into tenants (tenant_id, name) values ('acme', 'Acme')`);
  let now = 0;
  for (let property = 0; property < PROPERTIES; property++) {
    const stored = await office.property('acme');
    for (let n = 0; n < BOOKINGS; n++) await office.booked(stored);
    const { timezone, checkInTime } = stored.scene.state.property!.metadata;
    now = instantAt(stored.scene.state.today + 2, checkInTime, timezone) - 20 * 3_600_000;
  }
  for (let n = 0; n < AUDITED; n++) await storedProperty(admin);
  await admin.query(`update properties set created_at = to_timestamp($1)`, [now / 1_000 - 10 * 86_400]);
  return now;
}

t.test('three nodes do everything once, and one of them dies in the middle', async (t) => {
  const redis = servicesOrSkip(t, ['redis'])?.redis;
  if (redis === undefined) return;
  const office = await PostOffice.open(t);
  const { admin, url } = office.test;
  const now = await world(office);
  await using mails = await MailServer.open();
  const env = {
    DATABASE_URL: url,
    REDIS_URL: redis,
    SMTP_URL: mails.url(),
    NOW: String(now),
    INSTALLATION: randomUUID(),
  };
  const nodes = await Promise.all(['one', 'two', 'three'].map((name) => start(name, env)));
  await using ending = new AsyncDisposableStack();
  ending.defer(() => void nodes.map((node) => node.kill('SIGKILL')));
  await using asking = new JobQueues({
    open: () => openRedisBackend({ url: redis, installation: async () => env.INSTALLATION, log: quiet }),
    settings: queueJobSettings({}),
    works: false,
    log: quiet,
  });
  asking.begin();
  const refreshes: string[] = [];
  for (let n = 0; n < REFRESHES; n++)
    refreshes.push((await asking.enqueue('competitor-refresh', { tenantId: `t${n}` })).id);
  for (let n = 0; n < OPTIMIZATIONS; n++)
    await asking.enqueue('yield-optimization', { tenantId: 'acme', id: `o${n}` }, { id: `o${n}` });
  mails.arrived = () => void (mails.received.length === DIES_AFTER && nodes[0]!.kill('SIGKILL'));
  for (const node of nodes) node.stdin!.write('go\n');

  const began = performance.now();
  const until = async (condition: () => Promise<boolean>, what: string): Promise<void> => {
    while (!(await condition())) {
      if (performance.now() - began > 120_000) throw new Error(`${what} never came`);
      await pause(50);
    }
    t.comment(`${what} after ${Math.round(performance.now() - began)} ms`);
  };
  const noted = async (): Promise<Noted[]> => (await admin.query<Noted>('select * from noted')).rows;
  const ended = async (kind: string) =>
    new Set((await noted()).filter(({ what, ended }) => ended && what.startsWith(kind)).map(({ what }) => what)).size;
  await until(async () => (await ended('NIGHT_AUDIT')) === PROPERTIES + AUDITED, 'every audit');
  await until(async () => (await ended('refresh')) === REFRESHES, 'every refresh');
  await until(async () => (await ended('optimization')) === OPTIMIZATIONS, 'every optimization');
  await until(async () => (await ended('round')) >= 8, 'rounds');
  for (const id of refreshes)
    t.match(await asking.ended('competitor-refresh', id, 30_000), { state: 'COMPLETED' }, 'each has ended');
  // What was handed over when its node died has nobody yet who gives it up, and what follows it waits.
  const left = `select count(*)::int as n from notifications n where state = 'WAITING' and not exists (
    select from notifications e where e.reservation_id = n.reservation_id and e.state = 'SENDING')`;
  await until(async () => (await admin.query<{ n: number }>(left)).rows[0]!.n === 0, 'every mail');
  t.equal(nodes[0]!.signalCode, 'SIGKILL');
  onceEach(await noted());
  const ids = mails.received.map(({ message }) => /^Message-ID: (.*)$/im.exec(message)![1]);
  t.equal(new Set(ids).size, ids.length, 'no mail twice');
  t.ok(ids.length >= 2 * PROPERTIES * BOOKINGS - 2 * BATCH, `${ids.length} mails`);
});

/** Live nodes run a job once; only what the dead node had begun is started again. */
function onceEach(noted: readonly Noted[]): void {
  const byWork = Map.groupBy(noted, ({ what }) => what);
  let again = 0;
  for (const [what, runs] of byWork) {
    const living = runs.filter(({ node }) => node !== 'one');
    if (living.length > 1) t.fail(`${what} was done twice`);
    if (runs.length > living.length && living.length > 0) again += 1;
  }
  t.ok(again <= UNDER_WAY, `${again} works were begun again`);
  const by = (of: string): number => noted.filter(({ node }) => node === of).length;
  t.comment(`noted by each: ${by('one')}, ${by('two')}, ${by('three')}; begun again: ${again}`);
  t.ok(by('one') > 0 && by('two') > 0 && by('three') > 0, 'all three were at work');
}
