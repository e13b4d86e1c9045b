import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';

import { LANGUAGES } from '../../src/kernel/rules/languages.ts';

const folder = new URL('messages/', import.meta.url);
const read = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')) as Record<string, string>;
const english = read('en');

t.test('every language has every text, and each takes the same arguments', async (t) => {
  t.strictSame(new Set(readdirSync(folder)), new Set(LANGUAGES.map((language) => `${language}.json`)));
  for (const language of LANGUAGES) {
    const texts = read(language);
    t.strictSame(Object.keys(texts), Object.keys(english), language);
    for (const [key, text] of Object.entries(texts)) {
      t.not(text.trim(), '', `${language} ${key}`);
      t.strictSame(argumentsOf(text), argumentsOf(english[key]!), `${language} ${key}`);
    }
  }
});

t.test('every text is used', async (t) => {
  const sources = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .join('\n');
  // Errors and fields of the guest are named by their code.
  const isBuilt = (key: string): boolean => /^(error|guest)\./.test(key);
  t.strictSame(
    Object.keys(english).filter((key) => !isBuilt(key) && !sources.includes(`'${key}'`)),
    [],
  );
});

/** Names of the arguments of a text, with their kind. */
function argumentsOf(text: string): Set<string> {
  const found = new Set<string>();
  const visit = (elements: readonly MessageFormatElement[]): void => {
    for (const element of elements) {
      if ('value' in element && element.type !== TYPE.literal) found.add(`${element.type} ${element.value}`);
      if ('options' in element) for (const option of Object.values(element.options)) visit(option.value);
    }
  };
  visit(parse(text, { ignoreTag: true }));
  return found;
}
