import type { Day } from '../../kernel/rules/dates.ts';
import type { PropertyClock } from '../../kernel/rules/property-time.ts';
import { type ClockReading, isMarkedByClock, nightsAreOver } from './arrival.ts';
import type { Reservation } from './reservation.ts';

/** Kinds of open questions for the front desk. */
export const DESK_TASK_KINDS = ['ARRIVAL_NOT_MARKED'] as const;

/** A question that only a person can answer; it is open as long as the state of the reservation raises it. */
export type DeskTask = {
  kind: (typeof DESK_TASK_KINDS)[number];
  reservation: Reservation;
  /** Whether a night is left to check in for. */
  mayArrive: boolean;
};

type Today = { clock: PropertyClock; reading: ClockReading; businessDate: Day };

/** The question that a reservation raises; `undefined` when there is none, or the clock is about to answer it. */
export function deskTaskOf(reservation: Reservation, { clock, reading, businessDate }: Today): DeskTask | undefined {
  const { status, stay } = reservation;
  if (status !== 'CONFIRMED' || stay.checkIn >= businessDate) return undefined;
  if (isMarkedByClock(reservation, clock, reading)) return undefined;
  return { kind: 'ARRIVAL_NOT_MARKED', reservation, mayArrive: !nightsAreOver(stay, businessDate) };
}
