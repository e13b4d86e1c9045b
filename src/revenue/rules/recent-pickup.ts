import type { Day } from '../../kernel/rules/dates.ts';
import type { RecentPickup } from './yield-problem.ts';

/** Days of recent sales. */
const WINDOW = 7;

/** With fewer nights of the past nothing is usual. */
const LEAST_NIGHTS = 28;

/**
 * Rooms that the coming nights have gained in the last week, and what past nights had gained in the week so many days
 * before them. Cancellations count against it.
 * @param changes booking history as triples of booking day, night and rooms, from the day `first` on
 * @returns by days from today; `undefined` where too few nights of the past are known so early
 */
export function recentPickup(
  changes: Int32Array,
  { first, today, nights }: { first: Day; today: Day; nights: number },
): (RecentPickup | undefined)[] {
  const rooms = new Int32Array(nights);
  const past = new Float64Array(nights);
  for (let at = 0; at < changes.length; at += 3) {
    const [day, night, sold] = [changes[at]!, changes[at + 1]!, changes[at + 2]!];
    if (night >= today) {
      if (day >= today - WINDOW && day < today && night < today + nights) rooms[night - today]! += sold;
      continue;
    }
    // Each of these lead times has the booking in its week.
    const latest = Math.min(night - day - 1, nights - 1, night - WINDOW - first);
    for (let lead = Math.max(0, night - day - WINDOW); lead <= latest; lead++) past[lead]! += sold;
  }
  return Array.from(rooms, (sold, lead) => {
    const known = today - WINDOW - lead - first;
    return known < LEAST_NIGHTS ? undefined : { rooms: sold, usual: past[lead]! / known };
  });
}
