import { formatDay, isWeekend, weekdayIndex } from '../../../src/kernel/rules/dates.ts';
import { mean, sum } from '../../../src/kernel/rules/figures.ts';
import { type RealBooking, type Outcome } from '../../replay/bookings.ts';
import { LEAD_ROWS, LONGEST_STAY, type FittedHotel, type GuestTable, type GroupTable } from './fitted-hotel.ts';

/** Which bookings of a file make a hotel, and how they become one. */
export type HotelPart = {
  name: string;
  /** Months of arrival, 1 to 12. */
  months: readonly number[];
  /** Whether a booking belongs to it. */
  takes(booking: RealBooking): boolean;
  /** The room type of the hotel for one of the file; types of one name are sold as one. */
  typeOf(roomType: string): string;
  /** Rooms sold are so many times those of the file; a hotel of a tenth of the bookings has a tenth of the rooms. */
  scale: number;
};

/** Rooms occupied on all but this share of nights are the capacity: a few nights of the file were oversold. */
const CAPACITY_QUANTILE = 0.98;
/** Largest block of a group that is modelled. */
const LARGEST_GROUP = 20;
const DECILES = [0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95];

/** Counts the tables of a hotel in its bookings. Pure; the same bookings give the same tables. */
export function fitHotel(part: HotelPart, all: readonly RealBooking[]): FittedHotel {
  const bookings = all.filter(
    (one) => one.nights > 0 && part.takes(one) && part.months.includes(monthOf(one.arrival)),
  );
  const guests = bookings.filter((one) => !isGroup(one));
  const blocks = [...Map.groupBy(bookings.filter(isGroup), blockOf).values()];
  const occupied = occupiedRooms(part, all);
  const arrivals = arrivalsByDay(bookings);
  return {
    name: part.name,
    bookings: bookings.length,
    roomTypes: roomTypes(part, bookings, occupied),
    arrivals: part.months.map((month) => ({ month, rooms: round(part.scale * meanOfMonth(arrivals, month), 2) })),
    weekdays: weekdays(arrivals),
    guests: guestTable(guests),
    groups: { ...guestTable(blocks.map((block) => block[0]!)), ...groupTable(blocks, bookings.length) },
    cancelledWithLeft: cancelledWithLeft(bookings),
  };
}

function monthOf(day: number): number {
  return Number(formatDay(day).slice(5, 7));
}

function isGroup({ marketSegment }: RealBooking): boolean {
  return marketSegment === 'Groups';
}

function blockOf({ arrival, leadDays, nights, roomType }: RealBooking): string {
  return `${arrival} ${leadDays} ${nights} ${roomType}`;
}

function isLost(outcome: Outcome): boolean {
  return outcome !== 'Check-Out';
}

function occupiedRooms(part: HotelPart, all: readonly RealBooking[]): Map<number, number> {
  const occupied = new Map<number, number>();
  for (const booking of all) {
    if (isLost(booking.outcome) || !part.takes(booking)) continue;
    for (let night = booking.arrival; night < booking.arrival + booking.nights; night++)
      if (part.months.includes(monthOf(night))) occupied.set(night, (occupied.get(night) ?? 0) + 1);
  }
  return occupied;
}

function roomTypes(
  part: HotelPart,
  bookings: readonly RealBooking[],
  occupied: ReadonlyMap<number, number>,
): FittedHotel['roomTypes'] {
  const sorted = [...occupied.values()].sort((one, other) => one - other);
  const capacity = part.scale * (sorted[Math.floor(sorted.length * CAPACITY_QUANTILE)] ?? 0);
  const byType = Map.groupBy(bookings, ({ roomType }) => part.typeOf(roomType));
  const nights = (of: readonly RealBooking[]): number => sum(of, (one) => (isLost(one.outcome) ? 0 : one.nights));
  const all = nights(bookings);
  return [...byType]
    .map(([roomType, of]) => ({
      roomType,
      rooms: Math.max(1, Math.round((capacity * nights(of)) / all)),
      share: round(of.length / bookings.length, 4),
      rates: part.months.map((month) => ({ month, ...ratesOf(of.filter((one) => monthOf(one.arrival) === month)) })),
    }))
    .sort((one, other) => other.share - one.share);
}

