import { spawn } from 'node:child_process';

export type Printed = { output: string; code: number | null };

/**
 * Runs `npm run simulate` of the sources in a folder as a separate process, at full speed: hooks of a test runner do
 * not slow it down.
 */
export function runSimulate(root: string, args: readonly string[]): Promise<Printed> {
  const program = spawn(
    process.execPath,
    ['--import', './src/platform/launch/strip-types.mjs', 'actors/simulation/main.ts', ...args],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  program.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((done) => program.on('close', (code) => done({ output, code })));
}
