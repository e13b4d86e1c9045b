import t from 'tap';

import { LANGUAGES } from '../../kernel/rules/languages.ts';
import { invoiceOf } from '../../money/rules/invoice.ts';
import type { Cancellation } from '../../stay/rules/reservation.ts';
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

/** A stay with a tax and a city tax on its nights, and an extra with a tax of its own in its price. */
const taxed = (() => {
  const taxLines = [
    { code: 'VAT', amount: 1_080 },
    { code: 'CITY', amount: 300, fee: true as const },
  ];
  const night = { rate: 15_400, taxes: 1_080, fees: 300, taxLines };
  const spa = { code: 'SPA', description: 'Spa', day: 20_605, amount: 3_075, id: 'p1' };
  const inSpa = [{ code: 'TAX', amount: 575, included: true as const }];
  return reservation({
    stay: { checkIn: 20_604, checkOut: 20_606 },
    nights: [
      { day: 20_604, ...night },
      { day: 20_605, ...night },
    ],
    charges: [{ ...spa, taxLines: inSpa }],
    currency: 'EUR',
  });
})();

void t.test('every line and every tax is named in the language of the guest, and they add up', async (t) => {
  const taxes = [
    { code: 'VAT', name: 'Mehrwertsteuer', kind: 'PERCENT' as const, value: 7, included: false, on: 'ROOM' as const },
    {
      code: 'CITY',
      name: 'Citytax',
      kind: 'PER_NIGHT' as const,
      value: 300,
      included: false,
      on: 'ROOM' as const,
    },
  ];
  const { metadata } = property;
  const house = { ...property, metadata: { ...metadata, policies: { ...metadata.policies, taxes } } };
  const { roomType } = taxed.stay;
  const rooms = new Map([[roomType, 'Seezimmer']]);
  const { amounts = [] } = invoiceLetter(
    { reservation: taxed, property: house, party: 'REST', rooms },
    letterTextsIn('de'),
  );
  t.same(
    amounts.map(([name, value]) => [name, value.replaceAll(/\s/g, ' ')]),
    [
      ['31.05.2026 Nacht, Seezimmer', '154,00 EUR'],
      ['01.06.2026 Nacht, Seezimmer', '154,00 EUR'],
      ['31.05.2026 Citytax', '6,00 EUR'],
      ['01.06.2026 Spa', '30,75 EUR'],
      ['Mehrwertsteuer', '21,60 EUR'],
      ['Gesamtpreis', '366,35 EUR'],
      ['Im Gesamtpreis enthalten: Steuern', '5,75 EUR'],
      ['Bezahlt', '0,00 EUR'],
      ['Offener Betrag', '366,35 EUR'],
    ],
  );
  t.equal(invoiceOf(taxed).total, 36_635);
});

void t.test('what the service writes on a bill itself is English in no other language', async (t) => {
  const charges = [
    { code: 'EARLY_DEPARTURE', description: 'Early departure', day: 20_604, amount: 500 },
    { code: 'CHANGE_FEE', description: 'Change fee', day: 20_604, amount: 1_500 },
    { description: 'Fax, typed by hand', day: 20_604, amount: 100 },
  ];
  const changed = reservation({ nights, charges, retained: 90_000, currency: 'EUR' });
  const cancellation: Cancellation = {
    cancellationId: 'c',
    reason: 'GUEST_REQUEST',
    cancelledBy: 'guest',
    policyName: 'FLEXIBLE',
    penalty: 10_000,
    deadline: null,
    refundEligible: false,
    refund: 0,
    refundId: null,
    cancelledAt: 0,
    day: 20_604,
  };
  const cancelled = reservation({ nights, status: 'CANCELLED', cancellation, currency: 'EUR' });
  for (const language of LANGUAGES) {
    const texts = letterTextsIn(language);
    const [a, b] = [changed, cancelled].map((one) =>
      (invoiceLetter({ reservation: one, property, party: 'REST' }, texts).amounts ?? []).map(([name]) => name),
    );
    const written = [...a!, ...b!].join('\n');
    t.match(written, 'Fax, typed by hand', 'what somebody typed stays');
    const english = /Night|Fees|Retained|Early departure|Change fee|Cancellation|FLEXIBLE/;
    if (language === 'en') t.match(written, /Early departure[^]*Change fee[^]*Retained[^]*Cancellation fee/);
    else t.notMatch(written, english, language);
  }
});
