import { Random } from '../../src/kernel/rules/random.ts';
import type { RealBooking } from '../replay/bookings.ts';

/** A hotel made of a part of the bookings of a real one. */
type DerivedHotel = { name: string; bookings: RealBooking[] };

const SHORT_STAY = 3;
const LATE_DAYS = 30;
const USUAL_ROOM = 'A';
const TOURS = new Set(['Offline TA/TO', 'Groups']);

const chance = ({ row }: RealBooking, seed: number): number => new Random(row + seed).next();

/**
 * By name, the booking of the derived hotel that a real one becomes, where it is there. Both real years stay, so that a
 * year differs from the year before as it did.
 */
const HOTELS: Readonly<Record<string, (one: RealBooking) => RealBooking | undefined>> = {
  online: (one) => only(one, one.marketSegment === 'Online TA'),
  tours: (one) => only(one, TOURS.has(one.marketSegment)),
  direct: (one) => only(one, one.marketSegment !== 'Online TA' && !TOURS.has(one.marketSegment)),
  'short stays': (one) => only(one, one.nights <= SHORT_STAY),
  'long stays': (one) => only(one, one.nights > SHORT_STAY),
  'usual rooms': (one) => only(one, one.roomType === USUAL_ROOM),
  'other rooms': (one) => only(one, one.roomType !== USUAL_ROOM),
  'late bookings': (one) => only(one, one.leadDays <= LATE_DAYS),
  'early bookings': (one) => only(one, one.leadDays > LATE_DAYS),
  'many cancellations': (one) => only(one, one.outcome !== 'Check-Out' || chance(one, 1) < 0.4),
  'two nights at most': (one) => ({ ...one, nights: Math.min(one.nights, 2) }),
  'a quarter': (one) => only(one, chance(one, 2) < 0.25),
};

function only(one: RealBooking, isIn: boolean): RealBooking | undefined {
  return isIn ? one : undefined;
}

/** Twelve hotels unlike each other, for choices that shall hold for more than one (docs/measurements/revenue.md#forecast). */
export function derivedHotels(bookings: readonly RealBooking[]): DerivedHotel[] {
  return Object.entries(HOTELS).map(([name, become]) => ({
    name,
    bookings: bookings.flatMap((one) => become(one) ?? []),
  }));
}
