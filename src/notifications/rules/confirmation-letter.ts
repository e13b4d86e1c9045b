import type { Instant } from '../../kernel/rules/property-time.ts';
import type { LetterTexts } from './letter-texts.ts';
import { type Letter, letterOfKind } from './letter.ts';
import {
  cancellationTerms,
  priceDetails,
  stayDetails,
  stayLink,
  stayValues,
  type NotifiedBooking,
} from './notified-booking.ts';

/** The reservation is confirmed, or confirmed again. */
export function confirmationLetter(notified: NotifiedBooking, texts: LetterTexts, now: Instant): Letter {
  const kind = notified.booking.event === 'REINSTATED' ? 'CONFIRMED_AGAIN' : 'CONFIRMATION';
  return letterOfKind(kind, stayValues(texts, notified), {
    details: [...stayDetails(texts, notified), ...priceDetails(texts, notified)],
    notices: [cancellationTerms(texts, notified, now)],
    ...stayLink(texts, notified),
  });
}
