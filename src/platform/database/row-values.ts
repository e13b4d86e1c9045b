import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { RESERVATION_STATUSES, type ReservationStatus } from '../../stay/rules/reservation.ts';

/** `numeric(…, 2)` is read as text; minor units are exact within such a column's range. */
export function minorOf(decimal: string): Minor {
  return Math.round(Number(decimal) * 100);
}

/** An optional instant: a null column is absent in the domain. */
export function instantOf(at: Date | null | undefined): Instant | undefined {
  return at?.getTime();
}

/** Null columns are absent in the domain. */
export function present<T>(value: T | null | undefined): T | undefined {
  return value ?? undefined;
}

/** A row without the columns that are null. */
export function presentMembers<T extends object>(row: T): { [K in keyof T]: Exclude<T[K], null> } {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as {
    [K in keyof T]: Exclude<T[K], null>;
  };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether a text can be the id of a row; the database answers anything else with an error. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** `reservations.status_key`. New statuses go to the end of the list: the numbers are stored. */
export function statusKey(status: ReservationStatus): number {
  return RESERVATION_STATUSES.indexOf(status) + 1;
}
