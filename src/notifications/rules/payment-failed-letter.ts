import type { Letter } from './letter.ts';
import { guestName, priceDetails, priceText, stayDetails, type NotifiedBooking } from './notified-booking.ts';

/**
 * An instalment could not be collected; how it was to be paid is not named. With the last failure the stay is over
 * when the letter is written, and nothing is asked for.
 */
export function paymentFailedLetter(notified: NotifiedBooking): Letter {
  const { property, booking, reservation, instalment } = notified;
  const due: [string, string][] = instalment === undefined ? [] : [['Due now', priceText(instalment, notified)]];
  const closing = reservation.cancellation
    ? 'Your reservation has ended. Another message says what that means for you. If this is a mistake, please contact us.'
    : 'Please contact us to pay it. We try three times, once a day. If it is still not paid then, your reservation is cancelled under its terms.';
  return {
    subject: `A payment for your reservation ${booking.confirmationNumber} at ${property.name} has failed`,
    to: guestName(notified),
    opening: ['A part of the price of your reservation is due, and we could not collect it.'],
    details: [...stayDetails(notified), ...priceDetails(notified), ...due],
    closing: [closing],
  };
}
