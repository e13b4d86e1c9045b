import type { Client } from 'pg';

import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { commits } from '../load/raw-commits.ts';
import { loopbackBytes } from './measured.ts';
import { bookingWork } from './operations.ts';
import type { GrowthPlan } from './plan.ts';
import type { GrowthWorld } from './world.ts';

/** What a booking needs beside CPU. */
export type BookingNeeds = {
  /** Transactions of the database, and bytes of its log. */
  commits: number;
  walBytes: number;
  /** Writes of the log to the disk that were waited for. */
  syncs: number;
  /** Bytes over the loopback, each counted once: between client and service, and service and database. */
  networkBytes: number;
  /** Sessions of the service. */
  sessions: number;
  /** Transactions of one row that the disk takes a second, on ten connections. */
  diskCommits: number;
};

/** Sessions report their transactions once a second at most. */
const REPORTED_MS = 1_500;
const CONNECTIONS = 10;

type Counters = { commits: number; wal: number; syncs: number; bytes: number };

export async function bookingNeeds(
  world: GrowthWorld,
  { among, needsSeconds: seconds }: Pick<GrowthPlan, 'among' | 'needsSeconds'>,
): Promise<BookingNeeds> {
  const admin = await world.admin();
  const rest = await counted(admin, () => pause(seconds * 1_000).then(() => 1));
  const work = bookingWork(world, among);
  const booked = await counted(admin, async () => (await work.run(seconds)).count);
  const each = (name: keyof Counters): number =>
    Math.max(0, booked.of[name] - (rest.of[name] * booked.ms) / rest.ms) / Math.max(1, booked.count);
  const { rows } = await admin.query<{ n: number }>(
    "select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  await using raw = await commits(embeddedDatabaseUrl(world.service.dataDir), CONNECTIONS);
  const { perSecond } = await raw.round(seconds);
  return {
    commits: each('commits'),
    walBytes: each('wal'),
    syncs: each('syncs'),
    networkBytes: each('bytes'),
    sessions: rows[0]!.n,
    diskCommits: perSecond,
  };
}

async function counted(
  admin: Client,
  work: () => Promise<number>,
): Promise<{ of: Counters; count: number; ms: number }> {
  await pause(REPORTED_MS);
  const [before, began] = [await counters(admin), performance.now()];
  const count = await work();
  await pause(REPORTED_MS);
  const after = await counters(admin);
  const of = Object.fromEntries(
    (Object.keys(after) as (keyof Counters)[]).map((name) => [name, after[name] - before[name]]),
  ) as Counters;
  return { of, count, ms: performance.now() - began };
}

async function counters(admin: Client): Promise<Counters> {
  const { rows } = await admin.query<{ commits: string; wal: string; syncs: string }>(
    `select (select xact_commit from pg_stat_database where datname = current_database()) as commits,
       pg_current_wal_insert_lsn() - '0/0' as wal,
       (select coalesce(sum(fsyncs), 0) from pg_stat_io where object = 'wal') as syncs`,
  );
  const { commits: done, wal, syncs } = rows[0]!;
  return { commits: Number(done), wal: Number(wal), syncs: Number(syncs), bytes: loopbackBytes() };
}
