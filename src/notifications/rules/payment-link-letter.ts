import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { departureOf } from '../../kernel/rules/stay-days.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { type LetterTexts, propertyMoment } from './letter-texts.ts';
import { type Letter, letterOfKind } from './letter.ts';
import { priceText } from './notified-booking.ts';

/** A stay whose bill a link pays. */
type LinkedBill = {
  reservation: Pick<Reservation, 'stay' | 'confirmationNumber' | 'currency'> & {
    guest: Pick<Reservation['guest'], 'firstName' | 'lastName'>;
  };
  property: Property;
  bill: { total: Minor; paid: Minor };
  /** What the link takes as of now. */
  due: Minor;
  url: string;
  expiresAt: Instant;
};

/** The mail with a link by which a stay is paid (docs/reference/payment-links.md#send). */
export function paymentLinkLetter(linked: LinkedBill, texts: LetterTexts): Letter {
  const { reservation, property, bill, due, url, expiresAt } = linked;
  const { stay, guest, confirmationNumber } = reservation;
  const price = (amount: Minor): string => priceText(texts, amount, linked);
  const values = {
    guest: `${guest.firstName} ${guest.lastName}`,
    property: property.name,
    confirmationNumber,
    arrival: texts.day(stay.checkIn),
    departure: texts.day(departureOf(stay)),
    amount: price(bill.total),
    paid: price(bill.paid),
    due: price(due),
    until: propertyMoment(texts, expiresAt, property),
  };
  return letterOfKind('PAYMENT_LINK', values, {
    details: [
      [texts.text('confirmationNumber'), confirmationNumber],
      [texts.text('hotel'), property.name],
      [texts.text('checkIn'), values.arrival],
      [texts.text('checkOut'), values.departure],
      [texts.text('total'), values.amount],
      [texts.text('paid'), values.paid],
      [texts.text('toBePaid'), values.due],
    ],
    link: { label: texts.text('payLink'), url },
  });
}
