import { type Day, formatDay } from '../../src/kernel/rules/dates.ts';
import { type Minor, scale } from '../../src/kernel/rules/money.ts';
import type { RealBooking } from './bookings.ts';

/** Nights of one price, both ends inclusive: one `PUT /rates/base`. */
export type PricePeriod = { roomType: string; start: Day; end: Day; rate: Minor };

/** Median, rounded half to even between the two middle values; `undefined` without values. */
export function median(values: readonly Minor[]): Minor | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.floor(sorted.length / 2)];
  return low === undefined || high === undefined ? undefined : scale(low + high, 1, 2);
}

/** Median daily rate of a type over the whole file; `undefined` unless it is above zero. */
export function typePrice(bookings: readonly RealBooking[], roomType: string): Minor | undefined {
  const price = median(bookings.filter((booking) => booking.roomType === roomType).map((booking) => booking.adr));
  return price !== undefined && price > 0 ? price : undefined;
}

/**
 * Prices of a type for the nights `first` to `last` of the file's own calendar: the median daily rate of the month
 * in which the night lies, else that of the type. Neighbours of one price are joined, up to `longest` nights.
 */
export function pricePeriods(
  bookings: readonly RealBooking[],
  roomType: string,
  nights: { first: Day; last: Day; longest: number },
): PricePeriod[] {
  const ofType = typePrice(bookings, roomType);
  if (ofType === undefined) return [];
  const ofMonth = monthPrices(bookings, roomType);
  const periods: PricePeriod[] = [];
  for (let day = nights.first; day <= nights.last; day += 1) {
    const rate = ofMonth.get(monthOf(day)) ?? ofType;
    const current = periods.at(-1);
    if (current && current.rate === rate && day - current.start < nights.longest) current.end = day;
    else periods.push({ roomType, start: day, end: day, rate });
  }
  return periods;
}

function monthPrices(bookings: readonly RealBooking[], roomType: string): Map<string, Minor> {
  const rates = new Map<string, Minor[]>();
  for (const booking of bookings) {
    if (booking.roomType !== roomType) continue;
    const month = monthOf(booking.arrival);
    const known = rates.get(month);
    if (known) known.push(booking.adr);
    else rates.set(month, [booking.adr]);
  }
  const prices = new Map<string, Minor>();
  for (const [month, values] of rates) {
    const price = median(values);
    if (price !== undefined && price > 0) prices.set(month, price);
  }
  return prices;
}

/** Year and month: July of 2015 and July of 2016 are priced separately. */
function monthOf(day: Day): string {
  return formatDay(day).slice(0, 7);
}
