import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Test, test } from 'tap';

import { servicesOrSkip } from '../../../test/services/needed.ts';
import type { JobHandler } from '../../kernel/ports.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { Line } from '../../testing/cluster/line.ts';
import { Gate, untilTime } from '../../testing/fake-clock.ts';
import { type JobPlace, queueJobSettings, redisPlace } from '../../testing/jobs/job-places.ts';
import { JobQueues, type JobQueueSettings } from './job-queues.ts';
import { openRedisBackend } from './redis-backend.ts';

const REFRESHED = { asked: 1, failed: 0 };
const AWAY = { code: 'NOT_EXECUTED', details: { retryAfterSeconds: 5 } };
/** Requests wait at most so long, and a machine at work a little longer. */
const PATIENCE_MS = 2_000;
const SOON_MS = PATIENCE_MS + 3_000;

type Given = { works?: boolean; settings?: Partial<JobQueueSettings> };

function node(url: string, installation: string, { works = true, settings = {} }: Given): JobQueues {
  const open = () => openRedisBackend({ url, installation: async () => installation, log: quiet });
  const timing = { againMs: 50, patienceMs: PATIENCE_MS, countMs: 100 };
  const queues = new JobQueues({ open, settings: queueJobSettings(settings), works, log: quiet, ...timing });
  queues.begin();
  return queues;
}

const refreshes = (handler: JobHandler<'competitor-refresh'>): Given => ({
  settings: { 'competitor-refresh': { handler, concurrency: 2, attempts: 1, backoffMs: 1 } },
});

async function scene(
  t: Test,
): Promise<{ url: string; installation: string; place: JobPlace; line: Line } | undefined> {
  const direct = servicesOrSkip(t, ['redis'])?.redis;
  if (direct === undefined) return undefined;
  const installation = randomUUID();
  const place = await redisPlace(direct, installation, quiet);
  const { line, url } = await Line.to(direct);
  t.teardown(async () => {
    await place[Symbol.asyncDispose]();
    await line[Symbol.asyncDispose]();
  });
  return { url, installation, place, line };
}

const isUp = async (queues: JobQueues): Promise<boolean> =>
  queues.health.check().then(
    ({ status }) => status === 'UP',
    () => false,
  );

const ask = (queues: JobQueues, tenantId: string) => queues.enqueue('competitor-refresh', { tenantId });

/** Refused within the patience, and not a moment's fault of ours. */
async function refused(t: Test, what: Promise<unknown>): Promise<void> {
  const began = performance.now();
  await t.rejects(what, AWAY);
  t.ok(performance.now() - began < SOON_MS, 'within the patience');
}

void test('without Redis jobs wait, callers get an error, and what ends meanwhile has ended once', async (t) => {
  const at = await scene(t);
  if (!at) return;
  const began = new Gate();
  const go = new Gate();
  const runs: string[] = [];
  const work = refreshes(async ({ tenantId }) => {
    runs.push(tenantId);
    if (tenantId === 'slow') await (began.open(), go.opened);
    return REFRESHED;
  });
  await using queues = node(at.url, at.installation, work);
  await using other = node(at.url, at.installation, { works: false });
  await untilTime(() => isUp(other), 'both there');
  const slow = await ask(queues, 'slow');
  await began.opened;
  at.line.cut();
  await untilTime(async () => !(await isUp(queues)), 'its health');
  await refused(t, ask(other, 'nobody'));
  await refused(t, other.find('competitor-refresh', slow.id));
  go.open();
  await pause(1_000);
  at.line.mend();
  await untilTime(() => isUp(queues), 'its return');
  await untilTime(() => isUp(other), 'its return');
  t.match(await other.ended('competitor-refresh', slow.id, 30_000), { state: 'COMPLETED', result: REFRESHED });
  const next = await ask(other, 'next');
  t.match(await other.ended('competitor-refresh', next.id, 30_000), { state: 'COMPLETED' });
  t.same(runs, ['slow', 'next']);
});

