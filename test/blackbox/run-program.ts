import { spawn } from 'node:child_process';

import { STRIP_TYPES } from '../../load-tests/runtime-command.ts';

/** Runs a program of the repository with Node to its end. @returns its exit code, and all that it said */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; text: string }> {
  const child = spawn(process.execPath, ['--import', STRIP_TYPES, program, ...args], {
    // A service of tap's own would be watched, and would copy a template.
    env: { ...process.env, NODE_OPTIONS: '', TAP: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code: code ?? -1, text }));
  });
}
