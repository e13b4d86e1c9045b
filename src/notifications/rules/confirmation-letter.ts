import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Letter } from './letter.ts';
import { cancellationTerms, guestName, priceDetails, stayDetails, type NotifiedBooking } from './notified-booking.ts';

/** The reservation is confirmed, or confirmed again. */
export function confirmationLetter(notified: NotifiedBooking, now: Instant): Letter {
  const { property, booking } = notified;
  const again = booking.event === 'REINSTATED';
  return {
    subject: `Your reservation ${booking.confirmationNumber} at ${property.name} is confirmed${again ? ' again' : ''}`,
    to: guestName(notified),
    opening: [
      again
        ? 'Your reservation had ended. We have taken that back: it is confirmed as you booked it, and we look forward to your stay.'
        : 'Thank you for your reservation. It is confirmed, and we look forward to your stay.',
    ],
    details: [...stayDetails(notified), ...priceDetails(notified)],
    closing: [cancellationTerms(notified, now), 'Please have your confirmation number ready when you contact us.'],
  };
}
