import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { findProgram } from '../../test/services/debian.ts';
import { cachedGoProgram, CENTRIFUGO, findGoProgram, K6 } from './go-program.ts';

/**
 * `npm run k6:install` and `npm run centrifugo:install`: builds a program from its Go module, as Go's own settings say
 * where modules come from. A module of our own is built rather than `go install` run, which needs more than module
 * proxies have.
 */
function install(wanted: string | undefined): void {
  const program = [K6, CENTRIFUGO].find(({ name }) => name === wanted);
  if (program === undefined) throw new Error(`${wanted} is none of k6 and centrifugo`);
  const { name, module, version } = program;
  const found = findGoProgram(program);
  if (found !== undefined) {
    console.log(`${found} is there already`);
    return;
  }
  const go = findProgram('go');
  if (go === undefined) throw new Error(`${name} is built with Go, which is not on the PATH; install either of them`);
  const target = cachedGoProgram(program);
  const folder = mkdtempSync(join(tmpdir(), `innkeeper-${name}-`));
  try {
    writeFileSync(join(folder, 'go.mod'), `module ${name}-build\n\ngo 1.25\n\nrequire ${module} v${version}\n`);
    console.log(`building ${name} ${version}, which takes some minutes`);
    const built = join(folder, name);
    const { status } = spawnSync(go, ['build', '-mod=mod', '-o', built, module], {
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

const [name] = process.argv.slice(2);
try {
  install(name);
} catch (error) {
  console.error(`${name}:install: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
