import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { cached } from '../../test/services/cache.ts';
import { findProgram } from '../../test/services/debian.ts';

/** Version of schemathesis that is installed when there is none on the PATH. */
const VERSION = '4.32.5';

/**
 * schemathesis: the one on the PATH, else one in a folder of its own outside of the repository, installed at the first
 * call as pip's own settings say where packages come from.
 *
 * @throws Error with what is missing
 */
export function findSchemathesis(): string {
  const installed = findProgram('schemathesis');
  if (installed !== undefined) return installed;
  const folder = cached(`schemathesis-${VERSION}`);
  const program = join(folder, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  const python = findProgram('python3');
  if (python === undefined) throw new Error('schemathesis runs on Python 3, which is not on the PATH');
  console.log(`installing schemathesis ${VERSION} in ${folder}`);
  run(python, ['-m', 'venv', folder]);
  run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', `schemathesis==${VERSION}`]);
  return program;
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
