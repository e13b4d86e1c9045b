import type { Client } from 'pg';
import { createClient } from 'redis';

import type { JobName, Log } from '../../kernel/ports.ts';
import type { OpenBackend } from '../../platform/jobs/backend.ts';
import type { JobQueueSettings } from '../../platform/jobs/job-queues.ts';
import { openJobsPool } from '../../platform/jobs/jobs-pool.ts';
import { openPostgresBackend } from '../../platform/jobs/postgres-backend.ts';
import { openRedisBackend } from '../../platform/jobs/redis-backend.ts';

/** Storage of BullMQ's jobs, with actions of a test that bypass BullMQ. */
export type JobPlace = AsyncDisposable & {
  readonly name: 'PostgreSQL' | 'Redis';
  open: OpenBackend;
  /** Leaves a job in the state of a killed process, after a check that has seen it. */
  orphan(queue: JobName, id: string, data: object): Promise<void>;
  /** Inserts jobs without a notification. */
  fill(queue: JobName, count: number): Promise<void>;
  empty(queue: JobName): Promise<void>;
  /** Deletes delayed jobs. */
  loseDelayed(queue: JobName): Promise<void>;
  /** Deletes everything at once. */
  wipe(): Promise<void>;
  /** Stored jobs, in any state. */
  count(queue: JobName): Promise<number>;
  /** All stored data of all jobs. */
  text(): Promise<string>;
};

/** @param admin a session that sees everything */
export function postgresPlace(databaseUrl: string, admin: Client): JobPlace {
  const run = (sql: string, values: unknown[] = []) => admin.query(sql, values);
  return {
    name: 'PostgreSQL',
    open: () => openPostgresBackend(() => openJobsPool(databaseUrl)),
    async orphan(queue, id, data) {
      await run(`delete from bullmq.meta where field = 'stalled-check'`);
      await run(
        `insert into bullmq.job (queue, id, seq, name, state, data, added_at_ms, locked_until_ms, stalled_marked)
         values ($1, $2, nextval('bullmq.job_seq'), 'x', 'active', $3, 0, 1, true)`,
        [queue, id, JSON.stringify(data)],
      );
    },
    fill: async (queue, count) =>
      void (await run(
        `insert into bullmq.job (queue, id, seq, name, state, added_at_ms)
         select $1, 'more-' || n, nextval('bullmq.job_seq'), 'x', 'waiting', 0 from generate_series(1, $2) n`,
        [queue, count],
      )),
    async empty(queue) {
      await run('delete from bullmq.scheduler where queue = $1', [queue]);
      await run('delete from bullmq.job where queue = $1', [queue]);
    },
    loseDelayed: async (queue) =>
      void (await run(`delete from bullmq.job where queue = $1 and state = 'delayed'`, [queue])),
    wipe: async () => void (await run('truncate bullmq.job, bullmq.scheduler, bullmq.meta')),
    async count(queue) {
      const { rows } = await run('select count(*)::int as n from bullmq.job where queue = $1', [queue]);
      return (rows as { n: number }[])[0]!.n;
    },
    text: async () => JSON.stringify((await run('select * from bullmq.job')).rows),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** @param installation owner of the jobs: another one for each test */
export async function redisPlace(url: string, installation: string, log: Log): Promise<JobPlace> {
  const client = createClient({ url });
  client.on('error', () => {});
  await client.connect();
  const of = (queue: string, part: string): string => `innkeeper:jobs:${installation}:${queue}:${part}`;
  const keys = (pattern: string): Promise<string[]> => client.keys(pattern);
  const hashes = async (queue: string): Promise<string[]> => {
    const all = await keys(of(queue, '*'));
    const types = await Promise.all(all.map((key) => client.type(key)));
    return all.filter((key, at) => types[at] === 'hash' && !/:(meta|repeat:[^:]*)$/.test(key));
  };
  return {
    name: 'Redis',
    open: () => openRedisBackend({ url, installation: async () => installation, log }),
    async orphan(queue, id, data) {
      await client.del(of(queue, 'stalled-check'));
      await client.hSet(of(queue, id), {
        name: 'x',
        data: JSON.stringify(data),
        opts: '{}',
        timestamp: '0',
        delay: '0',
      });
      await client.lPush(of(queue, 'active'), id);
      await client.sAdd(of(queue, 'stalled'), id);
    },
    fill: async (queue, count) =>
      void (await client.rPush(
        of(queue, 'wait'),
        Array.from({ length: count }, (_, n) => `more-${n}`),
      )),
    async empty(queue) {
      const all = await keys(of(queue, '*'));
      if (all.length > 0) await client.del(all);
    },
    loseDelayed: async (queue) => void (await client.del(of(queue, 'delayed'))),
    async wipe() {
      const all = await keys(of('*', '*'));
      if (all.length > 0) await client.del(all);
      await client.scriptFlush();
    },
    count: async (queue) => (await hashes(queue)).length,
    text: async () => JSON.stringify(await Promise.all((await hashes('*')).map((key) => client.hGetAll(key)))),
    [Symbol.asyncDispose]: async () => client.destroy(),
  };
}

/** Handlers of all queues that do nothing, except for the given ones. */
export function queueJobSettings(given: Partial<JobQueueSettings>): JobQueueSettings {
  const once = { concurrency: 1, attempts: 1, backoffMs: 1 };
  return {
    'analytics-push': { handler: async () => ({ pushed: 0 }), ...once },
    'competitor-check': { handler: async () => ({ due: 0 }), ...once },
    'competitor-refresh': { handler: async () => ({ asked: 0, failed: 0 }), ...once },
    'daily-check': { handler: async () => ({}), ...once },
    'rate-recalculation': { handler: async () => ({ nights: 0 }), ...once },
    'yield-optimization': { handler: async () => ({}), ...once },
    ...given,
  };
}
