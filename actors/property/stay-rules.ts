import { type Day, formatDay } from '../../src/domain/dates.ts';
import type { Policies, RatePlan, RoomType } from '../../src/domain/property.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import type { Slab } from './slab.ts';

/** Hard bound of a stay (contracts.md 6). */
export const MAX_NIGHTS = 90;

/** Refuses more guests than the room type sleeps. @throws Refusal OCCUPANCY_EXCEEDED */
export function checkOccupancy(type: RoomType, adults: number, children: number): void {
  if (adults <= type.maxAdults && children <= type.maxChildren && adults + children <= type.maxGuests) return;
  const most = `${type.maxAdults} adults, ${type.maxChildren} children, ${type.maxGuests} guests in all`;
  throw new Refusal('OCCUPANCY_EXCEEDED', `${type.roomType} sleeps at most ${most}.`);
}

/** Length of stay and advance limits of a plan. @throws Refusal MIN_STAY, MAX_STAY, MIN_ADVANCE, MAX_ADVANCE */
export function checkPlan(plan: RatePlan, today: Day, checkIn: Day, checkOut: Day): void {
  const nights = checkOut - checkIn;
  const ahead = checkIn - today;
  const date = formatDay(checkIn);
  if (nights < plan.minLengthOfStay)
    throw new Refusal('MIN_STAY', `${plan.code} needs at least ${plan.minLengthOfStay} nights.`, { date });
  if (nights > plan.maxLengthOfStay)
    throw new Refusal('MAX_STAY', `${plan.code} allows at most ${plan.maxLengthOfStay} nights.`, { date });
  if (ahead < plan.minAdvanceBooking)
    throw new Refusal('MIN_ADVANCE', `${plan.code} is booked at least ${plan.minAdvanceBooking} days ahead.`, {
      date,
    });
  if (ahead > plan.maxAdvanceBooking)
    throw new Refusal('MAX_ADVANCE', `${plan.code} is booked at most ${plan.maxAdvanceBooking} days ahead.`, {
      date,
    });
}

/** Refuses a stay that leaves the window or the hard bounds: callers check that with better words. */
export function checkWindow(slab: Slab, today: Day, checkIn: Day, checkOut: Day): void {
  const fits = checkIn >= today && checkOut > checkIn && checkOut - checkIn <= MAX_NIGHTS && slab.has(checkOut - 1);
  if (fits && slab.has(checkIn)) return;
  throw new Refusal('VALIDATION_FAILED', 'The stay is in the past, too long, or beyond what is on sale.');
}

/** First night without `rooms` free rooms; `undefined` when the stay can be had (I1). */
export function firstSoldOut(slab: Slab, policies: Policies, from: Day, to: Day, rooms: number): Day | undefined {
  for (let day = from; day < to; day++) if (slab.free(day, policies.overbookingLimit) < rooms) return day;
  return undefined;
}
