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
  sight: 'scope',
  bring: 'catchUp, restart, load',
  handover: 'forward, move, release',
};

/** Names that are a plain word in general, and were the name of a thing here. */
const RETIRED_NAMES = new Set(
  'Alone Looks Gathering LeavingAlone Trust Board Sight Hands Taking Turn Turns Flight'.split(' '),
);

/** Names with an old word that is the field's own: "a guest in house", the status of a tenant on trial. */
const ALLOWED = new Set(['inHouse', 'inHouseOn', 'housekeeping', 'in-house', 'TRIAL']);

/**
 * Names that nodes of the release before, clients or the database read: members of the wire, of stored JSON, and
 * columns. Each with the files that declare or write it.
 */
const WIRE: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    // Member of idempotency records and of node RPC answers, and field of commands that nodes forward.
    refusal:
      /^(actors\/property\/decide-batch|actors\/simulation\/|gateways\/nodes\/node-call|src\/kernel\/rules\/commands|src\/money\/operations\/(charge-attempt|pay-booking)\.ts)/,
    // Field of SET_INVENTORY, a command that nodes forward, with the columns that it is stored in.
    told: /^src\/(kernel\/rules\/commands\/properties|channels\/operations\/take-availability|property-store\/ports)\.ts$|^actors\/property\/changes\.ts$/,
    toldAt: /^src\/(platform\/database\/tables\/inventory|property-store\/storage\/rows)\.ts$/,
    toldSeq: /^src\/(platform\/database\/tables\/inventory|property-store\/storage\/rows)\.ts$/,
    // Field of PLACE_HOLD and of bookings, which nodes forward.
    openElsewhere: /^(src\/kernel\/rules\/commands\/stay|src\/stay\/operations\/create-reservation)\.ts$/,
    // Member of the report of a node, which nodes of the release before send and read.
    awake:
      /^(src\/platform\/coordination\/(ports|contracts\/cluster-report)|src\/testing\/live\/scripted-cluster|gateways\/http\/telemetry\/node-status)\.ts$/,
    // Result column of a statement.
    kept: /^src\/platform\/database\/idempotency-records\.ts$/,
  }),
);

/** Names with an old word in the folders that are still being renamed. The number only becomes smaller. */
const MAX_IN_NAMES = 99;
const RENAMING = /^(load-tests\/|src\/(?!kernel|platform|wiring|commands|testing))|\.test\.ts$|^test\/blackbox\//;

/** Files that keep an old word: functions of released migrations are found by the name of their file. */
const ALLOWED_FILES = new Set(['migrations/sql/kept-answers.v1.sql', 'actors/property/in-house.test.ts']);

/** Words that comments do not use either: the glossary has a plain one for each. */
const RETIRED_IN_COMMENTS = new RegExp(
  String.raw`\b(?:asleep|waking|wakes?|woken|woke|untold|verdicts?|strays?|yardsticks?|unfit|sift(?:s|ed)?` +
    String.raw`|hand-?overs?|to be had|waits? for company|node desk)\b`,
  'gi',
);

/**
 * Words that comments should lose, or use in their plain meaning only: as often as this they are still there. The
 * numbers only become smaller.
 */
const MAX_IN_COMMENTS: Readonly<Record<string, number>> = {
  'kept answers?': 1,
  'lets? go of': 2,
  house: 0,
  houses: 0,
  awake: 0,
  whoever: 3,
  whom: 11,
  refusal: 3,
  refusals: 0,
  elsewhere: 1,
  told: 4,
  tell: 1,
  tells: 5,
  asked: 9,
  asks: 8,
  kept: 28,
  turn: 4,
  turns: 7,
};

const SOURCES = globSync('{src,actors,gateways,load-tests,packages,test}/**/*.{ts,tsx,mjs}', {
  cwd: ROOT,
  exclude: ['packages/client/{dist,src/generated}/**'],
}).sort();
const FILES = [...SOURCES, ...globSync('migrations/**/*.{ts,sql}', { cwd: ROOT })];

