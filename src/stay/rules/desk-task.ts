import type { Day } from '../../kernel/rules/dates.ts';
import type { PropertyClock } from '../../kernel/rules/property-time.ts';
import { type ClockReading, isMarkedByClock, nightsAreOver } from './arrival.ts';
import type { Reservation } from './reservation.ts';

/** What the desk may have to find out or to do. */
export const DESK_TASK_KINDS = ['ARRIVAL_NOT_MARKED'] as const;

/** Something that only a person knows; it is open for as long as the reservation says so. */
export type DeskTask = {
  kind: (typeof DESK_TASK_KINDS)[number];
  reservation: Reservation;
  /** Whether there is a night left to check in for. */
  mayArrive: boolean;
};

type Today = { clock: PropertyClock; reading: ClockReading; businessDate: Day };

/** The task that a reservation gives the desk; `undefined` when it gives none, or the clock is about to do it. */
export function deskTaskOf(reservation: Reservation, { clock, reading, businessDate }: Today): DeskTask | undefined {
  const { status, stay } = reservation;
  if (status !== 'CONFIRMED' || stay.checkIn >= businessDate) return undefined;
  if (isMarkedByClock(reservation, clock, reading)) return undefined;
  return { kind: 'ARRIVAL_NOT_MARKED', reservation, mayArrive: !nightsAreOver(stay, businessDate) };
}
