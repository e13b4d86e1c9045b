import { LANGUAGE_NAMES, LANGUAGES } from '../../../../src/kernel/rules/languages.ts';
import { textsOf } from '../../language/texts.ts';
import type { Policy } from './policies.ts';

const say = textsOf('admin-language');

const nameOf = (code: string): string => LANGUAGE_NAMES[LANGUAGES.find((one) => one === code) ?? 'en'];

/** Language of messages to guests whose own is not known (docs/reference/guests.md#language). */
export const languagePolicy: Policy = {
  name: 'language',
  label: say('Language of messages'),
  type: 'choice',
  options: LANGUAGES.map((code) => ({ value: code, text: LANGUAGE_NAMES[code] })),
  says: (code) =>
    say('Guests whose language is not known get their messages in {language}.', { language: nameOf(code) }),
};