void test('a Redis that hangs holds up nobody for longer than the patience', async (t) => {
  const at = await scene(t);
  if (!at) return;
  await using queues = node(
    at.url,
    at.installation,
    refreshes(async () => REFRESHED),
  );
  await untilTime(() => isUp(queues), 'Redis');
  at.line.isStuck = true;
  await refused(t, ask(queues, 'acme'));
  at.line.isStuck = false;
  // What came to nothing on the line is lost with it: the connections are given up and made anew.
  at.line.cut();
  at.line.mend();
  await untilTime(() => isUp(queues), 'its return');
  const { id } = await ask(queues, 'acme');
  t.match(await queues.ended('competitor-refresh', id, 30_000), { state: 'COMPLETED' });
});

void test('a path to Redis that is lost in silence: jobs are taken again over another one', async (t) => {
  const at = await scene(t);
  if (!at) return;
  await using queues = node(
    at.url,
    at.installation,
    refreshes(async () => REFRESHED),
  );
  await untilTime(() => isUp(queues), 'Redis');
  at.line.loseOpen();
  await untilTime(async () => !(await isUp(queues)), 'its loss');
  await untilTime(() => isUp(queues), 'its return');
  const { id } = await ask(queues, 'acme');
  t.match(await queues.ended('competitor-refresh', id, 60_000), { state: 'COMPLETED' });
});

void test('a Redis that is wiped has its rounds again, and takes jobs', async (t) => {
  const at = await scene(t);
  if (!at) return;
  let rounds = 0;
  const round: JobHandler<'competitor-check'> = async () => ((rounds += 1), { due: 0 });
  const given = { 'competitor-check': { handler: round, concurrency: 1, attempts: 1, backoffMs: 1, repeatMs: 50 } };
  await using queues = node(at.url, at.installation, { settings: given });
  await untilTime(() => rounds >= 2, 'rounds');
  await at.place.wipe();
  const before = rounds;
  await untilTime(() => rounds >= before + 3, 'rounds after the wipe');
  const { id } = await ask(queues, 'acme');
  t.match(await queues.ended('competitor-refresh', id, 30_000), { state: 'COMPLETED' });
});

void test('a node without jobs enqueues them, runs none and starts no rounds', async (t) => {
  const at = await scene(t);
  if (!at) return;
  const mine: string[] = [];
  const never: Given = refreshes(async ({ tenantId }) => (mine.push(tenantId), REFRESHED));
  const round = { handler: async () => ({ due: 0 }), concurrency: 1, attempts: 1, backoffMs: 1, repeatMs: 50 };
  await using gateway = node(at.url, at.installation, {
    works: false,
    settings: { ...never.settings, 'competitor-check': round },
  });
  await untilTime(() => isUp(gateway), 'Redis');
  const { id } = await ask(gateway, 'acme');
  t.match(await gateway.ended('competitor-refresh', id, 300), { state: 'WAITING' });
  t.equal(gateway.size('competitor-refresh'), 1);
  t.equal(await at.place.count('competitor-check'), 0);
  await using worker = node(
    at.url,
    at.installation,
    refreshes(async () => REFRESHED),
  );
  t.match(await gateway.ended('competitor-refresh', id, 30_000), { state: 'COMPLETED' });
  t.same(mine, []);
  t.ok(worker);
});

void test('where nothing answers the start goes on, and so does the end', async (t) => {
  const queues = node('redis://127.0.0.1:1', 'nowhere', {});
  await untilTime(async () => (await queues.health.check()).status === 'DOWN', 'DOWN');
  await refused(t, ask(queues, 'acme'));
  const began = performance.now();
  await queues[Symbol.asyncDispose]();
  t.ok(performance.now() - began < PATIENCE_MS + SOON_MS);
});

void test('installations that share a Redis do not see the jobs of each other', async (t) => {
  const at = await scene(t);
  if (!at) return;
  const seen: string[] = [];
  const work = (name: string): Given =>
    refreshes(async ({ tenantId }) => (seen.push(`${name} ${tenantId}`), REFRESHED));
  await using one = node(at.url, `${at.installation}-1`, work('one'));
  await using other = node(at.url, `${at.installation}-2`, work('other'));
  for (const [queues, tenantId] of [
    [one, 'acme'],
    [other, 'rival'],
  ] as const) {
    await untilTime(() => isUp(queues), 'Redis');
    const { id } = await ask(queues, tenantId);
    t.match(await queues.ended('competitor-refresh', id, 30_000), { state: 'COMPLETED' });
  }
  t.same(seen, ['one acme', 'other rival']);
});
