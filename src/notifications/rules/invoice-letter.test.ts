import t from 'tap';

import { notifiedBooking } from '../../testing/notified-booking.ts';
import { reservation } from '../../testing/property-world.ts';
import { letterTextsIn } from '../contracts/letter-texts.ts';
import { invoiceLetter } from './invoice-letter.ts';
import { mailOfLetter } from './message.ts';

const nights = [{ day: 20_604, rate: 10_000, taxes: 1_000, fees: 300 }];
const EN = letterTextsIn('en');
const { property } = notifiedBooking();

void t.test(
  'an offer of an invoice has its lines and sums, and the link once as text and once as HTML',
  async (t) => {
    const url = 'https://hotel.example/receipts/a"b';
    const stay = reservation({ nights, paid: 5_000, currency: 'EUR' });
    const letter = invoiceLetter({ reservation: stay, property, party: 'REST', receiptUrl: url }, EN);
    const { subject, text, html } = mailOfLetter(letter, property, EN);
    t.match(subject, /^Pro forma invoice INV-.+, The Anchor$/);
    t.match(text, 'It is not an invoice yet');
    t.match(text, /^2026-05-31 .+ +EUR 100\.00$/m);
    t.match(text, /^Total +EUR 113\.00$/m);
    const ends = text.split('\n').filter((line) => /EUR \d/.test(line));
    t.equal(new Set(ends.map(({ length }) => length)).size, 1, 'the amounts end in one column');
    t.match(text, `Your receipt: ${url}`);
    t.ok(html.includes('<a href="https://hotel.example/receipts/a&#34;b">Your receipt</a>'));
  },
);

void t.test('without a link there is none', async (t) => {
  const letter = invoiceLetter({ reservation: reservation({ nights }), property, party: 'REST' }, EN);
  t.notMatch(mailOfLetter(letter, property, EN).html, '<a ');
});
