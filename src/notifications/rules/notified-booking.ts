import type { Booking } from '../../kernel/rules/journal.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { daysUntil } from '../../kernel/rules/stay-days.ts';
import type { Property } from '../../properties/rules/property.ts';
import { latestDeparture } from '../../rates/rules/day-use.ts';
import { bookingTermsOf } from '../../stay/rules/booking-terms.ts';
import { freeUntil } from '../../stay/rules/cancellation.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { LetterValue } from './letter-kinds.ts';
import { type LetterTexts, propertyMoment } from './letter-texts.ts';
import type { Letter } from './letter.ts';

/** Data for a letter: the booking at the time of the event, and its unchanging surroundings. */
export type NotifiedBooking = {
  property: Property;
  booking: Pick<Booking, 'confirmationNumber' | 'checkIn' | 'checkOut' | 'guests' | 'total' | 'paid' | 'status'> &
    Partial<Pick<Booking, 'event' | 'heldUntil'>>;
  reservation: Pick<Reservation, 'guest' | 'currency' | 'cancellationPolicy' | 'cancellation'>;
  /** Part of the price that is due now, where an instalment could not be collected. */
  instalment?: Minor;
  /** Name of the room type in the property. */
  roomType: string;
  /** The page of the stay for its guest. */
  stayUrl?: string;
};

/** An amount in the currency of the reservation. */
export function priceText(
  texts: LetterTexts,
  amount: Minor,
  { reservation }: { reservation: { currency: string } },
): string {
  return texts.money(amount, reservation.currency);
}

export function guestName({ reservation }: NotifiedBooking): string {
  return `${reservation.guest.firstName} ${reservation.guest.lastName}`;
}

/** Values that every letter about a booking knows. */
export function stayValues(
  texts: LetterTexts,
  notified: NotifiedBooking,
): Record<LetterValue<'CONFIRMATION'>, string | number> {
  const { booking, property, roomType } = notified;
  const { checkIn, checkOut, guests, confirmationNumber, total, paid } = booking;
  const price = (amount: Minor): string => priceText(texts, amount, notified);
  return {
    guest: guestName(notified),
    property: property.name,
    confirmationNumber,
    arrival: texts.day(checkIn),
    departure: texts.day(checkOut),
    nights: checkOut - checkIn,
    roomType,
    guests,
    amount: price(total),
    paid: price(paid),
    due: price(Math.max(0, total - paid)),
  };
}

/** Rows about the stay in every letter. */
export function stayDetails(texts: LetterTexts, notified: NotifiedBooking): [string, string][] {
  const { booking, property, roomType } = notified;
  const { checkIn, checkOut, guests, confirmationNumber } = booking;
  const days = daysUntil(checkIn, checkOut);
  const arrival = texts.day(checkIn);
  const until = latestDeparture(days, property.metadata);
  return [
    [texts.text('confirmationNumber'), confirmationNumber],
    [texts.text('hotel'), property.name],
    [
      texts.text('checkIn'),
      days.dayUse ? arrival : texts.text('from', { day: arrival, time: property.metadata.checkInTime }),
    ],
    [texts.text('checkOut'), texts.text('until', { day: texts.day(checkOut), time: until })],
    [texts.text('nights'), String(checkOut - checkIn)],
    [texts.text('roomType'), roomType],
    [texts.text('guests'), String(guests)],
  ];
}

/** Price, and the part still to be paid. */
export function priceDetails(texts: LetterTexts, booking: NotifiedBooking): [string, string][] {
  const { total, paid } = booking.booking;
  const due = total - paid;
  const rows: [string, string][] = [
    [texts.text('total'), priceText(texts, total, booking)],
    [texts.text('paid'), priceText(texts, paid, booking)],
  ];
  return due > 0 ? [...rows, [texts.text('toBePaid'), priceText(texts, due, booking)]] : rows;
}

/** The page on which the guest manages the stay, where the letter has one. */
export function stayLink(texts: LetterTexts, { stayUrl }: NotifiedBooking): Pick<Letter, 'link'> {
  return stayUrl === undefined ? {} : { link: { label: texts.text('stayLink'), url: stayUrl } };
}

/** End of free cancellation, as of `now`. */
export function cancellationTerms(texts: LetterTexts, notified: NotifiedBooking, now: Instant): string {
  const { reservation, booking, property } = notified;
  const until = freeUntil(
    bookingTermsOf(reservation, property.metadata.policies),
    booking.checkIn,
    property.metadata,
  );
  if (until === null) return texts.text('notice.notRefunded');
  if (until <= now) return texts.text('notice.freeIsOver');
  return texts.text('notice.freeUntil', { deadline: propertyMoment(texts, until, property) });
}
