import type { LetterTexts } from './letter-texts.ts';
import { type Letter, letterOfKind } from './letter.ts';
import { priceDetails, stayDetails, stayLink, stayValues, type NotifiedBooking } from './notified-booking.ts';

/** The stay is about to begin (24 hours before, by default). */
export function reminderLetter(notified: NotifiedBooking, texts: LetterTexts): Letter {
  const details = [...stayDetails(texts, notified), ...priceDetails(texts, notified)];
  return letterOfKind('REMINDER', stayValues(texts, notified), { details, ...stayLink(texts, notified) });
}
