import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'tap';

/** @returns exit code and output of a tool */
async function run(tool: string, ...args: string[]): Promise<[number, string]> {
  const flags = ['--import', './src/platform/launch/strip-types.mjs', join(import.meta.dirname, tool, 'main.ts')];
  const child = spawn(process.execPath, [...flags, ...args]);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return [code, output];
}

void test('a run of nothing, or of a name that is none, begins not and cannot be taken for one that held', async (t) => {
  const wrong = [
    ['proof', 'kills', '--kills', '0'],
    ['soak', '--nodes', '0'],
    ['soak', 'rounds', '--nodes', '1.5'],
    ['fuzz', 'api', '--services', 'rates,nothing'],
    ['fuzz', 'api', '--roles', 'KING'],
  ] as const;
  for (const [tool, ...args] of wrong) {
    const [code, output] = await run(tool, ...args);
    t.equal(code, 1, args.join(' '));
    t.match(output, /error: option .* is invalid/);
  }
});
