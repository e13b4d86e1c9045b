import type { Instant } from '../../kernel/rules/property-time.ts';
import { daysUntil } from '../../kernel/rules/stay-days.ts';
import type { Property } from '../../properties/rules/property.ts';
import { latestDeparture } from '../../rates/rules/day-use.ts';
import { cancellationLetter } from './cancellation-letter.ts';
import { confirmationLetter } from './confirmation-letter.ts';
import { type Letter, letterHtml, letterText, oneLine } from './letter.ts';
import { modificationLetter } from './modification-letter.ts';
import type { BookingNotice } from './notification.ts';
import { counted, longDate, type NotifiedBooking } from './notified-booking.ts';
import { paymentFailedLetter } from './payment-failed-letter.ts';
import { reminderLetter } from './reminder-letter.ts';
import { type OfferedRoom, waitlistOfferLetter } from './waitlist-offer-letter.ts';

/** A letter in the format of mail programs. */
export type MailText = { subject: string; text: string; html: string };

/** Length of two SMS segments. */
const SMS_CHARACTERS = 300;

function letterOf(kind: BookingNotice, booking: NotifiedBooking, now: Instant): Letter {
  switch (kind) {
    case 'CONFIRMATION':
      return confirmationLetter(booking, now);
    case 'MODIFICATION':
      return modificationLetter(booking, now);
    case 'CANCELLATION':
      return cancellationLetter(booking);
    case 'REMINDER':
      return reminderLetter(booking);
    case 'PAYMENT_FAILED':
      return paymentFailedLetter(booking);
  }
}

/** Subject, plain text and HTML of a notification, from the same data. */
export function mailText(kind: BookingNotice, booking: NotifiedBooking, now: Instant): MailText {
  return mailOfLetter(letterOf(kind, booking, now), booking.property);
}

/** The mail about a room that is offered to a guest who waits. */
export function offerText(offered: OfferedRoom): MailText {
  return mailOfLetter(waitlistOfferLetter(offered), offered.property);
}

function mailOfLetter(letter: Letter, property: Property): MailText {
  return {
    subject: oneLine(letter.subject),
    text: letterText(letter, property),
    html: letterHtml(letter, property),
  };
}

/** Short text: the event, and when the guest is expected. */
export function smsText(kind: BookingNotice, booking: NotifiedBooking, now: Instant): string {
  const { subject } = letterOf(kind, booking, now);
  const { checkIn, checkOut, confirmationNumber } = booking.booking;
  const { metadata } = booking.property;
  const nights = `from ${metadata.checkInTime}, ${counted(checkOut - checkIn, 'night')}`;
  const days = daysUntil(checkIn, checkOut);
  const stay = `${longDate(checkIn)} ${days.dayUse ? `until ${latestDeparture(days, metadata)}` : nights}`;
  const more = {
    CONFIRMATION: stay,
    MODIFICATION: stay,
    CANCELLATION: '',
    REMINDER: confirmationNumber,
    PAYMENT_FAILED: '',
  }[kind];
  const text = oneLine(more === '' ? `${subject}.` : `${subject}: ${more}.`);
  return text.length > SMS_CHARACTERS ? `${text.slice(0, SMS_CHARACTERS - 1)}…` : text;
}
