import type { Reservation } from '../../stay/rules/reservation.ts';
import { paid, startBookingCommand } from '../property-world.ts';
import type { Scene } from './scene.ts';

type Wish = Parameters<typeof startBookingCommand>[0];

/** What a test does with bookings that a card has paid, and with the days that pass over them. */
export function paidStays(scene: Scene): {
  /** @returns the id of the reservation */
  buy(wish?: Wish): string;
  now(id: string): Reservation;
  /** Ends the business day. */
  roll(): void;
} {
  return {
    buy(wish = {}) {
      const start = startBookingCommand(wish);
      const { attempt } = scene.accept(start);
      scene.accept({ type: 'CONFIRM_BOOKING', holdId: start.holdId, payment: paid(attempt) });
      return start.booking.reservationId;
    },
    now: (id) => scene.state.reservations.get(id)!,
    roll: () => scene.endDay(1),
  };
}
