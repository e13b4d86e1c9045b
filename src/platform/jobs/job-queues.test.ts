import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Test, test } from 'tap';

import { servicesOrSkip } from '../../../test/services/needed.ts';
import type { JobHandler } from '../../kernel/ports.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { Gate, untilTime } from '../../testing/fake-clock.ts';
import { type JobPlace, queueJobSettings, postgresPlace, redisPlace } from '../../testing/jobs/job-places.ts';
import type { OpenBackend } from './backend.ts';
import { JobQueues, type JobQueueSettings } from './job-queues.ts';

const REFRESHED = { asked: 1, failed: 0 };
type Refresh = JobHandler<'competitor-refresh'>;

/** A node whose refreshes are the given work; rounds only where a test wants them. */
function node(
  open: OpenBackend,
  handler: Refresh,
  more: Partial<JobQueueSettings> = {},
  countMs = 15_000,
): JobQueues {
  const settings = queueJobSettings({
    'competitor-refresh': { handler, concurrency: 2, attempts: 3, backoffMs: 1 },
    ...more,
  });
  const queues = new JobQueues({
    open,
    settings,
    works: true,
    log: quiet,
    againMs: 1,
    patienceMs: 120_000,
    countMs,
  });
  queues.begin();
  return queues;
}

void test('jobs in PostgreSQL', async (t) => {
  const { admin, url } = await withTestDatabase(t);
  const place = postgresPlace(url, admin);
  await behaviour(t, place);
  await oneListener(t, place, admin);
});

void test('jobs in Redis', async (t) => {
  const url = servicesOrSkip(t, ['redis'])?.redis;
  if (url === undefined) return;
  await using place = await redisPlace(url, randomUUID(), quiet);
  await behaviour(t, place);
});

/** Conformance of the job backends. */
async function behaviour(t: Test, place: JobPlace): Promise<void> {
  await asked(t, place);
  await once(t, place);
  await failing(t, place);
  await stopping(t, place);
  await orphaned(t, place);
  await rounds(t, place);
  await lostRounds(t, place);
  await opening(t, place);
  await bounded(t, place);
}

