import { dayOf } from '../kernel/rules/dates.ts';
import type { BookingEvent } from '../kernel/rules/journal.ts';
import type { NotifiedBooking } from '../notifications/rules/notified-booking.ts';
import type { Cancellation } from '../stay/rules/reservation.ts';
import { property, reservation } from './property-world.ts';

/** A stay of two nights at the Anchor with everything that a letter can contain. */
export function notifiedBooking(
  changed: {
    name?: string;
    policy?: string;
    status?: string;
    event?: BookingEvent;
    heldUntil?: number;
    cancellation?: Partial<Cancellation>;
  } = {},
): NotifiedBooking {
  const { name = 'The Anchor', policy = 'STANDARD', status = 'CONFIRMED', event, heldUntil, cancellation } = changed;
  const address = {
    addressLine1: 'Hafenstr. 1',
    city: 'Hamburg',
    state: '',
    zipCode: '20457',
    country: 'Germany',
  };
  return {
    property: { ...property(), name, address, contact: { phone: '+49 40 1234', email: 'desk@anchor.example' } },
    booking: {
      confirmationNumber: '7GK2M9X4QD',
      guests: 3,
      total: 44_110,
      paid: 22_055,
      status,
      event,
      heldUntil,
      checkIn: dayOf('2027-06-21'),
      checkOut: dayOf('2027-06-23'),
    },
    reservation: reservation({
      cancellationPolicy: policy,
      cancellation:
        cancellation && ({ reason: 'GUEST_REQUEST', penalty: 0, refund: 0, ...cancellation } as Cancellation),
    }),
    roomType: 'Double room with a view',
  };
}
