import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { findProgram } from '../../test/services/debian.ts';
import { cachedK6, findK6, K6_MODULE, K6_VERSION } from './program.ts';

/**
 * `npm run k6:install`: builds k6 from its Go module, as Go's own settings say where modules come from. A module of
 * our own is built rather than `go install` run, which needs more than module proxies have.
 */
function install(): void {
  const found = findK6();
  if (found !== undefined) {
    console.log(`${found} is there already`);
    return;
  }
  const go = findProgram('go');
  if (go === undefined) throw new Error('k6 is built with Go, which is not on the PATH; install either of them');
  const target = cachedK6();
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-k6-'));
  try {
    writeFileSync(join(folder, 'go.mod'), `module k6-build\n\ngo 1.25\n\nrequire ${K6_MODULE} v${K6_VERSION}\n`);
    console.log(`building k6 ${K6_VERSION}, which takes a minute or two`);
    const built = join(folder, 'k6');
    const { status } = spawnSync(go, ['build', '-mod=mod', '-o', built, K6_MODULE], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (status !== 0) throw new Error(`go build ended with ${status}`);
    keep(built, target);
    console.log(target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Renamed into place when complete, since two may build at the same time; the cache may be another file system. */
function keep(built: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  const beside = `${target}.${process.pid}`;
  copyFileSync(built, beside);
  renameSync(beside, target);
}

try {
  install();
} catch (error) {
  console.error(`k6:install: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