/** Words of a name; "hand over" is one, whatever its form. */
const partsOf = (name: string): string[] =>
  name
    .replace(/^#/, '')
    .split(/(?<=[a-z0-9])(?=[A-Z])|[_.-]/)
    .map((part) => part.toLowerCase())
    .flatMap((part, at, all) =>
      /^hand(s|ed|ing)?$/.test(part) && all[at + 1] === 'over' ? [part, 'handover'] : part,
    );

const retiredIn = (name: string): string | undefined =>
  partsOf(name).find((part) => Object.hasOwn(RETIRED, part)) ?? (RETIRED_NAMES.has(name) ? name : undefined);

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

/** Everything that gives a name: declarations, parameters, variables, parts of patterns, members and object keys. */
function isNamed(node: ts.Node): node is ts.NamedDeclaration {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isTypeParameterDeclaration(node) ||
    ts.isClassElement(node) ||
    ts.isTypeElement(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isObjectLiteralElement(node)
  );
}

/** Texts of all comments of a file, each once, without quoted names and the hotel's "in house". */
function commentsOf(source: ts.SourceFile): string[] {
  const found = new Map<number, string>();
  const take = (ranges: readonly ts.CommentRange[] | undefined): void => {
    for (const { pos, end } of ranges ?? []) found.set(pos, source.text.slice(pos, end));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) return;
    take(ts.getLeadingCommentRanges(source.text, node.getFullStart()));
    take(ts.getTrailingCommentRanges(source.text, node.getEnd()));
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...found.values()].map((text) =>
    text.replaceAll(/`[^`]*`|\bin[ -]house\b/gi, '').replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' '),
  );
}

const comments: { file: string; text: string }[] = [];
const declared: { file: string; name: string }[] = [];
const exported = new Map<string, Set<string>>();
/** Number of files that each word is in. */
const filesWith = new Map<string, number>();

function countWords(text: string): void {
  for (const word of new Set(text.match(/[\w$]+/g))) filesWith.set(word, (filesWith.get(word) ?? 0) + 1);
}

for (const file of FILES.filter((name) => name.startsWith('migrations/')))
  countWords(readFileSync(`${ROOT}/${file}`, 'utf8'));
for (const file of SOURCES) {
  const source = ts.createSourceFile(file, readFileSync(`${ROOT}/${file}`, 'utf8'), ts.ScriptTarget.Latest, true);
  countWords(source.text);
  const visit = (node: ts.Node): void => {
    const name = isNamed(node) && !ts.isShorthandPropertyAssignment(node) ? node.name : undefined;
    if (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name)))
      declared.push({ file, name: name.text });
    ts.forEachChild(node, visit);
  };
  visit(source);
  comments.push(...commentsOf(source).map((text) => ({ file, text })));
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

const oldNames = declared
  .filter(({ file, name }) => !ALLOWED.has(name) && !WIRE.get(name)?.test(file) && file !== 'test/vocabulary.test.ts')
  .flatMap(({ file, name }) => {
    const word = retiredIn(name);
    return word ? [`${file}: ${name}, see ${RETIRED[word.toLowerCase()] ?? 'the glossary'}`] : [];
  });

void t.test('names have none of the old words: declarations, parameters, variables, members and keys', async (t) => {
  t.ok(declared.length > 50_000, 'names are found');
  t.same(
    oldNames.filter((line) => !RENAMING.test(line.slice(0, line.indexOf(':')))),
    [],
  );
});

void t.test('old words in names of the folders that are still being renamed become fewer', async (t) => {
  const old = oldNames.filter((line) => RENAMING.test(line.slice(0, line.indexOf(':'))));
  t.ok(old.length <= MAX_IN_NAMES, `${old.length}, at most ${MAX_IN_NAMES}: ${old.slice(0, 10).join('; ')}`);
});

void t.test('an exception for a name on the wire is still needed', async (t) => {
  for (const [name, files] of WIRE)
    t.ok(
      declared.some((one) => one.name === name && files.test(one.file)),
      name,
    );
});

void t.test('comments have none of the words that only the old names explain', async (t) => {
  t.ok(comments.length > 3_000, 'comments are found');
  const old = comments.flatMap(({ file, text }) =>
    [...text.matchAll(RETIRED_IN_COMMENTS)].map(([word]) => `${file}: ${word}`),
  );
  t.same(old, []);
});

void t.test('words with a plain meaning become fewer in comments', async (t) => {
  for (const [word, most] of Object.entries(MAX_IN_COMMENTS)) {
    const form = new RegExp(`\\b${word}\\b`, 'gi');
    const found = comments.reduce((sum, { text }) => sum + [...text.matchAll(form)].length, 0);
    t.ok(found <= most, `${word}: ${found} in comments, at most ${most}`);
  }
});

void t.test('an exported name is one thing', async (t) => {
  const twice = [...exported]
    .filter(([, files]) => files.size > 1)
    .map(([name, files]) => [name, ...files].join(' '));
  t.same(twice.sort(), []);
});

void t.test('what is exported is used by another file', async (t) => {
  t.ok(exported.size > 3_000, 'exports are found');
  const unused = [...exported].filter(([name]) => filesWith.get(name) === 1).map(([name, files]) => [name, ...files]);
  t.same(unused, [], 'it needs no export');
});
