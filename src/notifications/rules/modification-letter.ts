import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Letter } from './letter.ts';
import {
  cancellationTerms,
  guestName,
  localMoment,
  priceDetails,
  stayDetails,
  type NotifiedBooking,
} from './notified-booking.ts';

/** The reservation was changed; the letter describes its current state. */
export function modificationLetter(notified: NotifiedBooking, now: Instant): Letter {
  const { property, booking } = notified;
  if (booking.event === 'REINSTATED') return reinstatedLetter(notified, now);
  return {
    subject: `Your reservation ${booking.confirmationNumber} at ${property.name} has been changed`,
    to: guestName(notified),
    opening: ['Your reservation has been changed. This is how it stands now:'],
    details: [...stayDetails(notified), ...priceDetails(notified)],
    closing: [cancellationTerms(notified, now), 'If you did not expect this change, please contact us.'],
  };
}

/** The reservation was reinstated and waits for its payment. */
function reinstatedLetter(notified: NotifiedBooking, now: Instant): Letter {
  const { property, booking } = notified;
  const { confirmationNumber, heldUntil } = booking;
  const until = heldUntil === undefined ? '' : ` until ${localMoment(heldUntil, notified)} (time at the hotel)`;
  return {
    subject: `Your reservation ${confirmationNumber} at ${property.name} is open again`,
    to: guestName(notified),
    opening: [`Your reservation had ended. We have taken that back, and hold the room for your payment${until}.`],
    details: [...stayDetails(notified), ...priceDetails(notified)],
    closing: [cancellationTerms(notified, now), 'If you did not expect this, please contact us.'],
  };
}
