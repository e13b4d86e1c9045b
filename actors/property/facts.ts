import { type BookingEvent, type BookingFact, bookingFact, type Facts } from '../../src/kernel/rules/journal.ts';
import { departureOf } from '../../src/kernel/rules/stay-days.ts';
import { totals } from '../../src/money/rules/night.ts';
import { personsOf } from '../../src/rates/rules/stay.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';

/** What the journal says of a reservation: enough for events and feeds, nothing personal. */
export function factOf(event: BookingEvent, reservation: Reservation, entity: string = reservation.id): BookingFact {
  const { stay, confirmationNumber, paid, status } = reservation;
  const { roomType, checkIn } = stay;
  const guests = personsOf(stay);
  const { total } = totals(reservation.nights);
  const whose = { reservationId: reservation.id, guestId: reservation.guest.guestId, confirmationNumber };
  const what = { event, roomType, checkIn, checkOut: departureOf(stay), guests, total, paid, status };
  return bookingFact(
    { ...whose, ...what, channel: reservation.source.channel, heldUntil: reservation.holdExpiresAt },
    entity,
  );
}

/** Facts of a change that may have confirmed a reservation. */
export function changeFacts(before: Reservation, next: Reservation): Pick<Facts, 'bookings'> {
  const isConfirmed = next.status !== before.status;
  return { bookings: [factOf('MODIFIED', next), ...(isConfirmed ? [factOf('CONFIRMED', next)] : [])] };
}
