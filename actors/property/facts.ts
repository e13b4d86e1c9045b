import type { BookingFact } from '../../src/domain/journal.ts';
import { type Reservation, totals } from '../../src/domain/reservation.ts';

/** What the journal says of a reservation: enough for events and feeds, nothing personal. */
export function bookingFact(event: BookingFact['event'], reservation: Reservation): BookingFact {
  const { stay } = reservation;
  return {
    event,
    reservationId: reservation.id,
    confirmationNumber: reservation.confirmationNumber,
    guestId: reservation.guest.guestId,
    roomType: stay.roomType,
    checkIn: stay.checkIn,
    checkOut: stay.checkOut,
    guests: stay.adults + stay.children,
    total: totals(reservation.nights).total,
    paid: reservation.paid,
    status: reservation.status,
    channel: reservation.source.channel,
  };
}
