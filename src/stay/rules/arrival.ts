import type { Day } from '../../kernel/rules/dates.ts';
import { endOfBusinessDay, instantAt, type Instant, type PropertyClock } from '../../kernel/rules/property-time.ts';
import type { PropertyMetadata } from '../../properties/rules/property.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import type { Reservation } from './reservation.ts';

/** Whether the last night of a stay has ended: nobody can arrive any more. */
export function nightsAreOver({ checkOut }: Pick<Stay, 'checkOut'>, today: Day): boolean {
  return today >= checkOut;
}

/**
 * Earliest moment at which the desk may mark a no-show (docs/reference/reservations.md#arrivals); a manager may on the
 * whole arrival day.
 */
export function noShowFrom(
  { checkIn }: Pick<Stay, 'checkIn'>,
  { checkInTime, timezone, policies }: PropertyMetadata,
): Instant {
  return instantAt(checkIn, checkInTime, timezone) + policies.noShowGraceMinutes * 60_000;
}

/**
 * Longest delay after a roll within which no-shows are still marked by the clock alone: a system that rolls later was
 * not running in the evening, so nobody could check the guests in.
 */
const MARKED_WITHIN_MS = 3_600_000;

/** A clock reading; a development clock also gives the moment to which it was put forward. */
export type ClockReading = { now: Instant; putForwardAt?: Instant };

/** Whether the roll at `roll` marks no-shows without a person (docs/reference/reservations.md#arrivals). */
export function marksByClock(roll: Instant, { now, putForwardAt = roll }: ClockReading): boolean {
  return now - Math.max(roll, putForwardAt) < MARKED_WITHIN_MS;
}

/**
 * Whether the clock alone may mark a reservation as no-show: the property existed on the arrival day, and the
 * reservation was CONFIRMED before that day ended. Others are left to a person
 * (docs/reference/reservations.md#arrivals).
 */
export function isMarkedByClock(
  { stay, timeline }: Pick<Reservation, 'stay' | 'timeline'>,
  clock: PropertyClock,
  reading: ClockReading,
): boolean {
  const roll = endOfBusinessDay(stay.checkIn, clock);
  return marksByClock(roll, reading) && confirmedSince(timeline) < roll;
}

/** Start of the uninterrupted period in which a reservation has been CONFIRMED. */
function confirmedSince(timeline: Reservation['timeline']): Instant {
  const before = timeline.findLastIndex(({ status }) => status !== 'CONFIRMED');
  return timeline[before + 1]?.timestamp ?? -Infinity;
}
