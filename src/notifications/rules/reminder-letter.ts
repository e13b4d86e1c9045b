import type { Letter } from './letter.ts';
import { guestName, longDate, priceDetails, stayDetails, type NotifiedBooking } from './notified-booking.ts';

/** The stay is about to begin (24 hours before, by default). */
export function reminderLetter(notified: NotifiedBooking): Letter {
  const { property, booking } = notified;
  return {
    subject: `Your stay at ${property.name} begins on ${longDate(booking.checkIn)}`,
    to: guestName(notified),
    opening: ['Your stay is about to begin. We look forward to seeing you.'],
    details: [...stayDetails(notified), ...priceDetails(notified)],
    closing: ['Please bring an identity document: we have to see it at check-in.'],
  };
}
