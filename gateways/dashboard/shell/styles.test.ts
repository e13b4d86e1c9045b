import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import t from 'tap';

const ROOT = join(import.meta.dirname, '..');
/** A rule that draws a class wherever it occurs: all workspaces share one style sheet. */
const OF_CLASS = /^\.([\w-]+) \{$/gm;

t.test('a class is drawn by one workspace only: another one that uses its name would get its look', async (t) => {
  const foldersOf = new Map<string, Set<string>>();
  for (const file of readdirSync(ROOT, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.css')) continue;
    const folder = file.includes(sep) ? file.split(sep)[0]! : '';
    for (const [, name = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(OF_CLASS))
      foldersOf.set(name, (foldersOf.get(name) ?? new Set()).add(folder));
  }
  t.ok(foldersOf.size > 100);
  // The grid has its colours from the notes of a night.
  const shared = [...foldersOf].filter(([name, folders]) => folders.size > 1 && name !== 'scroller');
  t.strictSame(
    shared.map(([name]) => name),
    [],
  );
});
