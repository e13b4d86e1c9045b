import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { SealedText } from '../kernel/operations/sealed-text.ts';
import { runCommand } from '../platform/backup/command.ts';
import { ConfigError, loadContingencyKeys } from '../platform/config/config.ts';
import { LaunchError } from '../platform/launch/launch-error.mjs';
import { openPack } from '../revenue/operations/seal-contingency.ts';
import { type ContingencyPack, contingencyText } from '../revenue/rules/contingency.ts';

/**
 * `npm run contingency -- <file>`: prints a contingency pack. Needs only the file and CONTINGENCY_KEYS, no running
 * service (docs/guide/backup.md#contingency-pack).
 */
await runCommand(async () => {
  const [file, ...others] = process.argv.slice(2);
  if (file === undefined || file.startsWith('-') || others.length > 0)
    throw new LaunchError('npm run contingency -- <file>');
  const keys = keysOf(process.env);
  const text = readFileSync(resolve(process.env.INIT_CWD ?? '.', file), 'utf8');
  process.stdout.write(contingencyText(opened(keys, text)));
  return 0;
});

function keysOf(env: NodeJS.ProcessEnv): SealedText {
  try {
    const keys = loadContingencyKeys(env);
    if (keys.length > 0) return new SealedText(keys.map(({ id, key }) => ({ id, secret: key })));
  } catch (error) {
    if (error instanceof ConfigError) throw new LaunchError(error.message);
    throw error;
  }
  throw new LaunchError('set CONTINGENCY_KEYS, with which the service has written it');
}

function opened(keys: SealedText, text: string): ContingencyPack {
  try {
    return openPack(keys, text);
  } catch (error) {
    // GCM only reports that authentication failed.
    const why = error instanceof Error ? error.message : String(error);
    throw new LaunchError(`it is no contingency pack under these CONTINGENCY_KEYS, or was changed: ${why}`);
  }
}
