import type { Day } from '../../kernel/rules/dates.ts';

/**
 * What limits the sale of a night under one plan in one room type (docs/reference/rates.md#restrictions). "Arrival"
 * rules look at the day of check-in, "through" rules at every night of the stay, departure at the day of check-out.
 * Stays count in nights, advance in days from the business date to check-in. What is absent does not limit.
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
  /** Limits nobody who books: no optimization moves the price of the night. */
  rateLocked?: boolean;
};

const RESTRICTION_NUMBERS = [
  ...(['minStayArrival', 'maxStayArrival', 'minStayThrough', 'maxStayThrough'] as const),
  ...(['minAdvance', 'maxAdvance'] as const),
] as const;
export const RESTRICTION_FLAGS = ['closedToArrival', 'closedToDeparture', 'stopSell', 'rateLocked'] as const;

/** A change of restrictions: a value sets, null takes away, what is absent stays as it is. */
export type RestrictionChange = { [K in keyof Restriction]: Restriction[K] | null };

/** Restrictions of one plan in one room type, day by day; a day that is absent has none. */
export type RestrictionDays = ReadonlyMap<Day, Restriction>;

/** What a change leaves of a restriction; undefined when nothing limits any more. */
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
