import { existsSync, realpathSync } from 'node:fs';
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { LOG_POSITION } from '../database/log-position.ts';
import { createDataDir } from '../launch/database/data-dir.mjs';
import { stopLiving } from '../launch/database/orphaned-postgres.mjs';
import { startPostgres } from '../launch/database/postgres.mjs';
import { LaunchError } from '../launch/launch-error.mjs';
import { defaultHomes } from '../launch/process/home.mjs';
import { type Lock, takeLock } from '../launch/process/lock.mjs';
import { findPlace, type Place } from '../launch/process/place.mjs';
import { FileCopy, syncFolder } from './file-copy.ts';
import { bytesOf, type Manifest, readManifest } from './manifest.ts';
import { showProgress } from './progress.ts';
import { rewind, type Rewound } from './rewind.ts';
import { REACHED } from './state-files.ts';
import { Swap, type Workshop, workshopIn } from './swap.ts';

const POSTGRES_MAJOR = '18';
/** The log of a long backup under load is replayed at some 100 MB/s. */
const RECOVERED_WITHIN_MS = 3_600_000;
/** The final checkpoint writes much; nothing else waits. */
const STOP_WITHIN_MS = 60_000;

type RestoreOptions = {
  /** The backup. */
  from: string;
  dataDir: string;
  /** The highest generation known from another source. */
  above: number;
  signal: AbortSignal;
  log(line: string): void;
};

type Restored = Rewound & {
  manifest: Manifest;
  /** Folders with the previous data. */
  aside: string[];
};

/**
 * Replaces the data in DATA_DIR by a backup. Nothing is touched before everything was copied and verified. After a
 * kill at any point it starts over when run again, and no service starts in between.
 *
 * @throws LaunchError when a service runs on DATA_DIR, or the backup is damaged
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const manifest = await readManifest(options.from);
  if (manifest.postgres !== POSTGRES_MAJOR)
    throw new LaunchError(`the backup was made by PostgreSQL ${manifest.postgres}, not ${POSTGRES_MAJOR}`);
  createDataDir(options.dataDir);
  const lock = await takeDataDir(options.dataDir);
  try {
    const dataDir = realpathSync(options.dataDir);
    return await restoreInto(dataDir, manifest, options);
  } finally {
    lock.release();
  }
}

async function takeDataDir(dataDir: string): Promise<Lock> {
  const lock = await takeLock(dataDir);
  const refuse = (pid: number): never => {
    throw new LaunchError(`process ${pid} runs on ${dataDir}: stop it first (kill ${pid}), then run this again`);
  };
  if ('holder' in lock) return refuse(lock.holder);
  if (lock.leftover === undefined) return lock;
  // Not released: the next start has to know about it too.
  lock.noteService(lock.leftover);
  return refuse(lock.leftover);
}

async function restoreInto(dataDir: string, manifest: Manifest, options: RestoreOptions): Promise<Restored> {
  const { signal, log, above } = options;
  const place = findPlace(dataDir, defaultHomes, log);
  const workshop = workshopIn(dataDir, place);
  try {
    await build(manifest, options, place, workshop);
    await stopLiving(place.cluster);
    signal.throwIfAborted();
    const swap = await Swap.begin(dataDir, place);
    await swap.putInPlace(workshop);
    const reached = await readReached(dataDir);
    log('replaying the log of the backup');
    const database = await startPostgres({ dataDir, log, readyWithinMs: RECOVERED_WITHIN_MS });
    let rewound: Rewound;
    try {
      signal.throwIfAborted();
      rewound = await rewind(database.url, { log, above: Math.max(above, reached), alone: true });
    } finally {
      await database.stop(STOP_WITHIN_MS);
    }
    await writeReached(dataDir, rewound.generation);
    await rm(join(dataDir, LOG_POSITION), { force: true });
    await swap.finish();
    return { ...rewound, manifest, aside: swap.aside };
  } finally {
    for (const folder of Object.values(workshop)) await rm(folder, { recursive: true, force: true });
  }
}

/** Copies the backup, and rejects it when a byte differs. */
async function build(
  manifest: Manifest,
  { from, signal }: RestoreOptions,
  { account }: Place,
  workshop: Workshop,
): Promise<void> {
  for (const folder of Object.values(workshop)) await rm(folder, { recursive: true, force: true });
  using progress = showProgress('restore', bytesOf(manifest));
  const advanced = (bytes: number): void => progress.advanced(bytes);
  const inCluster = new FileCopy({ signal, account, advanced });
  const beside = new FileCopy({ signal, advanced });
  const placeOf = (path: string): string =>
    path === 'postgres' || path.startsWith('postgres/')
      ? `${workshop.cluster}${path.slice('postgres'.length)}`
      : join(workshop.files, path);
  await beside.folder(workshop.files);
  for (const path of manifest.folders) await inCluster.folder(placeOf(path));
  for (const { path, size, sha256 } of manifest.files) {
    const copy = path.startsWith('postgres/') ? inCluster : beside;
    const sum = await copy.copy(join(from, path), placeOf(path));
    if (!sum) throw new LaunchError(`the backup in ${from} is damaged: ${path} is missing`);
    if (sum.size !== size || sum.sha256 !== sha256)
      throw new LaunchError(`the backup in ${from} is damaged: ${path} is not as it was written`);
  }
  for (const { path, target } of manifest.links) await symlink(target, placeOf(path));
  for (const path of manifest.folders) await syncFolder(placeOf(path));
}

/**
 * Two restores of one backup must not start the same generation twice, and the restored database does not know of the
 * first: so the generation is stored beside it.
 */
async function readReached(dataDir: string): Promise<number> {
  const file = join(dataDir, REACHED);
  return existsSync(file) ? Number.parseInt(await readFile(file, 'utf8'), 10) || 0 : 0;
}

async function writeReached(dataDir: string, generation: number): Promise<void> {
  const file = join(dataDir, REACHED);
  await writeFile(`${file}.new`, `${generation}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  await syncFolder(dataDir);
}
