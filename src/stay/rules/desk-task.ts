import type { Day } from '../../kernel/rules/dates.ts';
import { endOfBusinessDay, type PropertyClock } from '../../kernel/rules/property-time.ts';
import { type ClockReading, isMarkedByClock, marksByClock, nightsAreOver } from './arrival.ts';
import type { Reservation } from './reservation.ts';

/** Kinds of tasks of the front desk. */
export const DESK_TASK_KINDS = ['ARRIVAL_NOT_MARKED', 'OVERSTAY_NOT_POSTED'] as const;

/** A question that only a person can answer; it is open as long as the state of the reservation raises it. */
export type DeskTask = {
  kind: (typeof DESK_TASK_KINDS)[number];
  reservation: Reservation;
  /** Whether a night is left to check in for. */
  mayArrive: boolean;
};

type Today = { clock: PropertyClock; reading: ClockReading; businessDate: Day };

/** The task that a reservation gives the desk; `undefined` when there is none, or the clock is about to do it. */
export function deskTaskOf(reservation: Reservation, today: Today): DeskTask | undefined {
  const { status, stay } = reservation;
  const { businessDate } = today;
  const task = (kind: DeskTask['kind']): DeskTask => ({
    kind,
    reservation,
    mayArrive: status === 'CONFIRMED' && !nightsAreOver(stay, businessDate),
  });
  if (status === 'CHECKED_IN') return isOverstayNotPosted(stay, today) ? task('OVERSTAY_NOT_POSTED') : undefined;
  if (status !== 'CONFIRMED') return undefined;
  const isUnmarked = stay.checkIn < businessDate && !isMarkedByClock(reservation, today.clock, today.reading);
  return isUnmarked ? task('ARRIVAL_NOT_MARKED') : undefined;
}

/** Whether the guest should have left before the date, and the clock has failed to post the nights since. */
function isOverstayNotPosted({ checkOut }: Reservation['stay'], { clock, reading, businessDate }: Today): boolean {
  return checkOut < businessDate && !marksByClock(endOfBusinessDay(businessDate - 1, clock), reading);
}
