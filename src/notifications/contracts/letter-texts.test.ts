import t from 'tap';

import { argumentsOf } from '../../kernel/contracts/message-arguments.ts';
import { PSEUDO_MARKS } from '../../kernel/contracts/messages.ts';
import { LANGUAGES } from '../../kernel/rules/languages.ts';
import { notifiedBooking } from '../../testing/notified-booking.ts';
import { exampleLetter } from '../rules/example-letter.ts';
import { LETTER_KINDS, LETTER_PARTS, LETTER_VALUES } from '../rules/letter-kinds.ts';
import type { LetterKey } from '../rules/letter-texts.ts';
import { mailOfLetter, smsText } from '../rules/message.ts';
import { type BookingNotice, NOTIFICATION_KINDS } from '../rules/notification.ts';
import { isStayMail } from '../rules/stay-mail.ts';
import { LETTER_CATALOGUES, letterTextsIn, pseudoLetterTexts } from './letter-texts.ts';

const NOW = Date.parse('2027-06-01T10:00:00Z');
const { property } = notifiedBooking();
const KEYS = Object.keys(LETTER_CATALOGUES.en) as LetterKey[];
const NOTICES = NOTIFICATION_KINDS.filter(
  (kind): kind is BookingNotice => kind !== 'WAITLIST_OFFER' && !isStayMail(kind),
);

void t.test('every language has every text, with the same values', async (t) => {
  for (const language of LANGUAGES) {
    const catalogue = LETTER_CATALOGUES[language];
    t.same(Object.keys(catalogue), KEYS, `${language} has them in the order of English`);
    for (const key of KEYS) {
      t.same(argumentsOf(catalogue[key]), argumentsOf(LETTER_CATALOGUES.en[key]), `${key} in ${language}`);
      t.notMatch(catalogue[key], /'\{/, 'an apostrophe before a brace would quote it');
    }
  }
});

void t.test('texts of a letter name values that its kind knows', async (t) => {
  for (const kind of LETTER_KINDS)
    for (const part of LETTER_PARTS) {
      const { names, formats } = argumentsOf(LETTER_CATALOGUES.en[`${kind}.${part}`]);
      const known: readonly string[] = LETTER_VALUES[kind];
      t.same(
        names.filter((name) => !known.includes(name)),
        [],
        `${kind} ${part}`,
      );
      t.notOk(formats);
    }
});

void t.test('every letter is written in every language, with all its values', async (t) => {
  for (const language of LANGUAGES)
    for (const kind of LETTER_KINDS) {
      const texts = letterTextsIn(language);
      const letter = exampleLetter(kind, property, texts, NOW);
      t.same(Object.keys(letter.values).sort(), [...LETTER_VALUES[kind]].sort(), `values of ${kind}`);
      const { subject, text, html } = mailOfLetter(letter, property, texts);
      t.match(html, `<html lang="${language}">`);
      for (const written of [subject, text, html])
        t.notMatch(written, /[{}]|undefined|NaN/, `${kind} in ${language}`);
    }
  const german = mailOfLetter(
    exampleLetter('CONFIRMATION', property, letterTextsIn('de'), NOW),
    property,
    letterTextsIn('de'),
  );
  t.match(german.text, 'Guten Tag Alex Sample,');
  t.match(german.text, /^Anreise: +Donnerstag, 1\. Juli 2027, ab 15:00 Uhr$/m);
  t.match(german.text, /^Gesamtpreis: +440,00 EUR$/m);
  t.match(german.text, 'bis Dienstag, 29. Juni 2027, 15:00 Uhr (Ortszeit des Hotels) kostenlos stornieren');
});

/** What a letter says without what its catalogue says, and without the values that are data. */
function beyondCatalogue(written: string, data: readonly string[]): string {
  const [open, close] = PSEUDO_MARKS;
  const marked = new RegExp(`${open}[^${open}${close}]*${close}`, 'g');
  let rest = written;
  // Texts may be values of others.
  while (marked.test(rest)) rest = rest.replaceAll(marked, '');
  return data.reduce((text, value) => text.replaceAll(value, ''), rest);
}

void t.test('no text of a letter or a text message stands outside of the catalogues', async (t) => {
  const texts = pseudoLetterTexts();
  const { name, address, contact } = property;
  const data = [name, ...Object.values(address ?? {}), ...Object.values(contact ?? {}), 'Double room', 'Alex Sample'];
  const dates = [30, 31, 32].map((ahead) => Math.floor(NOW / 86_400_000) + ahead);
  const shown = dates.flatMap((day) => [texts.day(day), texts.shortDay(day)]);
  for (const kind of LETTER_KINDS) {
    const letter = exampleLetter(kind, property, texts, NOW);
    const { subject, text } = mailOfLetter(letter, property, texts);
    const known = [...data, ...shown, letter.to].filter((value) => value !== '');
    t.notMatch(beyondCatalogue(subject, known), /\p{L}/u, `subject of ${kind}`);
    t.notMatch(beyondCatalogue(text, known).replaceAll(/\b(EUR|INV|7GK2M9X4QD)\b/g, ''), /\p{L}/u, `text of ${kind}`);
  }
  for (const kind of NOTICES) t.match(smsText(kind, notifiedBooking(), texts, NOW), /^⟦.*⟧$/, `SMS of ${kind}`);
});
