import { isErased } from '../../guests/rules/erasure.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { businessDate, type PropertyClock } from '../../kernel/rules/property-time.ts';
import { nightsAreOver } from './arrival.ts';
import type { EndTakenBack, Reservation } from './reservation.ts';

/** Business days after the end of a reservation on which it can be reinstated. */
const DAYS_AFTER = 1;

/**
 * Reason why a reservation can no longer be reinstated (docs/reference/reservations.md#reinstate); `undefined` when it
 * can.
 */
export function reinstateFault(reservation: Reservation, today: Day, clock: PropertyClock): string | undefined {
  const { cancellation, stay } = reservation;
  if (isErased(reservation)) return 'The guest was erased.';
  if (nightsAreOver(stay, today)) return 'The nights of the stay are over.';
  const endedOn = businessDate(cancellation!.cancelledAt, clock);
  if (today <= endedOn + DAYS_AFTER) return undefined;
  return `It ended on ${formatDay(endedOn)}, and is taken back until the second roll after that.`;
}

/**
 * Record of an end that is taken back: its penalty is reversed on the business day of the reinstatement, and its own
 * posting stays.
 */
export function endTakenBack({ cancellation, nights }: Reservation, today: Day): EndTakenBack {
  const { penalty, waived = [], ...end } = cancellation!;
  const reversed = penalty > 0 ? [...waived, { day: today, amount: penalty }] : waived;
  return { ...end, penalty: 0, ...(reversed.length > 0 && { waived: reversed }), nights };
}
