import { spawn } from 'node:child_process';

import { loadedBy, ROOT, testFiles, wayToPrograms } from './needs.ts';
import { runTap } from './tap.ts';

/**
 * Every test file that starts no other program: `npm run test:fast`. As CI runs them, many in one process; with
 * arguments for tap by tap, in a process for each file. `--list` says why a file is not one of them.
 */
const args = process.argv.slice(2);
const files = testFiles();
const loaded = await loadedBy(files);
const ways = new Map(files.map((file) => [file, wayToPrograms(loaded, file)]));
const fast = files.filter((file) => ways.get(file) === undefined);

if (args.includes('--list')) for (const file of files) console.log(ways.get(file)?.join(' > ') ?? file);
else if (args.length === 0) {
  const asInCi = ['--import', './src/platform/launch/strip-types.mjs', 'test/loop/ci.ts', 'fast'];
  const child = spawn(process.execPath, asInCi, { cwd: ROOT, stdio: 'inherit' });
  child.once('exit', (code) => (process.exitCode = code ?? 1));
} else {
  console.error(`test:fast: ${fast.length} of ${files.length} files; the others start programs (--list says which)`);
  runTap([...args, ...fast]);
}