async function asked(t: Test, place: JobPlace): Promise<void> {
  await t.test('a job reports its progress, then its result, and is enqueued once under one id', async (t) => {
    const began = new Gate();
    const go = new Gate();
    const runs: string[] = [];
    await using queues = node(place.open, async ({ tenantId }, run) => {
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
    await untilTime(() => queues.size('competitor-refresh') === 1, 'the count');
    t.same(await queues.ended('competitor-refresh', id, 0), await queues.find('competitor-refresh', id), 'not yet');
    go.open();
    const ended = await queues.ended('competitor-refresh', id, 10_000);
    t.strictSame(ended, { ...job, state: 'COMPLETED', progress: 40, result: REFRESHED });
    t.same(await queues.enqueue('competitor-refresh', { tenantId: 'other' }, { id }), { id });
    t.same(await queues.find('competitor-refresh', id), ended, 'the first is retained');
    t.same(runs, ['acme']);
    await untilTime(() => queues.size('competitor-refresh') === 0, 'the count');
    t.equal(await queues.find('competitor-refresh', 'nonsense'), undefined);
    t.match(await queues.health.check(), {
      status: 'UP',
      details: { backend: place.name, jobs: { 'competitor-refresh': 0 } },
    });
  });
}

async function once(t: Test, place: JobPlace): Promise<void> {
  await t.test('of jobs with the same key there is one at a time', async (t) => {
    const go = new Gate();
    await using queues = node(place.open, async () => (await go.opened, REFRESHED));
    const ask = () => queues.enqueue('competitor-refresh', { tenantId: 'acme' }, { oneOf: 'acme' });
    const first = await ask();
    const second = await ask();
    t.same(first, second);
    const other = await queues.enqueue('competitor-refresh', { tenantId: 'rival' }, { oneOf: 'rival' });
    t.not(other.id, first.id);
    go.open();
    for (const { id } of [first, other])
      t.match(await queues.ended('competitor-refresh', id, 10_000), { state: 'COMPLETED' });
    t.not((await ask()).id, first.id, 'a new one when it has ended');
  });
}

async function failing(t: Test, place: JobPlace): Promise<void> {
  await t.test(
    'what fails is begun again a few times, and keeps no words that were not made to be shown',
    async (t) => {
      let runs = 0;
      const outcomes = [
        new Error('select secret from guests'),
        new DomainError('PARTNER_UNAVAILABLE', 'It does not answer.'),
      ];
      const work: Refresh = async ({ since = 0 }) => {
        runs += 1;
        if (since > 0) throw new DomainError('PROPERTY_NOT_FOUND', 'There is none.');
        throw outcomes[(runs - 1) % 2]!;
      };
      await using queues = node(place.open, work, {}, 50);
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
      t.notMatch(await place.text(), /secret|\.ts:\d/);
      await untilTime(() => queues.failed().length === 3, 'the failed jobs');
      const of = { queue: 'competitor-refresh', tenantId: 'acme' };
      const [first] = queues.failed();
      t.match(first, { ...of, attempts: 1, why: 'There is none.' }, 'operators see them, the newest first');
      t.ok(Math.abs(first!.at - Date.now()) < 120_000);
      const fault = { ...of, attempts: 3, why: 'a fault of the service; its log says more' };
      t.match(queues.failed()[2], fault);
    },
  );
}

async function stopping(t: Test, place: JobPlace): Promise<void> {
  await t.test(
    'a job that stops because its process goes is done by the next one, and has lost no attempt',
    async (t) => {
      const began = new Gate();
      const once = { 'competitor-refresh': { concurrency: 1, attempts: 1, backoffMs: 1 } };
      const stops: Refresh = (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
          began.open();
        });
      const first = node(place.open, stops, {
        'competitor-refresh': { ...once['competitor-refresh'], handler: stops },
      });
      const { id } = await first.enqueue('competitor-refresh', { tenantId: 'acme' });
      const waiting = await first.enqueue('competitor-refresh', { tenantId: 'rival' });
      await began.opened;
      await first[Symbol.asyncDispose]();
      await t.rejects(first.enqueue('competitor-refresh', { tenantId: 'acme' }), { code: 'NOT_EXECUTED' });
      await using second = node(place.open, async () => REFRESHED);
      for (const job of [id, waiting.id])
        t.match(await second.ended('competitor-refresh', job, 10_000), { state: 'COMPLETED' });
    },
  );
}

async function orphaned(t: Test, place: JobPlace): Promise<void> {
  await t.test('a job whose process died is taken up by another', async (t) => {
    await place.orphan('competitor-refresh', 'orphan', { tenantId: 'acme' });
    await using queues = node(place.open, async () => REFRESHED);
    t.match(await queues.ended('competitor-refresh', 'orphan', 10_000), { state: 'COMPLETED', result: REFRESHED });
  });
}

async function rounds(t: Test, place: JobPlace): Promise<void> {
  await t.test('two nodes share the rounds: each is done once, and they go on after a restart', async (t) => {
    const rounds: string[] = [];
    const round: JobHandler<'competitor-check'> = async (_, { id }) => (rounds.push(id), { due: 0 });
    const settings = {
      'competitor-check': { handler: round, concurrency: 2, attempts: 1, backoffMs: 1, repeatMs: 20 },
    };
    const start = () => node(place.open, async () => REFRESHED, settings, 600_000);
    const eachOnce = async (...nodes: JobQueues[]) => {
      await Promise.all(nodes.map((one) => one.opened()));
      // A start may have a round given out again (docs/concepts/cluster.md#what-runs-once): only later ones count.
      const from = rounds.length + 4;
      await untilTime(() => rounds.length >= from + 6, 'six rounds');
      const counted = rounds.slice(from);
      t.equal(new Set(counted).size, counted.length, counted.join(' '));
    };
    const [one, two] = [start(), start()];
    await eachOnce(one, two);
    await Promise.all([one[Symbol.asyncDispose](), two[Symbol.asyncDispose]()]);
    await using three = start();
    await eachOnce(three);
    // A node that is stopped on a busy machine leaves what it has begun.
    t.ok((await place.count('competitor-check')) <= 7, 'rounds are not retained');
    await place.empty('competitor-check');
  });
}

async function lostRounds(t: Test, place: JobPlace): Promise<void> {
  await t.test('rounds whose next job is lost begin anew', async (t) => {
    let rounds = 0;
    const handler = async () => ((rounds += 1), { due: 0 });
    const round = { handler, concurrency: 1, attempts: 1, backoffMs: 1, repeatMs: 400 };
    await using queues = node(place.open, async () => REFRESHED, { 'competitor-check': round }, 100);
    await untilTime(() => rounds > 0, 'a round');
    // Its successor is there by now, and far from its time.
    await pause(100);
    await place.loseDelayed('competitor-check');
    const before = rounds;
    await untilTime(() => rounds >= before + 3, 'rounds');
    t.pass('they go on');
    await queues[Symbol.asyncDispose]();
    await place.empty('competitor-check');
  });
}

async function opening(t: Test, place: JobPlace): Promise<void> {
  await t.test(
    'where there is no place for jobs nobody waits for it, and the queue opens when it is there',
    async (t) => {
      let there = false;
      const late: OpenBackend = () => (there ? place.open() : Promise.reject(new Error('away')));
      await using queues = node(late, async () => REFRESHED);
      t.match(await queues.health.check(), { status: 'UNKNOWN' });
      await untilTime(async () => (await queues.health.check()).status === 'DOWN', 'DOWN');
      t.equal(queues.size('competitor-refresh'), 0);
      there = true;
      const { id } = await queues.enqueue('competitor-refresh', { tenantId: 'acme' });
      t.match(await queues.ended('competitor-refresh', id, 10_000), { state: 'COMPLETED' });
      t.match(await queues.health.check(), { status: 'UP' });
    },
  );
}

async function bounded(t: Test, place: JobPlace): Promise<void> {
  await t.test('a queue takes a thousand jobs and no more', async (t) => {
    const began = new Gate();
    const go = new Gate();
    await using queues = node(place.open, async () => (began.open(), await go.opened, REFRESHED));
    await queues.enqueue('competitor-refresh', { tenantId: 'acme' });
    await began.opened;
    await place.fill('competitor-refresh', 999);
    await t.rejects(queues.enqueue('competitor-refresh', { tenantId: 'acme' }), {
      code: 'NOT_EXECUTED',
      details: { retryAfterSeconds: 30 },
    });
    await place.empty('competitor-refresh');
    go.open();
  });
}

async function oneListener(t: Test, place: JobPlace, admin: Client): Promise<void> {
  await t.test('a node has four connections however many queues, and listens again when one breaks', async (t) => {
    await using queues = node(place.open, async () => REFRESHED);
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
    await untilTime(
      async () => (await sessions()).some(({ query }) => query === 'listen bullmq_jobs'),
      'another listener',
    );
    await run();
  });
}
