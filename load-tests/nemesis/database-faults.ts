import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';

import { pause } from '../../test/blackbox/waiting.ts';
import { connected } from '../client/connected.ts';
import type { ClusterWorld } from '../cluster/cluster-world.ts';
import type { Fault } from './fault.ts';

const HELD_MS = 8_000;
const LOCKED_MS = 7_000;
const FROZEN_MS = 20_000;
const FULL_MS = 20_000;
const ANSWER_MS = 3_000;
/** Duration for which PostgreSQL is away, by the seed. */
const AWAY_MS = { least: 30_000, most: 120_000 };
/** Time until lost connections are replaced, and PostgreSQL has detected the loss. */
const LOST_MS = 10_000;

/** Faults of PostgreSQL, and of the connections to it. */
export const DATABASE_FAULTS: readonly Fault[] = [
  {
    name: 'line of a node to PostgreSQL held up for 8 s',
    hitsNode: true,
    seconds: 8,
    run: async ({ world, node }) => {
      const line = world.databaseLineOf(node);
      line.hold();
      await pause(HELD_MS);
      line.release();
    },
  },
  {
    name: 'connections frozen',
    hitsNode: true,
    seconds: 10,
    run: async ({ world, node }) => {
      world.databaseLineOf(node).loseConnections();
      await pause(LOST_MS);
    },
  },
  { name: 'lease table locked for 7 s', hitsNode: false, seconds: 7, run: ({ world }) => lockLeases(world) },
  {
    name: 'PostgreSQL ends backends in a commit',
    hitsNode: false,
    seconds: 2,
    run: ({ world }) => endCommits(world),
  },
  {
    name: 'PostgreSQL ends the lease connections',
    hitsNode: false,
    seconds: 1,
    run: ({ world }) => endLeases(world),
  },
  {
    name: 'database away 30 to 120 s',
    hitsNode: false,
    seconds: AWAY_MS.most / 1_000 + 10,
    stopsAll: true,
    run: async ({ world, random }) => {
      await world.crashDatabase();
      await pause(AWAY_MS.least + random() * (AWAY_MS.most - AWAY_MS.least));
      await world.restartDatabase();
    },
  },
  {
    name: 'database frozen 20 s',
    hitsNode: false,
    seconds: 20,
    stopsAll: true,
    run: async ({ world }) => {
      const all = await processesOf(world);
      signal(all, 'SIGSTOP');
      try {
        await pause(FROZEN_MS);
      } finally {
        signal(all, 'SIGCONT');
      }
    },
  },
  {
    name: 'disk of the database full for 20 s',
    hitsNode: false,
    seconds: 30,
    stopsAll: true,
    needs: 'small disk',
    run: async ({ world }) => {
      const disk = world.smallDisk!;
      disk.fill();
      try {
        await pause(FULL_MS);
      } finally {
        disk.empty();
      }
      // A server that could not write its log has ended, and is restarted when there is space.
      if (!(await answers(world))) {
        await world.crashDatabase();
        await world.restartDatabase();
      }
    },
  },
];

/** The postmaster first, so that it starts no further ones. */
async function processesOf(world: ClusterWorld): Promise<number[]> {
  const postmaster = await world.postgresPid();
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => parentOf(pid) === postmaster);
  return [postmaster, ...children.map(Number)];
}

function parentOf(pid: string): number | undefined {
  try {
    // The name of a program, in brackets, may have spaces.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(parent);
  } catch {
    return undefined;
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {
      // A session that has ended meanwhile.
    }
}

/** Whether PostgreSQL accepts new connections. */
async function answers({ database }: ClusterWorld): Promise<boolean> {
  const admin = new Client({
    connectionString: database.url,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  admin.on('error', () => undefined);
  try {
    await admin.connect();
    await admin.query('create table public.nemesis_room (x int)');
    await admin.query('drop table public.nemesis_room');
    return true;
  } catch {
    return false;
  } finally {
    await admin.end().catch(() => undefined);
  }
}

async function lockLeases({ database }: ClusterWorld): Promise<void> {
  const admin = await connected(database.url);
  await admin.query('begin');
  await admin.query('lock table system.cluster_node in access exclusive mode');
  await pause(LOCKED_MS);
  await admin.query('rollback');
  await admin.end();
}

const COMMITS = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = 'innkeeper_app' and state = 'active' and query like '%commit_batch_v3%'`;

/** For two seconds, for every commit. */
async function endCommits({ database }: ClusterWorld): Promise<void> {
  const admin = await connected(database.url);
  const until = performance.now() + 2_000;
  while (performance.now() < until) {
    await admin.query(COMMITS);
    await pause(100);
  }
  await admin.end();
}

async function endLeases({ database }: ClusterWorld): Promise<void> {
  const admin = await connected(database.url);
  await admin.query(
    `select pg_terminate_backend(a.pid) from pg_stat_activity a
     where a.application_name = 'innkeeper_system' and exists (
       select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.granted)`,
  );
  await admin.end();
}
