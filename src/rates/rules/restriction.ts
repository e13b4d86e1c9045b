import type { Day } from '../../kernel/rules/dates.ts';

/**
 * Limits on the sale of a night under one plan in one room type (docs/reference/rates.md#restrictions). "Arrival" rules
 * apply to the day of check-in, "through" rules to every night of the stay, departure rules to the day of check-out.
 * Stays count in nights, advance in days from the business date to check-in. Absent members set no limit.
 */
export type Restriction = {
  minStayArrival?: number;
  maxStayArrival?: number;
  minStayThrough?: number;
  maxStayThrough?: number;
  minAdvance?: number;
  maxAdvance?: number;
  closedToArrival?: boolean;
  closedToDeparture?: boolean;
  stopSell?: boolean;
  /** No limit for bookings: no optimization changes the price of the night. */
  rateLocked?: boolean;
};

const RESTRICTION_NUMBERS = [
  ...(['minStayArrival', 'maxStayArrival', 'minStayThrough', 'maxStayThrough'] as const),
  ...(['minAdvance', 'maxAdvance'] as const),
] as const;
export const RESTRICTION_FLAGS = ['closedToArrival', 'closedToDeparture', 'stopSell', 'rateLocked'] as const;

/** A change of restrictions: a value sets, null removes, absent members stay. */
export type RestrictionChange = { [K in keyof Restriction]: Restriction[K] | null };

/** Restrictions of one plan in one room type by day; an absent day has none. */
export type RestrictionDays = ReadonlyMap<Day, Restriction>;

/** Applies a change to a restriction; `undefined` when no limit is left. */
export function changedRestriction(
  before: Restriction | undefined,
  change: RestrictionChange,
): Restriction | undefined {
  const after: Restriction = { ...before };
  for (const name of RESTRICTION_NUMBERS) {
    const value = change[name];
    if (value === null) delete after[name];
    else if (value !== undefined) after[name] = value;
  }
  for (const name of RESTRICTION_FLAGS) {
    const value = change[name];
    if (value === null || value === false) delete after[name];
    else if (value) after[name] = true;
  }
  return Object.keys(after).length > 0 ? after : undefined;
}
