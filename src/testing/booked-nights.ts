import type { Day } from '../kernel/rules/dates.ts';
import { Random } from '../kernel/rules/random.ts';
import type { BookChange } from '../revenue/rules/forecast/on-the-books.ts';

type BookedNights = {
  first: Day;
  nights: number;
  /** Mean of rooms booked for a night, before cancellations. */
  rooms: (night: Day) => number;
  seed?: number;
};

/** Longest lead time of generated bookings, in days. */
const LONGEST_LEAD = 120;
const CALLED_OFF = 0.2;

/**
 * Changes of a generated property's books, by moment: rooms are booked up to 120 days ahead, most of them late, and a
 * fifth are cancelled on a day in between. The number varies with the night by up to a quarter.
 */
export function bookedNights({ first, nights, rooms, seed = 1 }: BookedNights): BookChange[] {
  const random = new Random(seed);
  const changes: BookChange[] = [];
  for (let night = first; night < first + nights; night += 1) {
    const booked = Math.round(rooms(night) * (0.75 + 0.5 * random.next()));
    for (let room = 0; room < booked; room += 1) {
      const moment = night - Math.floor(LONGEST_LEAD * random.next() ** 2);
      changes.push({ moment, night, rooms: 1 });
      if (random.chance(CALLED_OFF)) changes.push({ moment: random.between(moment, night), night, rooms: -1 });
    }
  }
  return changes.toSorted((one, other) => one.moment - other.moment);
}
