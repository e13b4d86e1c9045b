import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './needs.ts';

/**
 * Runs tap as `npm test` does, and ends this process with its exit code.
 * @param before a command that runs tap, such as the one that starts services
 */
export function runTap(args: readonly string[], before: readonly string[] = []): void {
  // By its file: a shell would take quotes out of an argument.
  const tap = [process.execPath, join(ROOT, 'node_modules/tap/dist/esm/run.mjs'), '--disable-coverage', ...args];
  const [program = '', ...rest] = [...before, ...tap];
  const child = spawn(program, rest, { cwd: ROOT, stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    throw error;
  });
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
