import t from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { notifiedBooking } from '../../testing/notified-booking.ts';
import { stayWish } from '../../testing/property-world.ts';
import { letterTextsIn } from '../contracts/letter-texts.ts';
import { letterOf, mailOfLetter, smsText as smsIn } from './message.ts';
import { type BookingNotice, NOTIFICATION_KINDS } from './notification.ts';
import type { NotifiedBooking } from './notified-booking.ts';
import { isStayMail } from './stay-mail.ts';
import { type OfferedRoom, waitlistOfferLetter } from './waitlist-offer-letter.ts';

const BOOKING_KINDS = NOTIFICATION_KINDS.filter(
  (kind): kind is BookingNotice => kind !== 'WAITLIST_OFFER' && !isStayMail(kind),
);
const EN = letterTextsIn('en');
const mailText = (kind: BookingNotice, booking: NotifiedBooking, now: number) =>
  mailOfLetter(letterOf(kind, booking, EN, now), booking.property, EN);
const smsText = (kind: BookingNotice, booking: NotifiedBooking, now: number) => smsIn(kind, booking, EN, now);
const offerText = (offered: OfferedRoom) => mailOfLetter(waitlistOfferLetter(offered, EN), offered.property, EN);
const NOW = Date.parse('2027-06-01T10:00:00Z');
const LATE = Date.parse('2027-06-20T10:00:00Z');

const SIGNATURE = `The Anchor
Hafenstr. 1
20457 Hamburg
Germany
+49 40 1234
desk@anchor.example
`;
const STAY = `Confirmation number: 7GK2M9X4QD
Hotel:               The Anchor
Check-in:            Monday 21 June 2027, from 15:00
Check-out:           Wednesday 23 June 2027, until 11:00
Nights:              2
Room type:           Double room with a view
Guests:              3
`;
const MONEY = `Total:               EUR 441.10
Paid:                EUR 220.55
To be paid:          EUR 220.55
`;

t.test(
  'a confirmation contains the stay, the price and until when cancelling is free, in the time of the hotel',
  async (t) => {
    const { subject, text } = mailText('CONFIRMATION', notifiedBooking(), NOW);
    t.equal(subject, 'Your reservation 7GK2M9X4QD at The Anchor is confirmed');
    t.equal(
      text,
      `Dear Ada Byron,

Thank you for your reservation. It is confirmed, and we look forward to your stay.

${STAY}${MONEY}
You can cancel free of charge until Saturday 19 June 2027, 15:00 (time at the hotel).

Please have your confirmation number ready when you contact us.

${SIGNATURE}`,
    );
    t.match(
      mailText('CONFIRMATION', notifiedBooking({ policy: 'NON_REFUNDABLE' }), NOW).text,
      'This rate is not refunded',
    );
    t.match(mailText('CONFIRMATION', notifiedBooking(), LATE).text, 'The time for free cancellation has passed.');
  },
);

t.test('a modification describes the current stay', async (t) => {
  const { subject, text } = mailText('MODIFICATION', notifiedBooking({ policy: 'FLEXIBLE' }), NOW);
  t.equal(subject, 'Your reservation 7GK2M9X4QD at The Anchor has been changed');
  t.match(
    text,
    `This is how it stands now:\n\n${STAY}${MONEY}\nYou can cancel free of charge until Sunday 20 June 2027`,
  );
});

t.test('a guest who was notified of an end is notified of the reinstatement, and until when to pay', async (t) => {
  const confirmed = mailText('CONFIRMATION', notifiedBooking({ event: 'REINSTATED' }), NOW);
  t.equal(confirmed.subject, 'Your reservation 7GK2M9X4QD at The Anchor is confirmed again');
  t.match(confirmed.text, `Your reservation had ended. We have taken that back: it is confirmed as you booked it`);
  const heldUntil = Date.parse('2027-06-01T10:15:00Z');
  const open = notifiedBooking({ event: 'REINSTATED', status: 'PENDING', heldUntil });
  const { subject, text } = mailText('MODIFICATION', open, NOW);
  t.equal(subject, 'Your reservation 7GK2M9X4QD at The Anchor is open again');
  t.match(text, 'hold the room for your payment until Tuesday 1 June 2027, 12:15 (time at the hotel).');
  t.match(text, MONEY);
});

