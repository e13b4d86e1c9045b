import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import t from 'tap';

import { anchorsOf, ROOT, texts } from './pages.ts';

const CODE = /\.(?:ts|tsx|mts|mjs|js|sql|css|html|svg|yml|conf|py|json|avsc|md)$|^\.ci\/run$|^\.taprc$/;
const COMMENT_LINE = /^\s*(?:\/?\*|\/\/|--|#)/;
/** A page and the anchor of a heading, as one word: a wrapped comment does not divide it, and an editor opens it. */
const CITATION = /(?<![\w./-])((?:docs\/[\w/-]+|ops\/README|[A-Z]{6,})\.md)(?:#([\p{L}\w-]+))?/gu;
/** Papers that are not in the repository, and numbers that nobody can look up in it. */
const OTHERS = [
  /\b(?:contracts(?:-2)?|architecture|vocabulary|pages|style|stack)\.md\b/,
  /\bthe\s+specification\b|\bspecification(?:'s\b|,?\s+(?:section\s+)?\d)/i,
  /\bissues?\s+\d|\bissue\s+of\s+the\b/i,
  /\bdesign\s+card\b/i,
];

/** Not read: what is in them comes and goes while tests run. */
const OTHER_FOLDERS = new Set(['node_modules', '.git', '.data', '.tap']);

const files = readdirSync(ROOT, { withFileTypes: true })
  .filter(({ name }) => !OTHER_FOLDERS.has(name))
  .flatMap((entry) =>
    entry.isDirectory() ? readdirSync(join(ROOT, entry.name), { recursive: true, withFileTypes: true }) : [entry],
  )
  .filter((entry) => entry.isFile())
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  .filter((file) => CODE.test(file) && !/\/node_modules\/|^package-lock/.test(file));
const isPage = (file: string): boolean => file.endsWith('.md');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Citations of the comments of a file that lead to no heading. */
function lost(file: string): string[] {
  return read(file)
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(CITATION)]
        .filter(([, page = '', anchor]) =>
          anchor === undefined ? COMMENT_LINE.test(line) : !(texts.has(page) && anchorsOf(page).has(anchor)),
        )
        .map(([citation]) => `${file}:${index + 1}: ${citation}`),
    );
}

void t.test('every citation in a comment leads to a heading of a page', async (t) => {
  const sources = files.filter((file) => !isPage(file));
  const cited = sources.filter((file) => read(file).search(CITATION) !== -1);
  t.ok(cited.length > 300, 'citations are found');
  t.same(sources.flatMap(lost), []);
});

void t.test('nothing cites what is not in the repository', async (t) => {
  const foreign = files
    .filter((file) => !file.startsWith('docs/') && file !== 'CHANGELOG.md')
    .flatMap((file) => {
      const text = read(file).replaceAll(/\n\s*(?:\*|\/\/|--|#)(?!\/)/g, ' ');
      return OTHERS.map((form) => form.exec(text)?.[0]).flatMap((found) => (found ? [`${file}: ${found}`] : []));
    });
  t.same(foreign, []);
});
