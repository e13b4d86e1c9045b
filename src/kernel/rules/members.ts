/** The members with a value: an absent one must not override what is spread before it. */
export function definedMembers<T extends object>(of: T): T {
  return pickDefined(of, Object.keys(of) as (keyof T)[]);
}

/** Every member of a type, optional ones as `undefined`: an object that lacks one does not compile. */
export type AllMembers<T> = { [K in keyof Required<T>]: T[K] };

/** Whether two members, which may be lists, have the same value. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // Most differ in a number: compared with every quote that a view has cached.
  if (typeof a !== 'object' && typeof b !== 'object') return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Picks the members that have a value, in this order. */
export function pickDefined<T extends object, K extends keyof T>(of: T, members: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {};
  for (const member of members) if (of[member] !== undefined) picked[member] = of[member];
  return picked as Pick<T, K>;
}

/** Picks members, in this order. */
export function pickMembers<T extends object, K extends keyof T>(of: T, members: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {};
  for (const member of members) picked[member] = of[member];
  return picked as Pick<T, K>;
}
