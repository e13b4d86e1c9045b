import { IntlMessageFormat } from 'intl-messageformat';

import type { Day } from '../rules/dates.ts';
import type { Language } from '../rules/languages.ts';
import type { Minor } from '../rules/money.ts';
import type { Instant } from '../rules/property-time.ts';

/** Texts of one language by their keys, in ICU MessageFormat. */
type Catalogue<K extends string> = Readonly<Record<K, string>>;
export type Catalogues<K extends string> = Readonly<Record<Language, Catalogue<K>>>;

type Values = Readonly<Record<string, string | number>>;

/** Marks of texts in the pseudo-language of tests: a text without them is written in no catalogue. */
export const PSEUDO_MARKS = ['⟦', '⟧'] as const;

const MS_PER_DAY = 86_400_000;

/**
 * Texts, amounts, days and times in one language (docs/guide/booking-page.md#languages). Texts are parsed once, when
 * they are first used.
 */
export class Messages<K extends string> {
  readonly language: Language;
  readonly #texts: Catalogue<K>;
  readonly #parsed = new Map<K, IntlMessageFormat>();
  readonly #dates = new Map<string, Intl.DateTimeFormat>();
  protected readonly currencyDisplay: 'symbol' | 'code' = 'symbol';
  readonly #currencies = new Map<string, Intl.NumberFormat>();
  readonly #isPseudo: boolean;

  /** @param isPseudo every text is marked, for tests */
  constructor(language: Language, texts: Catalogue<K>, isPseudo = false) {
    this.language = language;
    this.#texts = texts;
    this.#isPseudo = isPseudo;
  }

  /** The text of a key with its arguments. */
  text(key: K, values: Values = {}): string {
    const plain = this.#parse(key).format(values) as string;
    return this.#marked(plain);
  }

  /** An amount with its currency. */
  money(amount: Minor, currency: string): string {
    return this.#marked(this.#amounts(currency).format(amount / 100));
  }

  /** A day, such as `Tue, 3 March 2026`. */
  day(
    day: Day,
    style: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' },
  ) {
    return this.#dated({ ...style, timeZone: 'UTC' }, day * MS_PER_DAY);
  }

  /** The local time of a zone, such as `18:00`. */
  time(at: Instant, timeZone: string): string {
    return this.#dated({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }, at);
  }

  /** The local day of a zone, such as `3 March`. */
  dayAt(at: Instant, timeZone: string): string {
    return this.#dated({ day: 'numeric', month: 'long', timeZone }, at);
  }

  #marked(text: string): string {
    return this.#isPseudo ? `${PSEUDO_MARKS[0]}${text}${PSEUDO_MARKS[1]}` : text;
  }

  #amounts(currency: string): Intl.NumberFormat {
    let format = this.#currencies.get(currency);
    if (!format) {
      format = new Intl.NumberFormat(this.language, {
        style: 'currency',
        currency,
        currencyDisplay: this.currencyDisplay,
      });
      this.#currencies.set(currency, format);
    }
    return format;
  }

  #dated(style: Intl.DateTimeFormatOptions, at: Instant): string {
    const key = JSON.stringify(style);
    let format = this.#dates.get(key);
    if (!format) {
      format = new Intl.DateTimeFormat(this.language === 'en' ? 'en-GB' : this.language, style);
      this.#dates.set(key, format);
    }
    return this.#marked(format.format(at));
  }

  #parse(key: K): IntlMessageFormat {
    let parsed = this.#parsed.get(key);
    if (!parsed) {
      parsed = new IntlMessageFormat(this.#texts[key], this.language, undefined, { ignoreTag: true });
      this.#parsed.set(key, parsed);
    }
    return parsed;
  }
}
