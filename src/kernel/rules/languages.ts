/** Languages of pages and letters, as BCP 47 names them; the first is the one that texts are written in. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What they are called by those who speak them. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
};

/** What no reader sees: controls, marks and spaces without a letter, fillers and the empty Braille pattern. */
const VISIBLE = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text has a character that people see, in whatever script. */
export const hasVisible = (text: string): boolean => VISIBLE.test(text);

/** The language that a tag such as `de-AT` names. */
export function languageOf(tag: string | undefined): Language | undefined {
  const wanted = tag?.split('-')[0]?.toLowerCase();
  return LANGUAGES.find((one) => one === wanted);
}

/** Tags of an `Accept-Language` header that are looked at: browsers send a handful. */
const MAX_TAGS = 20;

/** The language of ours that an `Accept-Language` header likes best; the first one where it names none. */
export function acceptedLanguage(header: string | undefined): Language {
  const tags = (header ?? '').split(',', MAX_TAGS).flatMap((part) => {
    const [tag = '', quality] = part.trim().split(/\s*;\s*q\s*=\s*/);
    const language = languageOf(tag);
    const weight = quality === undefined ? 1 : Number(quality);
    return language !== undefined && weight > 0 ? [{ language, weight }] : [];
  });
  const [best] = tags.sort((a, b) => b.weight - a.weight);
  return best?.language ?? LANGUAGES[0];
}
