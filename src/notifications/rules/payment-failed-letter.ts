import { NO_MONEY } from '../../kernel/rules/money.ts';
import type { LetterTexts } from './letter-texts.ts';
import { type Letter, letterOfKind } from './letter.ts';
import { priceDetails, priceText, stayDetails, stayValues, type NotifiedBooking } from './notified-booking.ts';

/**
 * An instalment could not be collected; how it was to be paid is not named. With the last failure the stay is over
 * when the letter is written, and nothing is asked for.
 */
export function paymentFailedLetter(notified: NotifiedBooking, texts: LetterTexts): Letter {
  const { reservation, instalment } = notified;
  const values = stayValues(texts, notified);
  const dueNow = priceText(texts, instalment ?? NO_MONEY, notified);
  const due: [string, string][] = instalment === undefined ? [] : [[texts.text('dueNow'), dueNow]];
  const rest = { details: [...stayDetails(texts, notified), ...priceDetails(texts, notified), ...due] };
  return reservation.cancellation
    ? letterOfKind('LAST_PAYMENT_FAILED', values, rest)
    : letterOfKind('PAYMENT_FAILED', { ...values, dueNow }, rest);
}
