import type { Letter } from './letter.ts';
import { guestName, priceDetails, priceText, stayDetails, type NotifiedBooking } from './notified-booking.ts';

/** An instalment could not be collected; how it was to be paid is not named. */
export function paymentFailedLetter(notified: NotifiedBooking): Letter {
  const { property, booking, instalment } = notified;
  const due: [string, string][] = instalment === undefined ? [] : [['Due now', priceText(instalment, notified)]];
  return {
    subject: `A payment for your reservation ${booking.confirmationNumber} at ${property.name} has failed`,
    to: guestName(notified),
    opening: ['A part of the price of your reservation is due, and we could not collect it.'],
    details: [...stayDetails(notified), ...priceDetails(notified), ...due],
    closing: [
      'Please contact us to pay it. We try three times, once a day. If it is still not paid then, your reservation is cancelled under its terms.',
    ],
  };
}
