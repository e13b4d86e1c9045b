import { type Day, formatDay, WEEKDAYS, weekdayIndex } from '../../kernel/rules/dates.ts';
import type { Booking } from '../../kernel/rules/journal.ts';
import { decimalText, incrementOf, type Minor } from '../../kernel/rules/money.ts';
import { type Instant, localTime } from '../../kernel/rules/property-time.ts';
import { daysUntil } from '../../kernel/rules/stay-days.ts';
import type { Property } from '../../properties/rules/property.ts';
import { latestDeparture } from '../../rates/rules/day-use.ts';
import { bookingTermsOf } from '../../stay/rules/booking-terms.ts';
import { freeUntil } from '../../stay/rules/cancellation.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';

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
};

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** `Monday 21 June 2027`. */
export function longDate(day: Day): string {
  const [year, month, date] = formatDay(day).split('-').map(Number) as [number, number, number];
  const weekday = WEEKDAYS[weekdayIndex(day)]!;
  return `${weekday[0]}${weekday.slice(1).toLowerCase()} ${date} ${MONTHS[month - 1]} ${year}`;
}

/** `EUR 220.55`. */
export function priceText(amount: Minor, { reservation }: { reservation: { currency: string } }): string {
  const { currency } = reservation;
  return `${currency} ${incrementOf(currency) === 1 ? decimalText(amount) : amount / 100}`;
}

/** `1 night`, `2 nights`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

/** A moment in the property's date and time. */
export function localMoment(at: Instant, { property }: NotifiedBooking): string {
  const { day, time } = localTime(at, property.metadata.timezone);
  return `${longDate(day)}, ${time}`;
}

export function guestName({ reservation }: NotifiedBooking): string {
  return `${reservation.guest.firstName} ${reservation.guest.lastName}`;
}

/** Rows about the stay in every letter. */
export function stayDetails(notified: NotifiedBooking): [string, string][] {
  const { booking, property, roomType } = notified;
  const { checkIn, checkOut, guests, confirmationNumber } = booking;
  const days = daysUntil(checkIn, checkOut);
  const from = days.dayUse ? '' : `, from ${property.metadata.checkInTime}`;
  return [
    ['Confirmation number', confirmationNumber],
    ['Hotel', property.name],
    ['Check-in', `${longDate(checkIn)}${from}`],
    ['Check-out', `${longDate(checkOut)}, until ${latestDeparture(days, property.metadata)}`],
    ['Nights', String(checkOut - checkIn)],
    ['Room type', roomType],
    ['Guests', String(guests)],
  ];
}

/** Price, and the part still to be paid. */
export function priceDetails(booking: NotifiedBooking): [string, string][] {
  const { total, paid } = booking.booking;
  const due = total - paid;
  const rows: [string, string][] = [
    ['Total', priceText(total, booking)],
    ['Paid', priceText(paid, booking)],
  ];
  return due > 0 ? [...rows, ['To be paid', priceText(due, booking)]] : rows;
}

/** End of free cancellation, as of `now`. */
export function cancellationTerms(notified: NotifiedBooking, now: Instant): string {
  const { reservation, booking, property } = notified;
  const until = freeUntil(
    bookingTermsOf(reservation, property.metadata.policies),
    booking.checkIn,
    property.metadata,
  );
  if (until === null) return 'This rate is not refunded when you cancel.';
  if (until <= now) return 'The time for free cancellation has passed.';
  return `You can cancel free of charge until ${localMoment(until, notified)} (time at the hotel).`;
}
