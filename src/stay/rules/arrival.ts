import type { Day } from '../../kernel/rules/dates.ts';
import { endOfBusinessDay, instantAt, type Instant, type PropertyClock } from '../../kernel/rules/property-time.ts';
import type { PropertyMetadata } from '../../properties/rules/property.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import type { Reservation } from './reservation.ts';

/** Whether the last night of a stay has ended: nobody can arrive any more. */
export function nightsAreOver({ checkOut }: Pick<Stay, 'checkOut'>, today: Day): boolean {
  return today >= checkOut;
}

/** From when on the desk may mark that a guest did not come; a manager may on the whole arrival day. */
export function noShowFrom(
  { checkIn }: Pick<Stay, 'checkIn'>,
  { checkInTime, timezone, policies }: PropertyMetadata,
): Instant {
  return instantAt(checkIn, checkInTime, timezone) + policies.noShowGraceMinutes * 60_000;
}

/**
 * How late after a roll guests who did not come are still marked by the clock alone: what rolls later was not there in
 * the evening to check them in.
 */
const MARKED_WITHIN_MS = 3_600_000;

/** What a clock shows; one of development says also where it was put forward to. */
export type ClockReading = { now: Instant; putForwardAt?: Instant };

/** Whether the clock alone marks who did not come before `roll` (docs/reference/reservations.md#arrivals). */
export function marksByClock(roll: Instant, { now, putForwardAt = roll }: ClockReading): boolean {
  return now - Math.max(roll, putForwardAt) < MARKED_WITHIN_MS;
}

/**
 * Whether the clock alone may mark that a guest did not come: the property was there on his arrival day, and he was
 * CONFIRMED before it ended. Others are left to somebody's word (docs/reference/reservations.md#arrivals).
 */
export function isMarkedByClock(
  { stay, timeline }: Pick<Reservation, 'stay' | 'timeline'>,
  clock: PropertyClock,
  reading: ClockReading,
): boolean {
  const roll = endOfBusinessDay(stay.checkIn, clock);
  return marksByClock(roll, reading) && confirmedSince(timeline) < roll;
}

/** Since when a CONFIRMED reservation is so without a break. */
function confirmedSince(timeline: Reservation['timeline']): Instant {
  const before = timeline.findLastIndex(({ status }) => status !== 'CONFIRMED');
  return timeline[before + 1]?.timestamp ?? -Infinity;
}
