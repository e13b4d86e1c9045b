import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import t from 'tap';
import ts from 'typescript';

import { ROOT } from './pages.ts';

/** Words that names do not have any more, each with the words of the glossary that stand for it. */
const RETIRED: Readonly<Record<string, string>> = {
  house: 'property',
  houses: 'properties',
  told: 'committed, published, notified, or a stamp',
  untold: 'pending, stale',
  tell: 'notify, report, publish',
  kept: 'stored, retained, idempotency record',
  tried: 'dry run',
  trial: 'dry run',
  trials: 'dry runs',
  refusal: 'DomainError, error, rejection',
  refusals: 'errors, rejections',
  verdict: 'outcome',
  verdicts: 'outcomes',
  waking: 'activation',
  awake: 'resident',
  asleep: 'passive',
  elsewhere: 'another owner, forwarding',
  sift: 'validateStoredRates, filterQuotes',
  unfit: 'invalid',
  lived: 'day by day',
  yardstick: 'row-lock baseline',
  yardsticks: 'scales',
  chronicle: 'history',
  kindly: 'drain',
};

/** Names that are a plain word elsewhere, and were the name of a thing here. */
const RETIRED_NAMES = new Set(
  'Alone Looks Gathering LeavingAlone Trust Board Sight Hands Taking Turn Turns Flight'.split(' '),
);

/** Declared names that keep an old word: "a guest in house" is the hotel's own. */
const ALLOWED = new Set(['inHouse', 'inHouseOn', 'housekeeping']);

/** Files that keep an old word: functions of released migrations are found by the name of their file. */
const ALLOWED_FILES = new Set(['migrations/sql/kept-answers.v1.sql', 'actors/property/in-house.test.ts']);

const SOURCES = globSync('{src,actors,gateways,load-tests,test}/**/*.{ts,tsx,mjs}', { cwd: ROOT }).sort();
const FILES = [...SOURCES, ...globSync('migrations/**/*.{ts,sql}', { cwd: ROOT })];

const partsOf = (name: string): string[] =>
  name
    .replace(/^#/, '')
    .split(/(?<=[a-z0-9])(?=[A-Z])|[_.-]/)
    .map((part) => part.toLowerCase());

const retiredIn = (name: string): string | undefined =>
  partsOf(name).find((part) => Object.hasOwn(RETIRED, part)) ?? (RETIRED_NAMES.has(name) ? name : undefined);

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

/** Types, classes, functions and methods, and what a module has at its top. */
function isNamed(node: ts.Node): node is ts.NamedDeclaration {
  if (ts.isVariableDeclaration(node)) return ts.isSourceFile(node.parent.parent.parent);
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isPropertyDeclaration(node)
  );
}

const declared: { file: string; name: string }[] = [];
const exported = new Map<string, Set<string>>();

for (const file of SOURCES) {
  const source = ts.createSourceFile(file, readFileSync(`${ROOT}/${file}`, 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (isNamed(node) && node.name && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name)))
      declared.push({ file, name: node.name.text });
    ts.forEachChild(node, visit);
  };
  visit(source);
  if (!/^(src|actors|gateways)\//.test(file) || file.endsWith('.d.mts')) continue;
  for (const statement of source.statements.filter(isExported)) {
    const named = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    for (const { name } of named as readonly ts.NamedDeclaration[])
      if (name && ts.isIdentifier(name)) exported.set(name.text, (exported.get(name.text) ?? new Set()).add(file));
  }
}

void t.test('names of files have none of the old words', async (t) => {
  const old = FILES.filter((file) => !ALLOWED_FILES.has(file)).flatMap((file) => retiredIn(basename(file)) ?? []);
  t.same(old, []);
});

void t.test('declared names have none of the old words', async (t) => {
  const old = declared
    .filter(({ name }) => !ALLOWED.has(name))
    .flatMap(({ file, name }) => {
      const word = retiredIn(name);
      return word ? [`${file}: ${name}, see ${RETIRED[word.toLowerCase()] ?? 'the glossary'}`] : [];
    });
  t.same(old, []);
});

void t.test('an exported name is one thing', async (t) => {
  const twice = [...exported]
    .filter(([, files]) => files.size > 1)
    .map(([name, files]) => [name, ...files].join(' '));
  t.same(twice.sort(), []);
});
