import type { Day } from '../../kernel/rules/dates.ts';
import { type Language, languageOf } from '../../kernel/rules/languages.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { type Instant, localTime } from '../../kernel/rules/property-time.ts';
import type { Property } from '../../properties/rules/property.ts';
import type en from '../messages/en.json';

/** Key of a text of letters in its catalogues, `src/notifications/messages/`. */
export type LetterKey = keyof typeof en;

/** Named values of a text. */
export type LetterValues = Readonly<Record<string, string | number>>;

/** Texts, amounts and dates of letters in one language. */
export type LetterTexts = {
  readonly language: Language;
  text(key: LetterKey, values?: LetterValues): string;
  /** A text that is in no catalogue, in ICU MessageFormat. @throws Error when it cannot be read, or lacks a value */
  format(text: string, values: LetterValues): string;
  /** With the code of the currency, such as `EUR 220.55`: a symbol may stand for several. */
  money(amount: Minor, currency: string): string;
  /** Such as `Monday 21 June 2027`. */
  day(day: Day): string;
  /** Such as `2027-06-21` in English, `21.06.2027` in German. */
  shortDay(day: Day): string;
};

/** Language of messages about a stay (docs/reference/guests.md#language): of the stay, of the profile, of the property. */
export function messageLanguage(
  guest: { language?: string } | undefined,
  profile: string | undefined,
  { metadata }: Pick<Property, 'metadata'>,
): Language {
  // A later release may know more languages.
  return languageOf(guest?.language) ?? languageOf(profile) ?? languageOf(metadata.policies.language) ?? 'en';
}

/** A moment in the property's date and time, which the text names as such. */
export function propertyMoment(texts: LetterTexts, at: Instant, { metadata }: Pick<Property, 'metadata'>): string {
  const { day, time } = localTime(at, metadata.timezone);
  return texts.text('moment', { day: texts.day(day), time });
}
