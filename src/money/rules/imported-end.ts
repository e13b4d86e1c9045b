import type { Reservation } from '../../stay/rules/reservation.ts';

/** Event of an import in the timeline of a reservation: notes go with an erased guest. */
export const IMPORTED = 'IMPORTED';

const OVER: ReadonlySet<string> = new Set<Reservation['status']>(['CHECKED_OUT', 'CANCELLED', 'NO_SHOW']);

/**
 * Whether a stay was over when it was imported: its invoice is that of the system before
 * (docs/reference/import.md#reservations). One that was reopened here since ends here.
 */
export function endedBeforeImport({ timeline }: Pick<Reservation, 'timeline'>): boolean {
  const imported = timeline.findLastIndex(({ event }) => event === IMPORTED);
  return imported >= 0 && timeline.slice(imported).every(({ status }) => OVER.has(status));
}
