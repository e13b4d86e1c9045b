import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { cached } from './cache.ts';
import { findProgram } from './debian.ts';

/**
 * Programs of Python packages, in a folder of their own outside of the repository, installed at the first call as pip's
 * own settings say where packages come from.
 * @param packages with their versions, `name==1.2.3`
 * @returns the folder of the programs
 * @throws Error with what is missing
 */
export function pythonPrograms(packages: readonly string[]): string {
  const folder = cached(packages.join('-').replaceAll('==', '-'));
  const programs = join(folder, 'bin');
  if (existsSync(folder)) return programs;
  const python = findProgram('python3');
  if (python === undefined) throw new Error(`${packages.join(' and ')} need Python 3, which is not on the PATH`);
  console.log(`installing ${packages.join(' and ')} in ${folder}`);
  try {
    run(python, ['-m', 'venv', folder]);
    run(join(programs, 'python'), ['-m', 'pip', 'install', '--quiet', ...packages]);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return programs;
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
