import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';

import { bundleDashboard } from './dashboard.mjs';

/** In the project, as the page is: inputs are named from there. */
const root = join(import.meta.dirname, '../../..');

function sourceOf(t: Test, text: string): { source: string; into: string; cache: string } {
  const source = mkdtempSync(join(root, 'node_modules', '.cache', 'page-'));
  t.teardown(() => rmSync(source, { recursive: true, force: true }));
  writeFileSync(join(source, 'tsconfig.json'), '{}');
  writeFileSync(join(source, 'words.ts'), `export const words = '${text}';`);
  writeFileSync(join(source, 'main.tsx'), `import { words } from './words.ts'; console.log(words, '${source}');`);
  writeFileSync(join(source, 'index.html'), '<title>Page</title>');
  return { source, into: join(source, 'made'), cache: join(source, 'cache') };
}

const madeOf = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]));

/** The script has a hash of its content in its name. */
const scriptOf = (folder: string): string =>
  join(folder, readdirSync(folder).find((name) => /^main-[0-9A-Z]{8}\.js$/.test(name)) ?? 'no script');

t.test('a page of the same sources is copied, and is the same', async (t) => {
  const { source, into, cache } = sourceOf(t, 'first');
  await bundleDashboard(into, source, cache);
  const made = madeOf(into);
  t.ok(made['index.html']);
  const stored = readdirSync(cache).find((name) => name !== 'inputs.json')!;
  t.same(madeOf(join(cache, stored)), made);
  // Only a copy has this.
  writeFileSync(scriptOf(join(cache, stored)), 'copied');
  rmSync(into, { recursive: true });
  await bundleDashboard(into, source, cache);
  t.equal(readFileSync(scriptOf(into), 'utf8'), 'copied');
});

t.test('a change of any source is in the page of the next start', async (t) => {
  const { source, into, cache } = sourceOf(t, 'before');
  await bundleDashboard(into, source, cache);
  writeFileSync(join(source, 'words.ts'), `export const words = 'after';`);
  writeFileSync(join(source, 'index.html'), '<title>Changed</title>');
  await bundleDashboard(into, source, cache);
  t.match(readFileSync(scriptOf(into), 'utf8'), /after/);
  t.match(readFileSync(join(into, 'index.html'), 'utf8'), /Changed/);
});

t.test('a file that the page begins to import is in the next one, and parts of the old page are gone', async (t) => {
  const { source, into, cache } = sourceOf(t, 'before');
  await bundleDashboard(into, source, cache);
  writeFileSync(join(into, 'chunk-OLD.js'), '');
  writeFileSync(join(source, 'more.ts'), `export const more = 'imported';`);
  writeFileSync(join(source, 'main.tsx'), `import { more } from './more.ts'; console.log(more);`);
  await bundleDashboard(into, source, cache);
  t.match(readFileSync(scriptOf(into), 'utf8'), /imported/);
  writeFileSync(join(source, 'more.ts'), `export const more = 'changed';`);
  await bundleDashboard(into, source, cache);
  t.match(readFileSync(scriptOf(into), 'utf8'), /changed/);
  t.notOk(readdirSync(into).includes('chunk-OLD.js'));
});

t.test('what cannot be bundled is no page, also the next time', async (t) => {
  const { source, into, cache } = sourceOf(t, 'fine');
  writeFileSync(join(source, 'main.tsx'), `import './missing.ts';`);
  await t.rejects(bundleDashboard(into, source, cache), /could not be bundled/);
  await t.rejects(bundleDashboard(into, source, cache), /could not be bundled/);
});