t.test('a no-show guest is notified that the reservation has ended, and of its cost', async (t) => {
  const missed = notifiedBooking({ status: 'NO_SHOW', cancellation: { penalty: 22_055 } });
  const { subject, text } = mailText('CANCELLATION', missed, NOW);
  t.equal(subject, 'Your reservation 7GK2M9X4QD at The Anchor has ended');
  const money = 'No-show fee:         EUR 220.55\nRefund:              EUR 0.00\n';
  t.match(text, `We expected you, and you did not arrive. Your reservation has ended`);
  t.match(text, `${STAY}${money}\nIf you are on your way, or this is a mistake, please contact us at once.`);
  t.notMatch(text, 'has been cancelled');
});

t.test('a cancellation states the penalty and the refund', async (t) => {
  const free = mailText('CANCELLATION', notifiedBooking({ cancellation: { refund: 22_055 } }), NOW);
  t.equal(free.subject, 'Your reservation 7GK2M9X4QD at The Anchor has been cancelled');
  const money = 'Cancellation fee:    EUR 0.00\nRefund:              EUR 220.55\n';
  t.match(free.text, `Your reservation has been cancelled.\n\n${STAY}${money}\nThe refund goes back`);
  const dear = mailText('CANCELLATION', notifiedBooking({ cancellation: { penalty: 22_055 } }), NOW).text;
  t.match(dear, 'Cancellation fee:    EUR 220.55\nRefund:              EUR 0.00\n');
  t.notMatch(dear, 'goes back');
  const expired = mailText('CANCELLATION', notifiedBooking({ cancellation: { reason: 'HOLD_EXPIRED' } }), NOW).text;
  t.match(
    expired,
    `was not paid in time. It has been cancelled, and the room is no longer kept for you.\n\n${STAY}\n`,
  );
  const cancellation = { reason: 'HOLD_EXPIRED' as const, penalty: 22_055 };
  t.match(
    mailText('CANCELLATION', notifiedBooking({ cancellation }), NOW).text,
    `${STAY}Cancellation fee:    EUR 220.55\n`,
    'reinstated, and not paid',
  );
});

t.test('a guest who is walked learns where to go, what comes back and what is owed', async (t) => {
  const walk = { to: 'The Crown, Quay 5', compensation: 5_000 as Minor };
  const walked = notifiedBooking({ status: 'CANCELLED', cancellation: { reason: 'WALKED', refund: 22_055, walk } });
  const { subject, text } = mailText('CANCELLATION', walked, NOW);
  t.equal(subject, 'Your reservation 7GK2M9X4QD at The Anchor has been moved to another hotel');
  t.match(text, 'You are expected at this hotel: The Crown, Quay 5. Your reservation here has been cancelled.');
  t.match(text, `${STAY}Refund:              EUR 220.55\nCompensation:        EUR 50.00\n\nThe refund goes back`);
  t.notMatch(text, 'fee');
  const erased = notifiedBooking({ cancellation: { reason: 'WALKED', walk: { compensation: 0 } } });
  t.match(mailText('CANCELLATION', erased, NOW).text, 'Another hotel expects you.');
});

t.test('a failed instalment says what is due, and what becomes of it', async (t) => {
  const failed = { ...notifiedBooking({ event: 'PAYMENT_FAILED' }), instalment: 10_000 as Minor };
  const { subject, text } = mailText('PAYMENT_FAILED', failed, NOW);
  t.equal(subject, 'A payment for your reservation 7GK2M9X4QD at The Anchor has failed');
  t.match(text, `${STAY}${MONEY}Due now:             EUR 100.00\n\nPlease contact us to pay it. We try three times`);
  t.equal(smsText('PAYMENT_FAILED', failed, NOW), `${subject}.`);
});

t.test('the last failed instalment asks for nothing: the stay is over', async (t) => {
  const cancellation = { reason: 'NO_PAYMENT' as const };
  const { text } = mailText('PAYMENT_FAILED', notifiedBooking({ event: 'PAYMENT_FAILED', cancellation }), NOW);
  t.match(text, 'Your reservation has ended. Another message says what that means for you.');
  t.notMatch(text, /Due now|We try/);
});

