import { isErased } from '../../guests/rules/erasure.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { businessDate, type PropertyClock } from '../../kernel/rules/property-time.ts';
import { nightsAreOver } from './arrival.ts';
import type { Cancellation, EndTakenBack, Reservation } from './reservation.ts';

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
 * Minimum price of a reservation after its end is taken back: what that end has retained, or is to collect, and at
 * least what its changes had before. Waivers of it are deducted ({@link retainedAfterWaiver}).
 */
export function retainedByEnd({
  cancellation,
  retained = 0,
}: Pick<Reservation, 'cancellation' | 'retained'>): Pick<Reservation, 'retained'> {
  const { penalty = 0, owed } = cancellation ?? {};
  const least = Math.max(retained, penalty + (owed?.amount ?? 0));
  return { retained: least > 0 ? least : undefined };
}

/**
 * The minimum price of a stay that is over, after a part of its penalty was waived: a reinstatement does not bring that
 * part back.
 */
export function retainedAfterWaiver(
  { retained }: Pick<Reservation, 'retained'>,
  { penalty, owed }: Cancellation,
): Pick<Reservation, 'retained'> {
  if (retained === undefined) return {};
  const least = Math.min(retained, penalty + (owed?.amount ?? 0));
  return { retained: least > 0 ? least : undefined };
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
