import { type Catalogues, Messages } from '../../src/kernel/contracts/messages.ts';
import { acceptedLanguage, type Language, languageOf, LANGUAGES } from '../../src/kernel/rules/languages.ts';
import de from './messages/de.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import fr from './messages/fr.json' with { type: 'json' };
import pt from './messages/pt.json' with { type: 'json' };

/** Key of a text of the guests' pages. */
export type TextKey = keyof typeof en;
export type Texts = Messages<TextKey>;

const CATALOGUES: Catalogues<TextKey> = { en, de, fr, es, pt };

/** `?lang=` of the pseudo-language, by which tests find text that stands in no catalogue; in development only. */
const PSEUDO = 'en-XA';

const BY_LANGUAGE = new Map<Language, Texts>(LANGUAGES.map((one) => [one, new Messages(one, CATALOGUES[one])]));
const PSEUDO_TEXTS: Texts = new Messages('en', en, true);

/** Texts in the language that a request names or that its browser prefers. */
export function textsFor(named: string | undefined, accepted: string | undefined, isDevelopment: boolean): Texts {
  if (isDevelopment && named === PSEUDO) return PSEUDO_TEXTS;
  return BY_LANGUAGE.get(languageOf(named) ?? acceptedLanguage(accepted))!;
}

/** Whether a text has this key. */
export const isTextKey = (key: string): key is TextKey => Object.hasOwn(en, key);
