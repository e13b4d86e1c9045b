import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { runCommand } from '../platform/backup/command.ts';
import { restoreBackup } from '../platform/backup/restore-backup.ts';
import { rewind } from '../platform/backup/rewind.ts';
import { SECRETS } from '../platform/backup/state-files.ts';
import { LaunchError } from '../platform/launch/launch-error.mjs';

const USAGE =
  'npm run restore -- --from <backup> for the embedded database; npm run restore -- --recovered for a server of ' +
  'your own, named in DATABASE_URL, after its tools have recovered it';

/**
 * `npm run restore -- --from <folder>`: replaces the content of DATA_DIR by a backup. `-- --recovered`: only the last
 * step, for a server that was recovered by other means. Both start a new generation of every property.
 */
await runCommand(async (signal) => {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      recovered: { type: 'boolean', default: false },
      above: { type: 'string', default: '0' },
    },
  });
  const { DATABASE_URL, DATA_DIR, INIT_CWD } = process.env;
  const { from, recovered } = values;
  if (!/^\d{1,9}$/.test(values.above)) throw new LaunchError('--above is the highest generation so far, a number');
  const above = Number(values.above);
  const log = (line: string): void => console.error(`innkeeper: ${line}`);
  if (recovered && from === undefined && DATABASE_URL) {
    report(await rewind(DATABASE_URL, { log, above, alone: false }));
    console.log('  next: start the service');
    return 0;
  }
  if (recovered || from === undefined || !DATA_DIR) throw new LaunchError(USAGE);
  if (DATABASE_URL)
    throw new LaunchError(`DATABASE_URL names a server of your own, which its own tools restore: ${USAGE}`);
  const folder = resolve(INIT_CWD ?? '.', from);
  const restored = await restoreBackup({ from: folder, dataDir: DATA_DIR, above, signal, log });
  const { manifest, aside } = restored;
  console.log(`restored to ${manifest.madeAt} from ${folder}`);
  for (const before of aside) console.log(`  what was here before lies in ${before}`);
  report(restored);
  if (!manifest.files.some(({ path }) => path === SECRETS))
    console.log('  the backup has no keys: start with the SECRET_KEYS of then, or no guest can be read');
  console.log('  next: npm start');
  return 0;
});

function report({ properties, generation }: { properties: number; generation: number }): void {
  console.log(`  ${properties} properties go on in generation ${generation}: whoever watched them gets a snapshot`);
}
