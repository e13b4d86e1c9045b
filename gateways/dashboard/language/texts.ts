import { IntlMessageFormat } from 'intl-messageformat';

import { type Language, languageOf } from '../../../src/kernel/rules/languages.ts';
import type { ClockStyle } from '../../../src/tenants/rules/preferences.ts';

/** Translations that the document has loaded before the page's scripts; none where the page is in English. */
type Translations = {
  language: Language;
  sections: Record<string, Record<string, string>>;
  /** Script with the sections of administration and operations. */
  admin?: string;
};

/** What a text names: `{guest}`, `{nights, plural, one {# night} other {# nights}}`. */
type TextValues = Record<string, string | number>;

declare global {
  var translations: Translations | undefined;
}

export const pageLanguage: Language = globalThis.translations?.language ?? 'en';

/** Where this browser keeps how its user writes times. */
export const CLOCK_KEY = 'innkeeper.clock';

export const pageClock: ClockStyle = globalThis.localStorage?.getItem(CLOCK_KEY) === '12h' ? '12h' : '24h';

/** For dates, times and numbers: the language of the page, as the user's country writes it, with the user's clock. */
export const locale: string = withClock(localeFor(pageLanguage, globalThis.navigator?.languages ?? []), pageClock);

/**
 * What says the texts of one part of the pages in the user's language. A text is written in English where it is used, in
 * ICU MessageFormat where it has values; its translations stand in `language/<language>/<section>.json`. One without
 * a translation is said in English (`texts.test.ts` lets none be missing).
 */
export function textsOf(section: string): (text: string, values?: TextValues) => string {
  const translated = globalThis.translations?.sections[section];
  const formats = new Map<string, IntlMessageFormat>();
  return (text, values) => {
    const shown = translated?.[text] ?? text;
    if (values === undefined) return shown;
    let format = formats.get(text);
    if (!format) formats.set(text, (format = new IntlMessageFormat(shown, locale, undefined, { ignoreTag: true })));
    // An abbreviation at the end of a sentence, `24. Feb.`, has the full stop of both.
    return String(format.format(values)).replace(/(\p{L}\.)\.(?!\.)/gu, '$1');
  };
}

/** The tag with the cycle of hours that formats of a time use. */
export function withClock(tag: string, clock: ClockStyle): string {
  return new Intl.Locale(tag, { hourCycle: clock === '12h' ? 'h12' : 'h23' }).toString();
}

/** The first of the user's own tags that is in the language: `de-AT`, `en-GB`. */
export function localeFor(wanted: Language, tags: readonly string[]): string {
  return tags.find((tag) => languageOf(tag) === wanted) ?? wanted;
}
