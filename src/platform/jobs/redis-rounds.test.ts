import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';

import { servicesOrSkip } from '../../../test/services/needed.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { Line } from '../../testing/cluster/line.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import { queueJobSettings, redisPlace } from '../../testing/jobs/job-places.ts';
import { JobQueues } from './job-queues.ts';
import { openRedisBackend, waitingSilentMs } from './redis-backend.ts';

/** Longer than BullMQ waits for a job at a time: at the pace of other tests a wait never runs to its end. */
const EVERY_MS = 12_000;
const WATCHED_MS = 28_000;

void test('two nodes do the rounds of Redis on time, also when each comes later than a wait lasts', async (t) => {
  const url = servicesOrSkip(t, ['redis'])?.redis;
  if (url === undefined) return;
  await using place = await redisPlace(url, randomUUID(), quiet);
  const ranAt: number[] = [];
  const node = (): JobQueues => {
    const handler = async () => (ranAt.push(performance.now()), { due: 0 });
    const round = { handler, concurrency: 1, attempts: 1, backoffMs: 1, repeatMs: EVERY_MS };
    const settings = queueJobSettings({ 'competitor-check': round });
    const queues = new JobQueues({ open: place.open, settings, works: true, log: quiet });
    queues.begin();
    return queues;
  };
  await using nodes = new AsyncDisposableStack();
  for (let n = 0; n < 2; n++) nodes.use(node());
  await untilTime(() => ranAt.length > 0, 'the first round');
  await pause(WATCHED_MS);
  const gaps = [...ranAt.slice(1), performance.now()].map((at, n) => Math.round(at - ranAt[n]!));
  t.comment(`milliseconds from round to round, and since the last: ${gaps.join(', ')}`);
  t.ok(Math.max(...gaps) < 1.5 * EVERY_MS, 'no round is later than half a period');
});

void test('a wait whose answer is lost in silence is given up in time, and rounds go on', async (t) => {
  const direct = servicesOrSkip(t, ['redis'])?.redis;
  if (direct === undefined) return;
  const installation = randomUUID();
  await using stack = new AsyncDisposableStack();
  stack.use(await redisPlace(direct, installation, quiet));
  const { line, url } = await Line.to(direct);
  stack.use(line);
  let rounds = 0;
  const handler = async () => ((rounds += 1), { due: 0 });
  const round = { handler, concurrency: 1, attempts: 1, backoffMs: 1, repeatMs: 1_500 };
  await using queues = new JobQueues({
    open: () => openRedisBackend({ url, installation: async () => installation, log: quiet }),
    settings: queueJobSettings({ 'competitor-check': round }),
    works: true,
    log: quiet,
  });
  queues.begin();
  await untilTime(() => rounds >= 2, 'rounds');
  line.isStuck = true;
  await pause(2_000);
  line.isStuck = false;
  const before = rounds;
  const since = performance.now();
  await untilTime(() => rounds >= before + 3, 'rounds again');
  t.pass(`three rounds ${Math.round(performance.now() - since)} ms after`);
});

void test('a waiting connection may be silent for longer than BullMQ ever waits', async (t) => {
  const bullmq = await import('bullmq');
  const { maximumBlockTimeout } = bullmq.RedisQueueBackend.prototype;
  t.ok(maximumBlockTimeout > 0);
  // A second more is when BullMQ gives a wait up by itself.
  t.ok(waitingSilentMs(bullmq) > maximumBlockTimeout * 1_000 + 1_000);
});
