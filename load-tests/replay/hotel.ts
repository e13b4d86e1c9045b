import type { Day } from '../../src/kernel/rules/dates.ts';
import type { RealBooking } from './bookings.ts';
import { typePrice } from './prices.ts';

/** A room type of the replayed hotel, inferred from the stays that took place. */
export type InferredType = {
  roomType: string;
  /** Maximum of rooms of the type occupied in one night. */
  totalRooms: number;
  maxAdults: number;
  maxChildren: number;
  maxGuests: number;
};

/** Stays that took place: the hotel certainly had rooms for them. */
export function wasReplayed(booking: RealBooking): boolean {
  return booking.outcome === 'Check-Out';
}

/** Maximum of rooms of each type occupied at once by stays that took place. */
export function peakRooms(bookings: readonly RealBooking[]): Map<string, number> {
  const nights = new Map<string, Map<Day, number>>();
  for (const booking of bookings) {
    if (!wasReplayed(booking)) continue;
    const occupied = nights.get(booking.roomType) ?? new Map<Day, number>();
    nights.set(booking.roomType, occupied);
    for (let day = booking.arrival; day < booking.arrival + booking.nights; day += 1) {
      occupied.set(day, (occupied.get(day) ?? 0) + 1);
    }
  }
  return new Map([...nights].map(([roomType, occupied]) => [roomType, Math.max(0, ...occupied.values())]));
}

/**
 * Room types that can be set up from the file: those with a positive price and at least one stay that took place. The
 * largest party of a type's stays is its occupancy.
 */
export function inferTypes(bookings: readonly RealBooking[]): InferredType[] {
  const types: InferredType[] = [];
  for (const [roomType, totalRooms] of peakRooms(bookings)) {
    if (totalRooms === 0 || typePrice(bookings, roomType) === undefined) continue;
    const played = bookings.filter((booking) => booking.roomType === roomType && wasReplayed(booking));
    types.push({
      roomType,
      totalRooms,
      maxAdults: most(played, (booking) => booking.adults),
      maxChildren: most(played, (booking) => booking.children),
      maxGuests: most(played, (booking) => booking.adults + booking.children),
    });
  }
  return types.toSorted((one, other) => one.roomType.localeCompare(other.roomType));
}

function most(bookings: readonly RealBooking[], count: (booking: RealBooking) => number): number {
  return bookings.reduce((highest, booking) => Math.max(highest, count(booking)), 0);
}

/** Room numbers of a type: unique, at most a hundred a floor. */
export function roomNumbers(
  types: readonly InferredType[],
): { roomNumber: string; roomType: string; floor: number }[] {
  return types.flatMap(({ roomType, totalRooms }, place) =>
    Array.from({ length: totalRooms }, (_, index) => ({
      roomNumber: `${roomType}${String(index + 1).padStart(3, '0')}`,
      roomType,
      floor: place + 1,
    })),
  );
}
