import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Letter } from './letter.ts';
import { cancellationTerms, guestName, priceDetails, stayDetails, type NotifiedBooking } from './notified-booking.ts';

/** The reservation was changed; the letter describes its current state. */
export function modificationLetter(told: NotifiedBooking, now: Instant): Letter {
  const { property, booking } = told;
  return {
    subject: `Your reservation ${booking.confirmationNumber} at ${property.name} has been changed`,
    to: guestName(told),
    opening: ['Your reservation has been changed. This is how it stands now:'],
    details: [...stayDetails(told), ...priceDetails(told)],
    closing: [cancellationTerms(told, now), 'If you did not expect this change, please contact us.'],
  };
}
