import t from 'tap';

import { acceptedLanguage, hasVisible, LANGUAGE_NAMES, languageOf, LANGUAGES } from './languages.ts';

t.test('the language that a browser likes best', async (t) => {
  t.equal(acceptedLanguage('de-AT,de;q=0.9,en;q=0.8'), 'de');
  t.equal(acceptedLanguage('ja,en;q=0.5,fr;q=0.7'), 'fr', 'what we do not speak is left out');
  t.equal(acceptedLanguage('es;q=0.3, pt-BR ; q = 0.9'), 'pt');
  t.equal(acceptedLanguage('de;q=0,en'), 'en', 'zero says no');
  t.equal(acceptedLanguage('de;q=x'), 'en');
  for (const none of [undefined, '', '*', 'ja', ';;,,q=1']) t.equal(acceptedLanguage(none), 'en');
  t.equal(acceptedLanguage(`${'ja,'.repeat(30)}de`), 'en', 'no header makes much work');
});

t.test('a tag names its language', async (t) => {
  t.equal(languageOf('PT-br'), 'pt');
  for (const none of [undefined, '', 'deutsch', 'constructor']) t.equal(languageOf(none), undefined);
  t.strictSame(Object.keys(LANGUAGE_NAMES), [...LANGUAGES]);
});

t.test('a text of fillers, marks and controls has nothing that people see', async (t) => {
  for (const none of [
    '',
    ' ',
    '\u00a0',
    '\u200b',
    '\u202e',
    '\u2060\ufeff',
    '\u3164',
    '\u115f\uffa0',
    '\u2800',
    '\u0301',
  ])
    t.notOk(hasVisible(none), JSON.stringify(none));
  for (const some of ['A', '\u202eA', '李', 'नी', 'م\u200cن', '3', '-', '\u{1f3d6}\ufe0f'])
    t.ok(hasVisible(some), JSON.stringify(some));
});
