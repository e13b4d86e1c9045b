import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { loadedBy, nearestTo, ROOT, testFiles, wayToPrograms } from './needs.ts';
import { Tally } from './tally.ts';

/** Test files that one run plays: they take a few seconds together. */
const MAX_FILES = 12;

/**
 * Runs the fast tests nearest to a source file: `npm run test:near -- <file>`. Prints what fails and names it at the
 * end; tests that start programs are named for `npm run test:one`.
 */
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
    const child = spawn(process.execPath, [...together, '--jobs=2', ...near], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close') as Promise<[number | null]>;
    const tally = new Tally();
    for await (const line of createInterface(child.stdout)) if (tally.shows(line)) console.log(line);
    const [code] = await ended;
    tally.close(code ?? 1, true);
    for (const failure of tally.failures) console.log(`FAILED ${failure}`);
    const { passed, failed, files: count } = tally.counts;
    console.log(`${passed} tests passed, ${failed} failed, in ${count} files`);
    process.exitCode = code ?? 1;
  }
}
