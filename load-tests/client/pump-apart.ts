import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { STRIP_TYPES } from '../runtime-command.ts';
import type { Load, LoadReport } from './pump.ts';

const PROGRAM = fileURLToPath(new URL('pump-process.ts', import.meta.url));

/**
 * Runs a load in a process of its own, so that the client's work is not done by the process that starts servers and
 * prints figures.
 * @throws Error with the client's output when it failed
 */
export function pumpApart(load: Load): Promise<LoadReport> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', STRIP_TYPES, PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve(JSON.parse(output));
      else reject(new Error(`the load client ended with ${code}`));
    });
    child.stdin.end(JSON.stringify(load));
  });
}
