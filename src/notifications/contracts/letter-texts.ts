import { type Catalogues, Messages } from '../../kernel/contracts/messages.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { type Language, LANGUAGES } from '../../kernel/rules/languages.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import de from '../messages/de.json' with { type: 'json' };
import en from '../messages/en.json' with { type: 'json' };
import es from '../messages/es.json' with { type: 'json' };
import fr from '../messages/fr.json' with { type: 'json' };
import pt from '../messages/pt.json' with { type: 'json' };
import type { LetterKey, LetterTexts, LetterValues } from '../rules/letter-texts.ts';

/** Texts of letters by language. */
export const LETTER_CATALOGUES: Catalogues<LetterKey> = { en, de, fr, es, pt };

const LONG_DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
const SHORT_DAY = { day: '2-digit', month: '2-digit', year: 'numeric' } as const;

/** Texts of letters in one language. */
class LetterMessages extends Messages<LetterKey> implements LetterTexts {
  protected override readonly currencyDisplay = 'code';

  override money(amount: Minor, currency: string): string {
    // Plain text is aligned and searched with plain spaces.
    return super.money(amount, currency).replaceAll(/[\u00a0\u202f]/g, ' ');
  }

  override day(day: Day): string {
    const text = super.day(day, LONG_DAY);
    return this.language === 'en' ? text.replace(',', '') : text;
  }

  shortDay(day: Day): string {
    return this.language === 'en' ? formatDay(day) : super.day(day, SHORT_DAY);
  }

  format(text: string, values: LetterValues): string {
    return new Messages(this.language, { text }).text('text', values);
  }
}

const BY_LANGUAGE = new Map<Language, LetterTexts>(
  LANGUAGES.map((one) => [one, new LetterMessages(one, LETTER_CATALOGUES[one])]),
);

/** Texts of letters in a language. */
export function letterTextsIn(language: Language): LetterTexts {
  return BY_LANGUAGE.get(language)!;
}

/** Texts that are marked, for the test that finds text which stands in no catalogue. */
export function pseudoLetterTexts(): LetterTexts {
  return new LetterMessages('en', en, true);
}