t.test('a reminder states when the stay begins', async (t) => {
  const { subject, text } = mailText('REMINDER', notifiedBooking(), LATE);
  t.equal(subject, 'Your stay at The Anchor begins on Monday 21 June 2027');
  t.match(text, `We look forward to seeing you.\n\n${STAY}${MONEY}\nPlease bring an identity document`);
});

t.test('the HTML says what the plain text says', async (t) => {
  for (const kind of BOOKING_KINDS) {
    const { text, html } = mailText(kind, notifiedBooking({ cancellation: { refund: 1 } }), NOW);
    const words = (of: string) => of.replaceAll(/\s+/g, ' ').trim();
    const plain = html
      .replace(/<head>.*<\/head>/, '')
      .replaceAll('</th><td', ': </th><td')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
    t.equal(words(plain).replaceAll(' : ', ': '), words(text));
    t.match(html, /^<!doctype html>\n<html lang="en">/);
    t.notMatch(html, /https?:|src=|url\(/, 'nothing is loaded');
  }
});

t.test('a typed name breaks neither HTML nor lines', async (t) => {
  const odd = notifiedBooking({ name: `Tom & "Jerry's" <script>alert(1)</script>\r\nBcc: all@example.com` });
  odd.reservation.guest.firstName = '<img src=x onerror=y>\n\nAda';
  const { subject, text, html } = mailText('CONFIRMATION', odd, NOW);
  t.notMatch(subject, /[\r\n]/);
  t.notMatch(html, /<script|<img/);
  t.match(html, '&#60;script&#62;alert(1)&#60;/script&#62;');
  t.match(html, 'Tom &#38; &#34;Jerry&#39;s&#34;');
  t.notMatch(text, /^(Bcc|Ada)/m);
});

t.test('no message mentions the card', async (t) => {
  const one = notifiedBooking();
  const billing = { method: 'CREDIT_CARD', address: { name: 'B. Cardholder' } };
  Object.assign(one.reservation, { billing, payments: [{ method: 'CREDIT_CARD', transactionId: 'tx_secret' }] });
  for (const kind of BOOKING_KINDS) t.notMatch(JSON.stringify(mailText(kind, one, NOW)), /card|tx_/i);
});

t.test('a text says it in one line of bounded length', async (t) => {
  t.equal(
    smsText('CONFIRMATION', notifiedBooking(), NOW),
    'Your reservation 7GK2M9X4QD at The Anchor is confirmed: Monday 21 June 2027 from 15:00, 2 nights.',
  );
  t.equal(
    smsText('CANCELLATION', notifiedBooking(), NOW),
    'Your reservation 7GK2M9X4QD at The Anchor has been cancelled.',
  );
  t.equal(
    smsText('REMINDER', notifiedBooking(), NOW),
    'Your stay at The Anchor begins on Monday 21 June 2027: 7GK2M9X4QD.',
  );
  const long = smsText('MODIFICATION', notifiedBooking({ name: 'x'.repeat(400) }), NOW);
  t.equal(long.length, 300);
  t.match(long, /…$/);
});

t.test('an offer says what is kept, for how long and at which price', async (t) => {
  const { property } = notifiedBooking();
  const guest = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
  const stay = stayWish({ checkIn: dayOf('2027-06-21'), checkOut: dayOf('2027-06-23'), adults: 2 });
  const expiresAt = Date.parse('2027-06-01T10:30:00Z');
  const offer = { holdId: 'h', expiresAt, total: 22_800 as Minor, currency: 'EUR' };
  const { subject, text } = offerText({ property, entry: { stay, guest, offer }, roomType: 'Standard room' });
  t.equal(subject, 'A room is free for you at The Anchor');
  t.match(text, 'We keep it for you until Tuesday 1 June 2027, 12:30 (time at the hotel).');
  t.match(text, 'Check-in:  Monday 21 June 2027\nCheck-out: Wednesday 23 June 2027, until 11:00\n');
  t.match(text, 'Total:     EUR 228.00');
});
