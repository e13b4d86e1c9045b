import { spawn } from 'node:child_process';
import { join } from 'node:path';

import type { Part } from '../services/parts.ts';
import { ROOT } from './needs.ts';

/** The command, with parts started before and ended after it. */
export function withParts(command: readonly string[], parts: readonly Part[]): string[] {
  return parts.length === 0
    ? [...command]
    : ['npm', 'run', '-s', 'services', '--', '--only', parts.join(','), '--', ...command];
}

/** Runs tap as `npm test` does, with parts if it needs some, and ends this process with its exit code. */
export function runTap(args: readonly string[], parts: readonly Part[] = []): void {
  // By its file: a shell would take quotes out of an argument.
  const tap = [process.execPath, join(ROOT, 'node_modules/tap/dist/esm/run.mjs'), '--disable-coverage', ...args];
  const [program = '', ...rest] = withParts(tap, parts);
  const child = spawn(program, rest, { cwd: ROOT, stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    throw error;
  });
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
