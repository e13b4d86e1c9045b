import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { runCommand } from '../platform/backup/command.ts';
import { bytesOf } from '../platform/backup/manifest.ts';
import { SECRETS } from '../platform/backup/state-files.ts';
import { backupsOf, takeBackup } from '../platform/backup/take-backup.ts';
import { LaunchError } from '../platform/launch/launch-error.mjs';

/**
 * `npm run backup [-- --to <folder>]`: copies the embedded database, also while the service uses it, with its keys and
 * ledgers. The launcher has found or started the database and set DATABASE_URL.
 */
await runCommand(async (signal) => {
  const { values } = parseArgs({ options: { to: { type: 'string' } } });
  const { DATABASE_URL, DATA_DIR, INIT_CWD, INNKEEPER_EMBEDDED_POSTGRES, SECRET_KEYS } = process.env;
  if (!DATABASE_URL || !DATA_DIR || !INNKEEPER_EMBEDDED_POSTGRES) throw new LaunchError('run it as npm run backup');
  const began = new Date();
  const name = began.toISOString().replace(/\..*/, '').replaceAll(':', '-');
  // npm changes into the project folder, but a path is relative to the user's folder.
  const to = values.to ? resolve(INIT_CWD ?? '.', values.to) : join(backupsOf(DATA_DIR), name);
  const { files } = await takeBackup({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR, to, signal });
  const seconds = ((Date.now() - began.getTime()) / 1000).toFixed(1);
  console.log(`backup in ${to}`);
  console.log(`  ${files.length} files, ${Math.ceil(bytesOf({ files }) / 1e6)} MB, ${seconds} s`);
  console.log('  it holds keys and guests: keep it where only you can read it, and not on this disk alone');
  if (SECRET_KEYS || !files.some(({ path }) => path === SECRETS))
    console.log('  SECRET_KEYS are not in it: keep those that the service runs with too, or no guest can be read');
  return 0;
});
