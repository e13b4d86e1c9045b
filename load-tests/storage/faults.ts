import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';

import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { ImportDesk } from '../../test/blackbox/groups/imports.ts';
import { Launched } from '../../test/blackbox/launched.ts';
import type { SteadyBookers } from '../../test/blackbox/steady-bookers.ts';
import { TemporaryDisk } from '../../test/blackbox/temporary-disk.ts';
import { pause, until } from '../../test/blackbox/waiting.ts';
import { connected } from '../client/connected.ts';
import { FailingSync } from './failing-sync.ts';
import type { StorageWorld } from './world.ts';

const MEGABYTE = 2 ** 20;
const FULL_MS = 12_000;
const SLOW_MS = 15_000;
const FAILING_MS = 6_000;
const SLOW_SYNC_MICROSECONDS = 2_000_000;
/** Above it the service itself goes on writing; below, it leaves the rest to PostgreSQL. */
const BELOW_RESERVE_BYTES = 20 * MEGABYTE;
/** Written at once by what fills the disk; in kilobytes. */
const CHUNK_KILOBYTES = 4_000;

/** What a fault has shown beside bookings and reads. */
export type Shown = {
  /** Wrong, whatever the bookings were. */
  wrong: string[];
  /** Acknowledged before this moment must be there, where the storage has lost what it had confirmed. */
  safeUntil?: number;
  /** What storage that lost what it had confirmed has left of the database: PostgreSQL is not safe from it. */
  damage?: string[];
  /** The service does not start on what is left. */
  isGone?: boolean;
};

export type StorageFault = {
  name: string;
  /** Bookings go on meanwhile. */
  isHarmless?: boolean;
  /** Reads go on meanwhile, bookings do not. */
  isFull?: boolean;
  needsStrace?: boolean;
  /** Something that was confirmed is lost, so it begins with a database of its own. */
  isCut?: boolean;
  /** Who book meanwhile, where they are fewer than usual. */
  clients?: number;
  /** Resolves at the end of the fault. */
  run(world: StorageWorld, bookers: SteadyBookers): Promise<Shown>;
};

const NOTHING_WRONG: Shown = { wrong: [] };

export const STORAGE_FAULTS: readonly StorageFault[] = [
  {
    name: 'data folder full to the last block, an upload too',
    isFull: true,
    async run(world) {
      const empty = world.disk.fill();
      try {
        const wrong = await refusedUpload(world);
        await pause(FULL_MS);
        return { wrong };
      } finally {
        empty();
      }
    },
  },
  {
    name: '20 MB left',
    isFull: true,
    async run({ disk }) {
      const empty = disk.fill(BELOW_RESERVE_BYTES);
      await pause(FULL_MS);
      empty();
      return NOTHING_WRONG;
    },
  },
  {
    name: 'tables of the database fill it',
    isFull: true,
    run: (world) => grows(world, 'create unlogged table public.ballast (text text)', 'drop table public.ballast'),
  },
  {
    name: 'temporary tables of a session fill it',
    isFull: true,
    run: (world) => grows(world, 'create temporary table ballast (text text)', 'drop table ballast'),
  },
  {
    name: 'log of the database finds no room, PostgreSQL ends',
    async run(world) {
      const session = await connected(embeddedDatabaseUrl(world.service.dataDir));
      const empty = world.disk.fill();
      try {
        const wrong = (await endsOfItsLog(session)) ? [] : ['PostgreSQL went on'];
        await pause(FULL_MS);
        return { wrong };
      } finally {
        empty();
        await session.end().catch(() => {});
      }
    },
  },
  {
    name: 'fsync fails for 6 s',
    needsStrace: true,
    async run(world) {
      for (const end = performance.now() + FAILING_MS; performance.now() < end; await pause(100)) {
        const server = world.postmaster;
        if (server === undefined) continue;
        await using sync = await FailingSync.begin(server, 'error=EIO');
        // The next server has to be attached to as well.
        while (performance.now() < end && world.postmaster === server && !sync.isOver) await pause(100);
      }
      return NOTHING_WRONG;
    },
  },
  {
    name: 'fsync takes 2 s, for 15 s',
    needsStrace: true,
    async run(world) {
      await using _ = await FailingSync.begin(world.postmaster!, `delay_enter=${SLOW_SYNC_MICROSECONDS}`);
      await pause(SLOW_MS);
      return NOTHING_WRONG;
    },
  },
  { name: 'backup onto a disk that is too small', isHarmless: true, run: (world) => backsUp(world, false) },
  { name: 'backup onto a disk that fills meanwhile', isHarmless: true, run: (world) => backsUp(world, true) },
  {
    name: 'log disk of the service full',
    isHarmless: true,
    async run({ logDisk }) {
      const empty = logDisk.fill();
      await pause(FULL_MS);
      empty();
      return NOTHING_WRONG;
    },
  },
];

/** A file for an import cannot be stored, and the answer says why. */
async function refusedUpload({ service, property }: StorageWorld): Promise<string[]> {
  // The service looks at its disk twice a second.
  await pause(1_000);
  const bytes = `no,state\n${'X,Y\n'.repeat(200_000)}`;
  const { status, json } = await new ImportDesk(service, property.propertyId).upload(bytes, 'large.csv');
  const { code } = json as { code?: string };
  return status === 503 && code === 'STORE_READ_ONLY' ? [] : [`an upload was answered with ${status} ${code}`];
}

/** Something in the database itself takes the whole disk. */
async function grows(world: StorageWorld, create: string, drop: string): Promise<Shown> {
  const session = await connected(embeddedDatabaseUrl(world.service.dataDir));
  try {
    await session.query(create);
    const wrong = (await fills(session)) ? [] : ['the disk did not get full'];
    await pause(FULL_MS);
    await session.query(drop);
    return { wrong };
  } finally {
    await session.end().catch(() => {});
  }
}

async function fills(session: Client): Promise<boolean> {
  const more = `insert into ballast select repeat('x', 900) from generate_series(1, ${CHUNK_KILOBYTES})`;
  for (let n = 0; n < 500; n++)
    try {
      await session.query(more);
    } catch (error) {
      return (error as { code?: string }).code === '53100';
    }
  return false;
}

/** Writes to the log only, beyond the files of it that are there. */
async function endsOfItsLog(session: Client): Promise<boolean> {
  const more = `select pg_logical_emit_message(false, 'ballast', repeat('x', 1000000))`;
  for (let n = 0; n < 500; n++)
    try {
      await session.query(more);
    } catch {
      return true;
    }
  return false;
}

/** A backup that cannot be completed says so, and leaves nothing that looks like one. */
async function backsUp({ service }: StorageWorld, fillsUp: boolean): Promise<Shown> {
  using disk = TemporaryDisk.mount((fillsUp ? 120 : 20) * MEGABYTE)!;
  const to = join(disk.folder, 'backup');
  const tool = new Launched({ ...service.env, DATA_DIR: service.dataDir }, 'backup', ['--', '--to', to]);
  if (fillsUp) {
    await until('the copy begins', 60_000, () => existsSync(`${to}.unfinished`) || tool.over || undefined);
    disk.fill();
  }
  const code = await tool.exited;
  const said = tool.output.trim().split('\n').at(-1) ?? '';
  const wrong = [];
  if (code === 0 || !said.startsWith('innkeeper: no backup was made: '))
    wrong.push(`the backup ended with ${code}: ${said}`);
  if (existsSync(to) || existsSync(`${to}.unfinished`)) wrong.push('a backup in part is there');
  return { wrong };
}
