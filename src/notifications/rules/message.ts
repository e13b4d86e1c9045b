import type { Instant } from '../../kernel/rules/property-time.ts';
import { daysUntil } from '../../kernel/rules/stay-days.ts';
import { latestDeparture } from '../../rates/rules/day-use.ts';
import { cancellationLetter } from './cancellation-letter.ts';
import { confirmationLetter } from './confirmation-letter.ts';
import type { OwnTexts } from './letter-kinds.ts';
import type { LetterTexts } from './letter-texts.ts';
import { type AnyLetter, type Letter, letterHtml, letterText, oneLine, type Sender, writeLetter } from './letter.ts';
import { modificationLetter } from './modification-letter.ts';
import type { BookingNotice } from './notification.ts';
import type { NotifiedBooking } from './notified-booking.ts';
import { paymentFailedLetter } from './payment-failed-letter.ts';
import { reminderLetter } from './reminder-letter.ts';

/** A letter in the format of mail programs. */
export type MailText = { subject: string; text: string; html: string };

/** Length of two SMS segments. */
const SMS_CHARACTERS = 300;

/** The letter of a notification. */
export function letterOf(kind: BookingNotice, booking: NotifiedBooking, texts: LetterTexts, now: Instant): Letter {
  switch (kind) {
    case 'CONFIRMATION':
      return confirmationLetter(booking, texts, now);
    case 'MODIFICATION':
      return modificationLetter(booking, texts, now);
    case 'CANCELLATION':
      return cancellationLetter(booking, texts);
    case 'REMINDER':
      return reminderLetter(booking, texts);
    case 'PAYMENT_FAILED':
      return paymentFailedLetter(booking, texts);
  }
}

/** Subject, plain text and HTML of a letter, from the same data. @throws Error as `writeLetter` */
export function mailOfLetter(letter: AnyLetter, sender: Sender, texts: LetterTexts, own?: OwnTexts): MailText {
  const written = writeLetter(letter, texts, own);
  return { subject: written.subject, text: letterText(written, sender), html: letterHtml(written, sender) };
}

/** Short text: the event, and when the guest is expected. It has no own texts: their length is not bounded. */
export function smsText(kind: BookingNotice, booking: NotifiedBooking, texts: LetterTexts, now: Instant): string {
  const letter = letterOf(kind, booking, texts, now);
  const { subject } = writeLetter(letter, texts);
  const text = oneLine(shortText(kind, booking, texts, subject));
  return text.length > SMS_CHARACTERS ? `${text.slice(0, SMS_CHARACTERS - 1)}…` : text;
}

function shortText(kind: BookingNotice, { booking, property }: NotifiedBooking, texts: LetterTexts, subject: string) {
  const { checkIn, checkOut, confirmationNumber } = booking;
  const { metadata } = property;
  if (kind === 'REMINDER') return texts.text('sms.number', { subject, confirmationNumber });
  if (kind !== 'CONFIRMATION' && kind !== 'MODIFICATION') return texts.text('sms.plain', { subject });
  const days = daysUntil(checkIn, checkOut);
  const day = texts.day(checkIn);
  return days.dayUse
    ? texts.text('sms.dayUse', { subject, day, time: latestDeparture(days, metadata) })
    : texts.text('sms.stay', { subject, day, time: metadata.checkInTime, nights: checkOut - checkIn });
}
