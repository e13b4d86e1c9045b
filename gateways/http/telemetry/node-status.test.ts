import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';

import type { Health, HealthCheck } from '../../../src/kernel/ports.ts';
import type { ClusterPart, NodeReport } from '../../../src/platform/coordination/ports.ts';
import { Gate } from '../../../src/testing/fake-clock.ts';
import { COMPONENTS, HealthBoard } from './health-board.ts';
import { Metrics } from './metrics.ts';
import { measureNode } from './node-metrics.ts';
import { type NodeParts, NodeStatus } from './node-status.ts';

const STARTED_AT = Date.UTC(2030, 0, 1);

const saying = (status: Health['status'], essential = false, details?: Health['details']): HealthCheck => ({
  essential,
  check: async () => ({ status, ...(details && { details }) }),
});

const sweep = {
  name: 'sweep',
  everyMs: 5_000,
  ageSeconds: 14,
  failures: 2,
  tookMs: 1_200,
  error: 'acme: no answer',
  failedItems: ['acme'],
};
const failedJob = {
  queue: 'competitor-refresh' as const,
  id: 'j1',
  at: STARTED_AT,
  attempts: 3,
  why: 'It does not answer.',
  tenantId: 'acme',
};

function parts(more: Partial<NodeParts> = {}): NodeParts {
  return {
    node: { nodeId: 'node-a', build: '0.1.0', startedAt: STARTED_AT },
    board: new HealthBoard(
      new Map([
        ['db', saying('UP', true)],
        ['kafka', saying('DOWN')],
        ['mail', saying('UP', false, { breaker: 'HALF_OPEN' })],
        ['paymentService', saying('DOWN', false, { gateway: 'stripe', breaker: 'OPEN' })],
        ['redis', saying('UNKNOWN', false, { breaker: 'odd' })],
        ['sms', saying('UP', false, { breaker: 'CLOSED' })],
      ]),
    ),
    clock: { now: () => STARTED_AT + 90_000 },
    jobs: { size: (name) => (name === 'daily-check' ? 3 : 0), failed: () => [failedJob] },
    figures: () => ({
      actors: 7,
      queuedCommands: 5,
      queuedBatches: 2,
      relay: { lag: 4, oldestAgeSeconds: 1.5, sent: 9, stopped: 1 },
      failing: 0,
      expiredKeys: { overdueSeconds: 0, forgotten: 0 },
      rounds: [
        { ...sweep, hasRun: true, rescues: 0 },
        { name: 'daily-check', everyMs: 60_000, ageSeconds: 200, hasRun: true, failures: 0, rescues: 3 },
      ],
      lease: { held: true, ageSeconds: 0.3 },
    }),
    ...more,
  };
}

const member = { nodeId: 'node-a', incarnation: 'i1', host: '10.0.0.1', port: 7_000, role: 'actors' as const };
const takeOver = { nodeId: 'node-b', at: STARTED_AT, why: 'its lease ran out' };

/** A cluster in which node-b does not answer. */
const cluster: ClusterPart = {
  figures: () => ({
    self: { ...member, protocol: 1, build: '0.1.0', startedAt: STARTED_AT },
    view: { version: 12, members: 2 },
    shards: [1, 5, 9],
    links: { calls: 10, failures: 1 },
    redisMissing: 1,
    takeOvers: { count: 4, recent: [takeOver] },
  }),
  gather: (own: () => Promise<NodeReport>) => ({
    all: async () => ({ reports: [await own()], missing: [{ nodeId: 'node-b', why: 'no answer within 1 s' }] }),
  }),
};

