import t from 'tap';
import { quiet } from '../../actors/testing/running-host.ts';
import { Refusal } from '../domain/refusal.ts';
import type { JobHandler } from '../ports/job-queue.ts';
import { openJobsPool } from '../storage/jobs-pool.ts';
import { withDatabase } from '../testing/database.ts';
import { Gate, until } from '../testing/fake-clock.ts';
import { JobQueues, type Settings } from './job-queues.ts';

const { admin, url } = await withDatabase(t);

const REFRESHED = { asked: 1, failed: 0 };
type Refresh = JobHandler<'competitor-refresh'>;

/** A node whose refreshes are the given work; rounds only where a test wants them. */
function node(handler: Refresh, more: Partial<Settings> = {}, pool = () => openJobsPool(url)): JobQueues {
  const once = { concurrency: 1, attempts: 1, backoffMs: 1 };
  const settings: Settings = {
    'analytics-push': { handler: async () => ({ pushed: 0 }), ...once },
    'competitor-check': { handler: async () => ({ due: 0 }), ...once },
    'competitor-refresh': { handler, concurrency: 2, attempts: 3, backoffMs: 1 },
    'daily-check': { handler: async () => ({}), ...once },
    'rate-recalculation': { handler: async () => ({ nights: 0 }), ...once },
    'yield-optimization': { handler: async () => ({}), ...once },
    ...more,
  };
  const queues = new JobQueues({ pool, settings, log: quiet, againMs: 1, patienceMs: 120_000 });
  queues.begin();
  return queues;
}

t.test('a job tells how far it is, then its result, and is asked for once under one id', async (t) => {
  const [began, go] = [new Gate(), new Gate()];
  const runs: string[] = [];
  await using queues = node(async ({ tenantId }, run) => {
    runs.push(tenantId);
    await run.progress(39.6);
    began.open();
    await go.opened;
    return REFRESHED;
  });
  const { id } = await queues.enqueue('competitor-refresh', { tenantId: 'acme' }, { id: 'asked-once' });
  await began.opened;
  const job = { id: 'asked-once', data: { tenantId: 'acme' } };
  t.match(await queues.find('competitor-refresh', id), { ...job, state: 'RUNNING', progress: 40 });
  await until(() => queues.size('competitor-refresh') === 1, 'the count');
  t.same(await queues.ended('competitor-refresh', id, 0), await queues.find('competitor-refresh', id), 'not yet');
  go.open();
  const ended = await queues.ended('competitor-refresh', id, 10_000);
  t.strictSame(ended, { ...job, state: 'COMPLETED', progress: 40, result: REFRESHED });
  t.same(await queues.enqueue('competitor-refresh', { tenantId: 'other' }, { id }), { id });
  t.same(await queues.find('competitor-refresh', id), ended, 'the first is kept');
  t.same(runs, ['acme']);
  await until(() => queues.size('competitor-refresh') === 0, 'the count');
  t.equal(await queues.find('competitor-refresh', 'nonsense'), undefined);
  t.match(await queues.health.check(), { status: 'UP', details: { jobs: { 'competitor-refresh': 0 } } });
});

t.test('of jobs with the same key there is one at a time', async (t) => {
  const go = new Gate();
  await using queues = node(async () => (await go.opened, REFRESHED));
  const ask = () => queues.enqueue('competitor-refresh', { tenantId: 'acme' }, { oneOf: 'acme' });
  const [first, second] = [await ask(), await ask()];
  t.same(first, second);
  const other = await queues.enqueue('competitor-refresh', { tenantId: 'rival' }, { oneOf: 'rival' });
  t.not(other.id, first.id);
  go.open();
  for (const { id } of [first, other])
    t.match(await queues.ended('competitor-refresh', id, 10_000), { state: 'COMPLETED' });
  t.not((await ask()).id, first.id, 'a new one when it has ended');
});

t.test('what fails is begun again a few times, and keeps no words that were not made to be shown', async (t) => {
  let runs = 0;
  const outcomes = [
    new Error('select secret from guests'),
    new Refusal('PARTNER_UNAVAILABLE', 'It does not answer.'),
  ];
  await using queues = node(async ({ since = 0 }) => {
    runs += 1;
    if (since > 0) throw new Refusal('PROPERTY_NOT_FOUND', 'There is none.');
    throw outcomes[(runs - 1) % 2]!;
  });
  const ended = async (since?: number) => {
    const { id } = await queues.enqueue('competitor-refresh', { tenantId: 'acme', since });
    return queues.ended('competitor-refresh', id, 10_000);
  };
  t.match(await ended(), { state: 'FAILED', error: 'a fault of the service; its log says more' });
  t.equal(runs, 3);
  t.match(await ended(), { state: 'FAILED', error: 'It does not answer.' });
  t.equal(runs, 6);
  t.match(await ended(1), { state: 'FAILED', error: 'There is none.' });
  t.equal(runs, 7, 'what would fail again is not begun again');
  const { rows } = await admin.query('select stacktrace, failed_reason from bullmq.job');
  t.notMatch(JSON.stringify(rows), /secret|\.ts:\d/);
});

