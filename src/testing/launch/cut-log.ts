import { closeSync, ftruncateSync, openSync, readdirSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A place in the log of PostgreSQL. */
export type LogPlace = { file: string; offset: number };

const SEGMENT_BYTES = 16 * 2 ** 20;
const LOG_FILE = /^[0-9A-F]{24}$/;

/** Takes the rest of the log away behind a place, as a disk does that lost what it had confirmed. */
export function cutLog(dataDir: string, { file, offset }: LogPlace, how: 'truncated' | 'zeroed'): void {
  const folder = join(realpathSync(join(dataDir, 'postgres')), 'pg_wal');
  const log = openSync(join(folder, file), 'r+');
  if (how === 'truncated') ftruncateSync(log, offset);
  else writeSync(log, Buffer.alloc(SEGMENT_BYTES - offset), 0, SEGMENT_BYTES - offset, offset);
  closeSync(log);
  for (const name of readdirSync(folder)) if (LOG_FILE.test(name) && name > file) rmSync(join(folder, name));
}
