import t from 'tap';

import { PSEUDO_MARKS } from '../../../../src/kernel/contracts/messages.ts';
import { LANGUAGES } from '../../../../src/kernel/rules/languages.ts';
import { letterTextsIn, pseudoLetterTexts } from '../../../../src/notifications/contracts/letter-texts.ts';
import { notifiedBooking } from '../../../../src/testing/notified-booking.ts';
import { charge, paid, reservation } from '../../../../src/testing/property-world.ts';
import { surveyQuestions, surveyThanks } from '../../guests/render/survey.ts';
import { receipt } from './receipt.ts';

const { property } = notifiedBooking();
const rooms = new Map([['STD', '<b>Zimmer']]);
const cash = {
  ...paid(charge({ amount: 9_205 })),
  tendered: { amount: 10_000, currency: 'USD', rate: 0.9205, rateDate: 20_604 },
};
const stay = reservation({
  nights: [{ day: 20_604, rate: 10_000, taxes: 1_000, fees: 300 }],
  payments: [cash],
  paid: 9_205,
  currency: 'EUR',
});

void t.test('a receipt has lines, taxes and sums in the language of the guest', async (t) => {
  const english = receipt({ reservation: stay, property, rooms }, letterTextsIn('en'));
  t.match(english, /Not yet final: INV-/);
  t.match(english, /Of that in USD, at 0\.9205 on 2026-05-31<\/td><td>USD 100\.00/);
  const german = receipt({ reservation: stay, property, rooms }, letterTextsIn('de'));
  t.match(german, /Noch nicht endgültig: INV-/);
  t.match(german, 'Davon in USD, zum Kurs 0.9205 vom 31.05.2026</td><td>100,00 USD');
  t.match(german, /Bezahlt<\/td><td>92,05 EUR/);
  const all = LANGUAGES.map((language) => receipt({ reservation: stay, property, rooms }, letterTextsIn(language)));
  t.equal(new Set(all).size, LANGUAGES.length);
  for (const page of all) t.notMatch(page, '<b>');
});

void t.test('no text of a page behind a link stands outside of the catalogues', async (t) => {
  const texts = pseudoLetterTexts();
  const [open, close] = PSEUDO_MARKS;
  const marked = new RegExp(`${open}[^${open}${close}]*${close}`, 'g');
  const pages = [
    receipt({ reservation: stay, property, rooms }, texts),
    surveyQuestions(property, texts),
    surveyThanks(property, texts),
  ];
  const { guest } = stay;
  const data = [property.name, ...Object.values(property.address ?? {}), guest.firstName, guest.lastName];
  for (const page of pages) {
    let rest = page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\b(EUR|USD)\b/g, '');
    while (marked.test(rest)) rest = rest.replaceAll(marked, '');
    for (const value of data) if (value !== '') rest = rest.replaceAll(value, '');
    t.notMatch(rest, /\p{L}/u);
  }
});
