import type { Dirent } from 'node:fs';
import { opendir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Content of a data directory; paths are relative to it. */
type ClusterFiles = {
  folders: string[];
  links: { path: string; target: string }[];
  files: { path: string; size: number }[];
};

/** Folders whose content a server creates anew. The log is copied separately, afterwards. */
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

const LEFT_OUT = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'backup_label',
  'backup_label.old',
  'tablespace_map',
  'tablespace_map.old',
  'backup_manifest',
  'postgresql.auto.conf.tmp',
]);

/** Temporary files and relations, and a cache that a server would trust. */
const PASSING = /^(pgsql_tmp|pg_internal\.init|t\d+_\d+([._]|$))/;

/** Written at the end of each checkpoint, so it is copied last. */
const LAST = 'global/pg_control';

/**
 * Lists the files of a base backup, also while a server changes them: later changes are in the log.
 *
 * @param cluster absolute
 */
export async function listCluster(cluster: string): Promise<ClusterFiles> {
  const found: ClusterFiles = { folders: [], links: [], files: [] };
  await list(cluster, '', found);
  const control = found.files.findIndex(({ path }) => path === LAST);
  if (control >= 0) found.files.push(...found.files.splice(control, 1));
  return found;
}

async function list(cluster: string, folder: string, found: ClusterFiles): Promise<void> {
  const entries = await unlessGone(opendir(join(cluster, folder)));
  if (!entries) return;
  for await (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (LEFT_OUT.has(path) || PASSING.test(entry.name)) continue;
    if (EMPTIED.has(path)) found.folders.push(path);
    else await note(cluster, path, entry, found);
  }
}

async function note(cluster: string, path: string, entry: Dirent, found: ClusterFiles): Promise<void> {
  const full = join(cluster, path);
  if (entry.isSymbolicLink()) {
    const target = await unlessGone(readlink(full));
    if (target !== undefined) found.links.push({ path, target });
  } else if (entry.isDirectory()) {
    found.folders.push(path);
    await list(cluster, path, found);
  } else if (entry.isFile()) {
    const size = (await unlessGone(stat(full)))?.size;
    if (size !== undefined) found.files.push({ path, size });
  }
}

/** A server removes files of dropped tables at any time. */
export async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
