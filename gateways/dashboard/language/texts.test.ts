import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import ts from 'typescript';

import { argumentsOf } from '../../../src/kernel/contracts/message-arguments.ts';
import { LANGUAGES } from '../../../src/kernel/rules/languages.ts';
import { localeFor, textsOf, withClock } from './texts.ts';

const PAGES = new URL('../', import.meta.url).pathname;
const sources = readdirSync(PAGES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.(test|d)\.ts$/.test(name))
  .map((name) => ({ name, file: parsed(name) }));

type Said = { section: string; text: string; values: string[]; where: string };
const said = sources.flatMap(({ name, file }) => saidIn(name, file));
const sections = [...new Set(said.map(({ section }) => section))].sort();

t.test('every text has a translation in each language, and none is left over', async (t) => {
  for (const language of LANGUAGES.slice(1)) {
    const files = readdirSync(`${PAGES}language/${language}`)
      .map((name) => name.replace(/\.json$/, ''))
      .sort();
    t.strictSame(files, sections, `sections of ${language}`);
    for (const section of sections) {
      const texts = new Set(said.filter((one) => one.section === section).map(({ text }) => text));
      const translated = Object.keys(translationsOf(language, section));
      t.strictSame(
        {
          missing: [...texts].filter((text) => !translated.includes(text)),
          unused: translated.filter((text) => !texts.has(text)),
        },
        { missing: [], unused: [] },
        `${language}, ${section}`,
      );
    }
  }
});

t.test('a text names the values that it is given, in every language', async (t) => {
  for (const { section, text, values, where } of said) {
    if (values.length === 0) continue;
    t.strictSame(argumentsOf(text).names, [...values].sort(), `${where}: ${text}`);
    for (const language of LANGUAGES.slice(1)) {
      const translation = translationsOf(language, section)[text];
      if (translation !== undefined)
        t.strictSame(argumentsOf(translation).names, argumentsOf(text).names, `${language}: ${translation}`);
    }
  }
});

t.test('a translation says something, in the typography of the original', async (t) => {
  for (const language of LANGUAGES.slice(1))
    for (const section of sections)
      for (const [text, translation] of Object.entries(translationsOf(language, section))) {
        t.ok(translation.trim() !== '', `${language}, ${section}: ${text}`);
        t.equal(/^\s/.test(translation), /^\s/.test(text), `${language}: blank before ${text}`);
        t.equal(/\s$/.test(translation), /\s$/.test(text), `${language}: blank after ${text}`);
      }
});

t.test('no text stands in a view, where nothing translates it', async (t) => {
  t.strictSame(
    sources.flatMap(({ name, file }) => rawTexts(name, file)),
    [],
  );
});

t.test('a page in English says what is written, a page in another language what it knows', async (t) => {
  const english = textsOf('desk');
  t.equal(english('Check in'), 'Check in');
  t.equal(english('{rooms, plural, one {# room} other {# rooms}}', { rooms: 1 }), '1 room');
  t.equal(localeFor('de', ['fr-FR', 'de-AT', 'de']), 'de-AT');
  t.equal(localeFor('pt', ['en']), 'pt');
});

t.test('times are written with the clock that was chosen', async (t) => {
  const at = (tag: string) =>
    new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }).format(51_900_000);
  t.equal(at(withClock('en-US', '24h')), '14:25');
  t.match(at(withClock('de-AT', '12h')), /^02:25.PM$/);
  t.match(at(withClock('en-US-u-hc-h23', '12h')), /^02:25.PM$/);
});

function parsed(name: string): ts.SourceFile {
  const text = readFileSync(`${PAGES}${name}`, 'utf8');
  const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind);
}

/** Calls of what `textsOf('section')` has given, by the name that it has in the file. */
function saidIn(name: string, file: ts.SourceFile): Said[] {
  const speakers = new Map<string, string>();
  const found: Said[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isCallExpression(node.initializer)) {
      const [section] = node.initializer.arguments;
      if (node.initializer.expression.getText() === 'textsOf' && section && ts.isStringLiteral(section))
        speakers.set(node.name.getText(), section.text);
    }
    if (ts.isCallExpression(node)) {
      const section = speakers.get(node.expression.getText());
      const [text, values] = node.arguments;
      const where = `${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      if (section !== undefined && text)
        found.push({ section, text: literal(text, where), values: namesOf(values), where });
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** What is said stands there: a translator finds it, and so does this test. */
function literal(node: ts.Expression, where: string): string {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return literal(node.left, where) + literal(node.right, where);
  throw new Error(`${where}: say() takes a literal, not ${node.getText()}`);
}

function namesOf(values: ts.Expression | undefined): string[] {
  if (!values || !ts.isObjectLiteralExpression(values)) return [];
  return values.properties.flatMap(({ name }) => name?.getText() ?? []);
}

function translationsOf(language: string, section: string): Record<string, string> {
  return JSON.parse(readFileSync(`${PAGES}language/${language}/${section}.json`, 'utf8')) as Record<string, string>;
}

/** Attributes that people read or hear. */
const READ = new Set(
  'aria-label aria-description aria-roledescription aria-valuetext title placeholder alt label hint'.split(' '),
);

/** Files of messages, and those of the administration that have the texts of what they describe. */
const MESSAGES = /messages\.ts$|^admin\/(sections\/|checks\.ts$|form\/fields\.ts$)/;

/** Texts in JSX, in attributes that are read, and in files of messages, outside of what is said. */
function rawTexts(name: string, file: ts.SourceFile): string[] {
  const found: string[] = [];
  const isMessages = MESSAGES.test(name);
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && /\p{L}{2,}/u.test(node.text) && node.text.trim() !== 'Innkeeper')
      found.push(`${name}: ${node.text.trim()}`);
    if (
      ts.isJsxAttribute(node) &&
      READ.has(node.name.getText()) &&
      node.initializer &&
      ts.isStringLiteral(node.initializer)
    )
      if (/\p{L}{2,}/u.test(node.initializer.text)) found.push(`${name}: ${node.getText()}`);
    if (isMessages && isRawMessage(node)) found.push(`${name}: ${node.getText()}`);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** A literal that reads like a sentence or a label, and is no argument of a call. */
function isRawMessage(node: ts.Node): boolean {
  if (!ts.isStringLiteral(node) && !ts.isNoSubstitutionTemplateLiteral(node) && !ts.isTemplateExpression(node))
    return false;
  const { parent } = node;
  // Names of keys are printed on the keys.
  const holder = ts.isArrayLiteralExpression(parent) ? parent.parent : undefined;
  if (holder && ts.isPropertyAssignment(holder) && holder.name.getText() === 'keys') return false;
  if (
    ts.isImportDeclaration(parent) ||
    ts.isCallExpression(parent) ||
    ts.isNewExpression(parent) ||
    ts.isLiteralTypeNode(parent)
  )
    return false;
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.PlusToken && saysAll(parent))
    return false;
  const text = ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join(' ')
    : node.text;
  if (text.startsWith('/')) return false;
  return /^\p{Lu}\p{Ll}/u.test(text) || /\p{Ll}{2,}\s+\p{L}|\p{Ll}{3,}\s/u.test(text);
}

/** A long text in two literals is one argument. */
function saysAll(node: ts.Node): boolean {
  return ts.isBinaryExpression(node.parent) ? saysAll(node.parent) : ts.isCallExpression(node.parent);
}
