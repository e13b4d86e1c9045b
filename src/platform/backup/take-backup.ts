import { existsSync } from 'node:fs';
import { mkdir, readdir, realpath, rename, rm, statfs, symlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

import { isDiskFullError } from '../config/write-whole.ts';
import { LaunchError } from '../launch/launch-error.mjs';
import { BaseBackup } from './base-backup.ts';
import { listCluster } from './cluster-files.ts';
import { FileCopy, syncFolder } from './file-copy.ts';
import { bytesOf, type Manifest, sealManifest } from './manifest.ts';
import { showProgress } from './progress.ts';
import { STATE_FILES } from './state-files.ts';

/** Suffix of a folder left by a killed backup. */
const UNFINISHED = '.unfinished';

type BackupOptions = {
  /** Connection string of a superuser of the embedded database. */
  databaseUrl: string;
  dataDir: string;
  /** Folder to create. */
  to: string;
  signal: AbortSignal;
};

/** Default folder of backups in DATA_DIR. */
export const backupsOf = (dataDir: string): string => join(dataDir, 'backups');

/**
 * Copies the embedded database and its state files into a new folder, while it is in use. The folder appears by a
 * rename, complete and durable, or not at all.
 *
 * @returns its content
 * @throws LaunchError when the folder exists, lies inside the database, or another backup runs
 */
export async function takeBackup({ databaseUrl, dataDir, to, signal }: BackupOptions): Promise<Manifest> {
  if (existsSync(to)) throw new LaunchError(`${to} is there already: name another folder`);
  await using base = await BaseBackup.begin(databaseUrl);
  const parent = dirname(to);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  if (`${await realpath(parent)}${sep}`.startsWith(`${base.cluster}${sep}`))
    throw new LaunchError(`${to} lies inside of the database: name a folder elsewhere`);
  const unfinished = `${to}${UNFINISHED}`;
  await removeUnfinished(unfinished, backupsOf(dataDir));
  try {
    const manifest = await copyAll({ base, dataDir, unfinished, signal });
    await rename(unfinished, to);
    await syncFolder(parent);
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (isDiskFullError(error)) throw new LaunchError(`no backup was made: the disk of ${parent} is full`);
    throw error;
  }
}

/**
 * Before hours of copying. The log is not counted, and others write too: a disk may still fill up on the way.
 * @throws LaunchError
 */
async function refuseLittleRoom(folder: string, bytes: number): Promise<void> {
  const parent = dirname(folder);
  const { bavail, bsize } = await statfs(parent);
  if (bavail * bsize >= bytes) return;
  const [needed, free] = [bytes, bavail * bsize].map((one) => `${Math.ceil(one / 1e6)} MB`);
  throw new LaunchError(`no backup was made: it needs ${needed}, and ${free} are free in ${parent}`);
}

/** No other process works on them: one backup of a database runs at a time. */
async function removeUnfinished(mine: string, backups: string): Promise<void> {
  const names = existsSync(backups) ? await readdir(backups) : [];
  const left = names.filter((name) => name.endsWith(UNFINISHED)).map((name) => join(backups, name));
  for (const folder of [mine, ...left]) await rm(folder, { recursive: true, force: true });
}

type Work = { base: BaseBackup; dataDir: string; unfinished: string; signal: AbortSignal };

async function copyAll({ base, dataDir, unfinished, signal }: Work): Promise<Manifest> {
  const listed = await listCluster(base.cluster);
  const external = listed.links.find(({ path }) => path.startsWith('pg_tblspc/'));
  if (external) throw new LaunchError(`tablespaces are not copied, and there is one in ${external.target}`);
  await refuseLittleRoom(unfinished, bytesOf(listed));
  using progress = showProgress('backup', bytesOf(listed));
  const copy = new FileCopy({ signal, advanced: (bytes) => progress.advanced(bytes) });
  const growing = new Growing(copy, unfinished);
  const folders = ['postgres', ...listed.folders.map(inCluster)];
  for (const folder of ['.', ...folders]) await copy.folder(join(unfinished, folder));
  for (const { path } of listed.files) await growing.addUnlessGone(join(base.cluster, path), inCluster(path));
  const madeAt = new Date().toISOString();
  const { start, stop, label, tablespaceMap, segments } = await base.end();
  const logs = segments.map((name) => `pg_wal/${name}`);
  for (const path of logs) await growing.add(join(base.cluster, path), inCluster(path));
  await growing.addText(label, inCluster('backup_label'));
  if (tablespaceMap !== '') await growing.addText(tablespaceMap, inCluster('tablespace_map'));
  // After the end: the provider's ledger must have every charge that the database knows of.
  for (const name of STATE_FILES) await growing.addUnlessGone(join(dataDir, name), name);
  const links = listed.links.map(({ path, target }) => ({ path: inCluster(path), target }));
  for (const { path, target } of links) await symlink(target, join(unfinished, path));
  const { files } = growing;
  const manifest: Manifest = { format: 1, madeAt, postgres: base.version, start, stop, folders, links, files };
  const { name, text } = sealManifest(manifest);
  await copy.write(text, join(unfinished, name));
  for (const folder of ['.', ...folders]) await syncFolder(join(unfinished, folder));
  return manifest;
}

/** A backup has the layout of DATA_DIR. */
const inCluster = (path: string): string => `postgres/${path}`;

/** A backup in progress, which records its content. */
class Growing {
  readonly files: Manifest['files'] = [];
  readonly #copy: FileCopy;
  readonly #folder: string;

  constructor(copy: FileCopy, folder: string) {
    this.#copy = copy;
    this.#folder = folder;
  }

  async add(from: string, path: string): Promise<void> {
    if (!(await this.addUnlessGone(from, path)))
      throw new Error(`${from} was removed during the backup, which needs it`);
  }

  /** @returns whether the file existed */
  async addUnlessGone(from: string, path: string): Promise<boolean> {
    const sum = await this.#copy.copy(from, join(this.#folder, path));
    if (sum) this.files.push({ path, ...sum });
    return sum !== undefined;
  }

  async addText(text: string, path: string): Promise<void> {
    this.files.push({ path, ...(await this.#copy.write(text, join(this.#folder, path))) });
  }
}
