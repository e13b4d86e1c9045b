import { spawn } from 'node:child_process';

export type Printed = { output: string; code: number | null };

/**
 * `npm run simulate` of the sources in a folder, as a process of its own: it plays at full speed there, whatever a test
 * runner hooks into its own process.
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
