import { isErased } from '../../guests/rules/erasure.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { businessDate, type PropertyClock } from '../../kernel/rules/property-time.ts';
import { nightsAreOver } from './arrival.ts';
import type { EndTakenBack, Reservation } from './reservation.ts';

/** Business days after the one on which a reservation ended, on which that can be taken back. */
const DAYS_AFTER = 1;

/** Why an end cannot be taken back any more (docs/reference/reservations.md#reinstate); `undefined` while it can. */
export function reinstateFault(reservation: Reservation, today: Day, clock: PropertyClock): string | undefined {
  const { cancellation, stay } = reservation;
  if (isErased(reservation)) return 'The guest was erased.';
  if (nightsAreOver(stay, today)) return 'The nights of the stay are over.';
  const endedOn = businessDate(cancellation!.cancelledAt, clock);
  if (today <= endedOn + DAYS_AFTER) return undefined;
  return `It ended on ${formatDay(endedOn)}, and is taken back until the second roll after that.`;
}

/**
 * The end of a reservation as it is remembered once it is taken back: its penalty is reversed on the business day of
 * that, and counts on its own as before.
 */
export function endTakenBack({ cancellation, nights }: Reservation, today: Day): EndTakenBack {
  const { penalty, waived = [], ...end } = cancellation!;
  const reversed = penalty > 0 ? [...waived, { day: today, amount: penalty }] : waived;
  return { ...end, penalty: 0, ...(reversed.length > 0 && { waived: reversed }), nights };
}
