import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { cpus, release, totalmem, type as systemName } from 'node:os';
import { resolve } from 'node:path';

/** The machine of a report, without its load. */
export type MachineFacts = { processor: string; cores: number; memoryBytes: number; system: string };

export function machineFacts(): MachineFacts {
  return {
    processor: cpus()[0]?.model ?? 'unknown processor',
    cores: cpus().length,
    memoryBytes: totalmem(),
    system: `${systemName()} ${release()}`,
  };
}

/** The commit of the checkout, and whether it has changes. */
export function commitNow(): string {
  try {
    const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}

/** Before a run of an hour, and not after it. @throws Error of the file system */
export function mustBeWritable(folder: string): void {
  const to = resolve(folder);
  mkdirSync(to, { recursive: true });
  accessSync(to, constants.W_OK);
}