t.test('a job that stops because its process goes is done by the next one, and has lost no attempt', async (t) => {
  const began = new Gate();
  const once = { 'competitor-refresh': { concurrency: 1, attempts: 1, backoffMs: 1 } };
  const stops: Refresh = (_, { signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')));
      began.open();
    });
  const first = node(stops, { 'competitor-refresh': { ...once['competitor-refresh'], handler: stops } });
  const { id } = await first.enqueue('competitor-refresh', { tenantId: 'acme' });
  const waiting = await first.enqueue('competitor-refresh', { tenantId: 'rival' });
  await began.opened;
  await first[Symbol.asyncDispose]();
  await t.rejects(first.enqueue('competitor-refresh', { tenantId: 'acme' }), { code: 'NOT_EXECUTED' });
  await using second = node(async () => REFRESHED);
  for (const job of [id, waiting.id])
    t.match(await second.ended('competitor-refresh', job, 10_000), { state: 'COMPLETED' });
});

t.test('a job whose process died is taken up by another', async (t) => {
  // As a process leaves it that was killed: nobody holds its lock any more, and a look before has seen that.
  await admin.query(`delete from bullmq.meta where field = 'stalled-check'`);
  await admin.query(`insert into bullmq.job (queue, id, seq, name, state, data, added_at_ms, locked_until_ms, stalled_marked)
    values ('competitor-refresh', 'orphan', nextval('bullmq.job_seq'), 'x', 'active', '{"tenantId": "acme"}', 0, 1, true)`);
  await using queues = node(async () => REFRESHED);
  t.match(await queues.ended('competitor-refresh', 'orphan', 10_000), { state: 'COMPLETED', result: REFRESHED });
});

t.test('two nodes share the rounds: each is done once, and they go on after a restart', async (t) => {
  const rounds: string[] = [];
  const round: JobHandler<'competitor-check'> = async (_, { id }) => (rounds.push(id), { due: 0 });
  const settings = {
    'competitor-check': { handler: round, concurrency: 2, attempts: 1, backoffMs: 1, repeatMs: 20 },
  };
  const start = () => node(async () => REFRESHED, settings);
  const [one, two] = [start(), start()];
  await until(() => rounds.length >= 6, 'six rounds');
  await Promise.all([one[Symbol.asyncDispose](), two[Symbol.asyncDispose]()]);
  const before = rounds.length;
  await using three = start();
  await until(() => rounds.length >= before + 3, 'three more');
  t.equal(new Set(rounds).size, rounds.length);
  t.ok(three);
  const { rows } = await admin.query<{ n: number }>(
    `select count(*)::int as n from bullmq.job where queue = 'competitor-check'`,
  );
  t.ok(rows[0]!.n <= 3, 'rounds are not kept');
  await admin.query(`delete from bullmq.scheduler; delete from bullmq.job where queue = 'competitor-check'`);
});

t.test('a node has four connections however many queues, and listens again when one breaks', async (t) => {
  await using queues = node(async () => REFRESHED);
  const run = async () => {
    const asked = Array.from({ length: 8 }, () => queues.enqueue('competitor-refresh', { tenantId: 'acme' }));
    for (const { id } of await Promise.all(asked))
      t.match(await queues.ended('competitor-refresh', id, 10_000), { state: 'COMPLETED' });
  };
  await run();
  const sessions = async () =>
    (
      await admin.query<{ query: string }>(
        `select query from pg_stat_activity where application_name = 'innkeeper_jobs'`,
      )
    ).rows;
  t.ok((await sessions()).length <= 4);
  t.equal((await sessions()).filter(({ query }) => query === 'listen bullmq_jobs').length, 1);
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen bullmq_jobs' and pid <> pg_backend_pid()`,
  );
  // Without a new ear they would look only every 30 s, and this test would not wait so long.
  await until(async () => (await sessions()).some(({ query }) => query === 'listen bullmq_jobs'), 'another listener');
  await run();
});

t.test('where there is no database nobody waits for it, and the queue opens when it is there', async (t) => {
  let there = false;
  const nowhere = 'postgres://nobody@127.0.0.1:1/nothing';
  await using queues = node(
    async () => REFRESHED,
    {},
    () => openJobsPool(there ? url : nowhere),
  );
  t.match(await queues.health.check(), { status: 'UNKNOWN' });
  await until(async () => (await queues.health.check()).status === 'DOWN', 'DOWN');
  t.equal(queues.size('competitor-refresh'), 0);
  there = true;
  const { id } = await queues.enqueue('competitor-refresh', { tenantId: 'acme' });
  t.match(await queues.ended('competitor-refresh', id, 10_000), { state: 'COMPLETED' });
  t.match(await queues.health.check(), { status: 'UP' });
});

t.test('a queue takes a thousand jobs and no more', async (t) => {
  const [began, go] = [new Gate(), new Gate()];
  await using queues = node(async () => (began.open(), await go.opened, REFRESHED));
  await queues.enqueue('competitor-refresh', { tenantId: 'acme' });
  await began.opened;
  const copy = `insert into bullmq.job (queue, id, seq, name, state, added_at_ms)
    select 'competitor-refresh', 'more-' || n, nextval('bullmq.job_seq'), 'x', 'waiting', 0 from generate_series(1, 999) n`;
  await admin.query(copy);
  await t.rejects(queues.enqueue('competitor-refresh', { tenantId: 'acme' }), {
    code: 'NOT_EXECUTED',
    details: { retryAfterSeconds: 30 },
  });
  await admin.query(`delete from bullmq.job where id like 'more-%'`);
  go.open();
});
