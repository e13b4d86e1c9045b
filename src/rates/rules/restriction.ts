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

/** Whether a change takes a limit away. */
export function removes(change: RestrictionChange, name: keyof Restriction): boolean {
  return change[name] === null || change[name] === false;
}

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
    if (removes(change, name)) delete after[name];
    else if (change[name]) after[name] = true;
  }
  return Object.keys(after).length > 0 ? after : undefined;
}

/** Whether a number is the stricter the greater it is. */
const isLeast = (name: (typeof RESTRICTION_NUMBERS)[number]): boolean => name.startsWith('min');

/** The strictest of each limit of two restrictions; `undefined` when there is none. */
export function stricterOf(one: Restriction | undefined, other: Restriction): Restriction;
export function stricterOf(one: Restriction | undefined, other: Restriction | undefined): Restriction | undefined;
export function stricterOf(one: Restriction | undefined, other: Restriction | undefined): Restriction | undefined {
  if (!one || !other) return one ?? other;
  const strict: Restriction = { ...one, ...other };
  for (const name of RESTRICTION_NUMBERS) {
    const [a, b] = [one[name], other[name]];
    if (a !== undefined && b !== undefined) strict[name] = isLeast(name) ? Math.max(a, b) : Math.min(a, b);
  }
  return strict;
}

export type RestrictionName = keyof Restriction;

/** Members of a change that a rule would override: limits that it removes, or sets looser than the rule. */
export function loosened(rule: Restriction, change: RestrictionChange): RestrictionName[] {
  const numbers = RESTRICTION_NUMBERS.filter((name) => {
    const [limit, to] = [rule[name], change[name]];
    if (limit === undefined || to === undefined) return false;
    return to === null || (isLeast(name) ? to < limit : to > limit);
  });
  const flags = RESTRICTION_FLAGS.filter((name) => rule[name] && removes(change, name));
  return [...numbers, ...flags];
}

/** Some members of a restriction; `undefined` when it has none of them. */
export function limitsNamed(
  rule: Restriction | undefined,
  names: readonly RestrictionName[],
): Restriction | undefined {
  const some = Object.entries(rule ?? {}).filter(([name]) => names.includes(name as RestrictionName));
  return some.length > 0 ? Object.fromEntries(some) : undefined;
}

/** A restriction without some members; `undefined` when none is left. */
export function withoutLimits(
  rule: Restriction | undefined,
  names: readonly RestrictionName[],
): Restriction | undefined {
  const rest = (Object.keys(rule ?? {}) as RestrictionName[]).filter((name) => !names.includes(name));
  return limitsNamed(rule, rest);
}

/** Whether two restrictions have the same limits. */
export function sameRestriction(one: Restriction, other: Restriction): boolean {
  return [...RESTRICTION_NUMBERS, ...RESTRICTION_FLAGS].every((name) => one[name] === other[name]);
}
