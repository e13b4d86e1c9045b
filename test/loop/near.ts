import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { loadedBy, nearestTo, ROOT, testFiles, wayToPrograms } from './needs.ts';

/** Test files that one run plays: they take a few seconds together. */
const MAX_FILES = 12;

/** Runs the fast tests nearest to a source file: `npm run test:near -- <file>`. Those that start programs are named. */
const wanted = relative(ROOT, resolve(process.argv[2] ?? ''));

if (process.argv[2] === undefined || !existsSync(join(ROOT, wanted))) {
  console.error(process.argv[2] === undefined ? 'npm run test:near -- <file>' : `test:near: there is no ${wanted}`);
  process.exitCode = 2;
} else {
  const files = testFiles();
  const loaded = await loadedBy(files);
  const all = nearestTo(loaded, wanted, files);
  const fast = all.filter((file) => wayToPrograms(loaded, file) === undefined);
  const near = fast.slice(0, MAX_FILES);
  const others = all.filter((file) => !fast.includes(file)).slice(0, MAX_FILES);
  console.error(`test:near: ${near.length} of ${fast.length} fast files that load ${wanted}, nearest first`);
  if (others.length > 0) console.error(`test:near: for npm run test:one, nearest first: ${others.join(' ')}`);
  if (all.length === 0)
    console.error('test:near: no test loads it at run time; the compiler and the black box see it');
  if (near.length > 0) {
    const together = ['--import', './src/platform/launch/strip-types.mjs', 'test/loop/together.ts'];
    const child = spawn(process.execPath, [...together, '--jobs=2', ...near], { cwd: ROOT, stdio: 'inherit' });
    child.once('exit', (code) => (process.exitCode = code ?? 1));
  }
}
