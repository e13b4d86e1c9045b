import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import t from 'tap';

import { environment } from '../src/platform/config/environment.ts';
import { anchorsOf, pages, proseOf, ROOT, texts } from './pages.ts';

const MAX_LINES = 300;
/** Lines of pages that a reader meets first. */
const FIRST_PAGES: Record<string, number> = { 'README.md': 130, 'ARCHITECTURE.md': 250 };
/** A page of few lines can still be long. */
const MAX_WORDS = 5_000;

const scripts = Object.keys(
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts,
);

/** Targets of links and pictures inside the repository. */
function linksOf(page: string): string[] {
  const prose = proseOf(page).replaceAll(/`[^`\n]*`/g, 'code');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/i.test(target));
}

function namedScripts(text: string): string[] {
  const run = [...text.matchAll(/\bnpm run (?:-s |--silent )?([a-z][a-z0-9:-]*)/g)].map(([, name = '']) => name);
  return [...run, ...[...text.matchAll(/\bnpm (start|test)\b/g)].map(([, name = '']) => name)];
}

void t.test('no page is too long to be read', async (t) => {
  t.ok(pages.length > 30);
  for (const page of pages) {
    const text = texts.get(page)!;
    t.ok(text.split('\n').length - 1 <= (FIRST_PAGES[page] ?? MAX_LINES), `${page} has too many lines`);
    t.ok(text.split(/\s+/).length <= MAX_WORDS, `${page} has too many words`);
  }
});

void t.test('every link leads to a file, and to a heading where it names one', async (t) => {
  const broken: string[] = [];
  for (const page of pages)
    for (const link of linksOf(page)) {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path));
      if (!existsSync(join(ROOT, target))) broken.push(`${page}: ${link}`);
      else if (anchor !== undefined && !(texts.has(target) && anchorsOf(target).has(anchor)))
        broken.push(`${page}: ${link} names no heading`);
    }
  t.same(broken, []);
});

void t.test('every page is linked from another one', async (t) => {
  const linked = new Set(
    pages.flatMap((page) =>
      linksOf(page).map((link) => relative(ROOT, resolve(ROOT, dirname(page), link.split('#')[0]!))),
    ),
  );
  t.same(
    pages.filter((page) => page !== 'README.md' && !page.startsWith('ops/runbook/') && !linked.has(page)),
    [],
  );
});

void t.test('every command that a page names is an npm script, and every npm script is described', async (t) => {
  const unknown = pages.flatMap((page) =>
    namedScripts(texts.get(page)!)
      .filter((name) => !scripts.includes(name))
      .map((name) => `${page}: npm run ${name}`),
  );
  t.same(unknown, []);
  const described = new Set(namedScripts(texts.get('docs/reference/commands.md')!));
  t.same(
    scripts.filter((name) => !described.has(name)),
    [],
  );
});

void t.test('every variable of the environment is described', async (t) => {
  const page = texts.get('docs/reference/configuration.md')!;
  t.same(
    Object.keys(environment.shape).filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
});

void t.test('every file that a page names is there', async (t) => {
  const named = /`((?:src|actors|gateways|migrations|load-tests|test|k6|ops|docs)\/[\w./-]+)`/g;
  const missing = pages.flatMap((page) =>
    [...texts.get(page)!.matchAll(named)]
      .map(([, file = '']) => file)
      .filter((file) => !existsSync(join(ROOT, file)))
      .map((file) => `${page}: ${file}`),
  );
  t.same(missing, []);
});

void t.test('pages use the words of the glossary, and none of those that it replaced', async (t) => {
  const retired = /\b(?:told|strangers?|houses?|yardstick|kept answers?|untold)\b/i;
  const used = pages.flatMap((page) =>
    proseOf(page)
      .replaceAll(/`[^`\n]*`/g, '')
      .split('\n')
      .filter((line) => retired.test(line.replaceAll(/\bin[ -]house\b/gi, '')))
      .map((line) => `${page}: ${line.slice(0, 100)}`),
  );
  t.same(used, []);
});