/** Mean daily rates in minor units, by the share of a stay's nights that are at a weekend. */
function ratesOf(bookings: readonly RealBooking[]): { weekday: number; weekend: number } {
  const paid = bookings.filter(({ adr, outcome }) => adr > 1_000 && !isLost(outcome));
  const weekendNights = ({ arrival, nights }: RealBooking): number =>
    Array.from({ length: nights }, (_, n) => arrival + n).filter((night) => isWeekend(night)).length;
  const rate = (of: (booking: RealBooking) => number): number => {
    const nights = sum(paid, of);
    return nights === 0 ? 0 : 100 * Math.round(sum(paid, (one) => one.adr * of(one)) / nights / 100);
  };
  return { weekday: rate((one) => one.nights - weekendNights(one)), weekend: rate(weekendNights) };
}

function arrivalsByDay(bookings: readonly RealBooking[]): Map<number, number> {
  const days = new Map<number, number>();
  for (const { arrival } of bookings) days.set(arrival, (days.get(arrival) ?? 0) + 1);
  return days;
}

function meanOfMonth(arrivals: ReadonlyMap<number, number>, month: number): number {
  const days = [...arrivals].filter(([day]) => monthOf(day) === month);
  if (days.length === 0) return 0;
  // Days without an arrival have no entry.
  const months = new Set(days.map(([day]) => formatDay(day).slice(0, 7))).size;
  return sum(days, ([, rooms]) => rooms) / (months * 30.4);
}

function weekdays(arrivals: ReadonlyMap<number, number>): number[] {
  const totals = Array.from({ length: 7 }, () => 0);
  for (const [day, rooms] of arrivals) totals[weekdayIndex(day)]! += rooms;
  return totals.map((total) => round((7 * total) / sum(totals, (one) => one), 3));
}

function guestTable(bookings: readonly RealBooking[]): GuestTable {
  const leads = LEAD_ROWS.map((fromDays, row) => {
    const to = LEAD_ROWS[row + 1] ?? Infinity;
    const of = bookings.filter(({ leadDays }) => leadDays >= fromDays && leadDays < to);
    const cancelled = mean(of.map(({ outcome }) => Number(isLost(outcome))));
    return { fromDays, share: round(of.length / Math.max(1, bookings.length), 4), cancelled: round(cancelled, 3) };
  });
  const lengths = Array.from({ length: LONGEST_STAY }, (_, n) => {
    const of = bookings.filter(({ nights }) => Math.min(nights, LONGEST_STAY) === n + 1);
    return round(of.length / Math.max(1, bookings.length), 4);
  });
  return { leads, lengths };
}

function groupTable(blocks: readonly RealBooking[][], bookings: number): Pick<GroupTable, 'share' | 'sizes'> {
  const sizes = new Map<number, number>();
  for (const { length } of blocks) {
    const rooms = Math.min(LARGEST_GROUP, length);
    sizes.set(rooms, (sizes.get(rooms) ?? 0) + 1);
  }
  const rooms = sum(blocks, ({ length }) => length);
  return {
    share: round(rooms / Math.max(1, bookings), 4),
    sizes: [...sizes]
      .sort(([one], [other]) => one - other)
      .map(([rooms, count]) => ({ rooms, share: round(count / blocks.length, 4) })),
  };
}

/** Deciles of the part of the lead time that is left when a booking is cancelled. */
function cancelledWithLeft(bookings: readonly RealBooking[]): number[] {
  const left = bookings
    .filter(({ outcome, leadDays }) => outcome === 'Canceled' && leadDays > 0)
    .map(({ arrival, outcomeDay, leadDays }) => Math.min(1, Math.max(0, (arrival - outcomeDay) / leadDays)))
    .sort((one, other) => one - other);
  return DECILES.map((part) => round(left[Math.floor(part * left.length)] ?? 0, 3));
}

function round(value: number, digits: number): number {
  const unit = 10 ** digits;
  return Math.round(value * unit) / unit;
}
