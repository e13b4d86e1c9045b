import type { Instant } from '../../kernel/rules/property-time.ts';
import { type LetterTexts, propertyMoment } from './letter-texts.ts';
import { type Letter, letterOfKind } from './letter.ts';
import {
  cancellationTerms,
  priceDetails,
  stayDetails,
  stayLink,
  stayValues,
  type NotifiedBooking,
} from './notified-booking.ts';

/**
 * The reservation was changed, or was reinstated and waits for its payment; the letter describes its current state.
 */
export function modificationLetter(notified: NotifiedBooking, texts: LetterTexts, now: Instant): Letter {
  const { property, booking } = notified;
  const values = stayValues(texts, notified);
  const rest = {
    details: [...stayDetails(texts, notified), ...priceDetails(texts, notified)],
    notices: [cancellationTerms(texts, notified, now)],
    ...stayLink(texts, notified),
  };
  if (booking.event !== 'REINSTATED') return letterOfKind('MODIFICATION', values, rest);
  const { heldUntil } = booking;
  const deadline =
    heldUntil === undefined
      ? { hasDeadline: 'no', deadline: '' }
      : { hasDeadline: 'yes', deadline: propertyMoment(texts, heldUntil, property) };
  return letterOfKind('OPEN_AGAIN', { ...values, ...deadline }, rest);
}
