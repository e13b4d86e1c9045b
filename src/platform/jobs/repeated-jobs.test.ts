import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';

import { withTestDatabase } from '../../testing/database.ts';
import { Gate, untilTime } from '../../testing/fake-clock.ts';
import { queueJobSettings, postgresPlace } from '../../testing/jobs/job-places.ts';
import { connect } from '../database/connection.ts';
import { ReconnectingClient } from '../database/reconnecting-client.ts';
import { JobQueues } from './job-queues.ts';
import { databaseJobRounds } from './job-rounds.ts';
import { RepeatedJobs } from './repeated-jobs.ts';
import { RoundRegistry } from './round-registry.ts';

const EVERY_MS = 800;
const LOOK_MS = 100;

const { admin, url } = await withTestDatabase(t);
const place = postgresPlace(url, admin);
const system = new ReconnectingClient(() => connect(url, 'innkeeper_system'));
t.teardown(() => system[Symbol.asyncDispose]());

type Given = {
  nodeId: string;
  work?: () => Promise<void>;
  works?: boolean;
  delivers?: boolean;
  hangs?: () => boolean;
};

/** A node with its queue, which brings the jobs of others too; where it does not, no job of this one is ever brought. */
function node({ nodeId, work = async () => {}, works = true, delivers = false, hangs = () => false }: Given) {
  const rounds = new RoundRegistry();
  const said: string[] = [];
  const log = {
    debug: () => {},
    info: () => {},
    warn: (_: object, text?: string) => void said.push(text ?? ''),
    error: () => {},
  };
  const stored = databaseJobRounds(
    async () => (hangs() ? new Promise<never>(() => undefined) : system.client()),
    nodeId,
  );
  const repeated = new RepeatedJobs({ stored, rounds, works, log, lookMs: LOOK_MS, lookWithinMs: 300 });
  const round = { concurrency: 1, attempts: 1, backoffMs: 1, repeatMs: EVERY_MS };
  const handler = async () => (await work(), { due: 0 });
  const queues = new JobQueues({
    open: place.open,
    works: delivers,
    log,
    late: () => repeated.late,
    settings: repeated.watched(queueJobSettings({ 'competitor-check': { handler, ...round } })),
  });
  queues.begin();
  repeated.begin();
  const figures = () => rounds.figures().find(({ name }) => name === 'competitor-check')!;
  const stack = new AsyncDisposableStack();
  for (const part of [queues, repeated]) stack.use(part);
  return { rounds, queues, said, figures, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

t.test('rounds that the queue never brings are run past it by one of two nodes, and health names them', async (t) => {
  const ranAt: number[] = [];
  const work = async (): Promise<void> => void ranAt.push(performance.now());
  await using one = node({ nodeId: 'one', work });
  await using two = node({ nodeId: 'two', work });
  await using gateway = node({ nodeId: 'gateway', works: false });
  await untilTime(() => ranAt.length >= 4, 'four rounds past the queue');
  const gaps = ranAt.slice(1).map((at, n) => at - ranAt[n]!);
  t.comment(`milliseconds from round to round: ${gaps.map(Math.round).join(', ')}`);
  t.ok(Math.min(...gaps) > EVERY_MS, 'of both nodes together');
  t.equal(one.figures().rescues + two.figures().rescues, ranAt.length);
  t.ok([...one.said, ...two.said].includes('a regular round is overdue; this node runs it past the job queue'));
  await untilTime(() => gateway.figures().hasRun, 'what a node without jobs sees');
  for (const { queues } of [one, two, gateway])
    t.match(await queues.health.check(), { status: 'DOWN', details: { late: { 'competitor-check': Number } } });
  t.equal(gateway.figures().rescues, 0);
});

t.test('rounds that the queue brings are its own, and every node knows their age', async (t) => {
  await admin.query('delete from system.job_round');
  let runs = 0;
  await using one = node({ nodeId: 'one', delivers: true, work: async () => void (runs += 1) });
  await using two = node({ nodeId: 'two' });
  await untilTime(() => runs >= 4 && two.figures().hasRun, 'rounds');
  t.match(await one.queues.health.check(), { status: 'UP' });
  t.match(await two.queues.health.check(), { status: 'UP' });
  t.ok(two.figures().ageSeconds < 3 * EVERY_MS, `${two.figures().ageSeconds} s`);
  await place.empty('competitor-check');
});

t.test('a run that hangs on one node holds up the watch of none, and another node runs the round', async (t) => {
  await admin.query('delete from system.job_round');
  const hanging = new Gate();
  const began: string[] = [];
  const work = (name: string) => async (): Promise<void> => {
    began.push(name);
    if (began.length === 1) await hanging.opened;
  };
  await using one = node({ nodeId: 'one', work: work('one') });
  await untilTime(() => began.length === 1, 'a run that hangs');
  await using two = node({ nodeId: 'two', work: work('two') });
  await untilTime(() => began.length >= 3, 'the runs of another');
  t.same([...new Set(began.slice(1))], ['two']);
  await untilTime(() => one.figures().hasRun, 'what it hears of them');
  hanging.open();
  t.ok(two);
});

t.test('where PostgreSQL says nothing nothing runs, the ages grow, and the watch itself is late', async (t) => {
  await admin.query('delete from system.job_round');
  let runs = 0;
  let isSilent = true;
  await using one = node({ nodeId: 'one', work: async () => void (runs += 1), hangs: () => isSilent });
  await pause(3.5 * EVERY_MS);
  t.equal(runs, 0);
  const health = await one.rounds.health.check();
  t.match(health, { status: 'DOWN' });
  const late = health.details!['late'] as { name: string }[];
  t.same(late.map(({ name }) => name).sort(), ['competitor-check', 'round-watch']);
  isSilent = false;
  await untilTime(() => runs > 0, 'the round');
  await untilTime(async () => (await one.rounds.health.check()).status === 'UP', 'its health');
});
