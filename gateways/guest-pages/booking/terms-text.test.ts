import t from 'tap';

import { instantAt } from '../../../src/kernel/rules/property-time.ts';
import { termsFor } from '../../../src/stay/operations/online/offer-terms.ts';
import { termsUnder } from '../../../src/stay/rules/booking-terms.ts';
import { cancellationPenalty } from '../../../src/stay/rules/cancellation.ts';
import type { BookingGuarantee } from '../../../src/stay/rules/guarantee.ts';
import { DAY, NOW, property, reservation } from '../../../src/testing/property-world.ts';
import { textsFor } from '../texts.ts';
import { offerTermsText } from './terms-text.ts';

const { metadata } = property({ policies: { freeCancellationHours: 48 } });
const checkIn = DAY + 10;
const nights = [
  { day: checkIn, rate: 10_000, taxes: 1_000, fees: 300 },
  { day: checkIn + 1, rate: 20_000, taxes: 2_000, fees: 300 },
];
const currency = 'EUR';
const LATE = instantAt(checkIn, '12:00', metadata.timezone);
const CARD: BookingGuarantee = { kind: 'CARD' };

function said(policy: string, guarantee: BookingGuarantee, now: number, language = 'en'): string {
  const terms = termsFor(termsUnder(policy, metadata.policies), guarantee, { checkIn, nights, currency }, metadata);
  return offerTermsText(textsFor(language, undefined, false), { terms, currency }, metadata, now);
}

void t.test('terms say what a late cancellation costs, as the cancellation does', async (t) => {
  const stay = { checkIn, checkOut: checkIn + 2 };
  const late = reservation({ nights, stay, currency, status: 'CONFIRMED', cancellationPolicy: 'FLEXIBLE' });
  t.equal(cancellationPenalty(late, metadata, LATE), 11_300);
  t.match(said('FLEXIBLE', CARD, NOW), /^Free cancellation until .+ time\)\. After that it costs €113\.00\. /);
  t.match(said('FLEXIBLE', CARD, LATE), /^Cancelling costs €113\.00\. /);
  t.match(said('NON_REFUNDABLE', CARD, NOW), /^No refund\. /);
  for (const [language, before, after] of [
    ['de', /\. Danach kostet eine Stornierung 113,00\s€\. /, /^Eine Stornierung kostet 113,00\s€\. /],
    ['fr', /\. Ensuite, elle coûte 113,00\s€\. /, /^L’annulation coûte 113,00\s€\. /],
    ['es', /\. Después cuesta 113,00\s€\. /, /^La cancelación cuesta 113,00\s€\. /],
    ['pt', /\. Depois custa €\s113,00\. /, /^O cancelamento custa €\s113,00\. /],
  ] as const) {
    t.match(said('FLEXIBLE', CARD, NOW, language), before);
    t.match(said('FLEXIBLE', CARD, LATE, language), after);
  }
});

void t.test('what is not paid by then, and that no card answers for, is said to be the most', async (t) => {
  const deposit = (percent: number, due: { at: 'BOOKING' } | { daysBefore: number }): BookingGuarantee => ({
    kind: 'PREPAY',
    schedule: [{ percent, due }],
  });
  const most = /After that it costs up to €113\.00\./;
  t.match(said('FLEXIBLE', { kind: 'NONE', releaseHour: null }, NOW), most);
  t.match(said('FLEXIBLE', deposit(10, { at: 'BOOKING' }), NOW), most, 'a deposit that is less');
  t.match(said('FLEXIBLE', deposit(100, { daysBefore: 3 }), NOW), most, 'nothing may be paid by then');
  t.match(said('FLEXIBLE', deposit(40, { at: 'BOOKING' }), NOW), /After that it costs €113\.00\./);
});

void t.test('what costs nothing at any time is free', async (t) => {
  const free = { ...termsUnder('FLEXIBLE', metadata.policies) };
  const cancellation = { freeUntilHours: null, penalty: { kind: 'NONE' as const, value: 0 } };
  const terms = termsFor({ ...free, cancellation }, CARD, { checkIn, nights, currency }, metadata);
  const texts = textsFor('en', undefined, false);
  t.match(offerTermsText(texts, { terms, currency }, metadata, NOW), /^Cancelling is free\. /);
});