void test('a node that is alone has every shard, and is the whole of its cluster', async (t) => {
  using status = new NodeStatus(parts());
  status.watchLive(() => ({ connections: 2, properties: 1 }));
  const { reports, missing } = await status.reports.all();
  t.same(missing, []);
  t.equal(reports.length, 1);
  t.match(reports[0], {
    nodeId: 'node-a',
    address: null,
    role: 'all',
    build: '0.1.0',
    runtime: /^(Node|Deno) \d/,
    status: 'UP',
    uptimeSeconds: 90,
    view: { version: 0, members: 1 },
    takeOvers: [],
    components: { db: 'UP', kafka: 'DOWN', redis: 'UNKNOWN' },
    actors: { awake: 7, queuedCommands: 5, queuedBatches: 2 },
    live: { connections: 2, properties: 1 },
    jobs: { 'daily-check': 3, 'yield-optimization': 0 },
  });
  t.equal(new Set(reports[0]!.shards).size, 1_024);
  t.same(reports[0]!.rounds, [
    { ...sweep, late: false },
    { name: 'daily-check', ageSeconds: 200, everyMs: 60_000, late: true, failures: 0 },
  ]);
  t.same(reports[0]!.failedJobs, [failedJob]);
  t.same(reports[0]!.breakers, { mail: 'HALF_OPEN', paymentService: 'OPEN', sms: 'CLOSED' });
});

void test('in a cluster it says what the cluster gives it, and who is missing', async (t) => {
  using status = new NodeStatus(parts({ cluster }));
  const { reports, missing } = await status.reports.all();
  t.same(missing, [{ nodeId: 'node-b', why: 'no answer within 1 s' }]);
  t.match(reports[0], {
    address: '10.0.0.1:7000',
    role: 'actors',
    view: { version: 12, members: 2 },
    shards: [1, 5, 9],
    links: { calls: 10, failures: 1 },
    takeOvers: [takeOver],
  });
});

void test('a component that hangs holds up no report but the first', async (t) => {
  const answered = new Gate();
  let looks = 0;
  const board: NodeParts['board'] = {
    async report() {
      await (looks++ === 0 ? answered.opened : new Gate().opened);
      return { status: 'UP', components: { db: { status: 'UP' } } };
    },
  };
  using status = new NodeStatus(parts({ board }));
  const first = status.report();
  t.equal(
    await Promise.race([first, pause(50, 'nothing')]),
    'nothing',
    'it is never said that nothing is known of all',
  );
  answered.open();
  t.match(await first, { status: 'UP', components: { db: 'UP' } });
  const second = await Promise.race([status.report(), pause(5_000, 'nothing', { ref: false })]);
  t.match(second, { status: 'UP', components: { db: 'UP' } });
});

void test('the same are metrics', async (t) => {
  using status = new NodeStatus(parts({ cluster }));
  await status.report();
  const metrics = new Metrics();
  measureNode(metrics, status);
  const value = (name: string): number | undefined => metrics.report(name, [])?.measurements[0]?.value;
  const expected = {
    'cluster.members': 2,
    'cluster.view.version': 12,
    'cluster.shards': 3,
    'cluster.takeovers': 4,
    'cluster.redis.missing': 1,
    'node.link.calls': 10,
    'node.link.failures': 1,
    'lease.held': 1,
    'lease.age': 0.3,
    'actor.mailbox.size': 5,
    'jobs.waiting': 3,
    'jobs.waiting.daily-check': 3,
    'health.status': 1,
    'health.db': 1,
    'health.kafka': 0,
    'health.redis': -1,
    'health.analytics': -1,
    'breaker.sms': 0,
    'breaker.mail': 1,
    'breaker.paymentService': 2,
    'breaker.analytics': -1,
  };
  for (const [name, is] of Object.entries(expected)) t.equal(value(name), is, name);
  for (const name of COMPONENTS) t.equal(typeof value(`health.${name}`), 'number', name);
  const text = await metrics.registry.metrics();
  t.match(text, /\nhealth_db 1\n/);
  for (const line of [
    'jobs_round_age{round="daily-check"} 200',
    'jobs_round_period{round="daily-check"} 60',
    'jobs_round_rescued{round="daily-check"} 3',
    'jobs_round_failures{round="sweep"} 2',
  ])
    t.ok(text.includes(`\n${line}\n`), line);
});
