/** The members with a value: an absent one must not override what is spread before it. */
export function definedMembers<T extends object>(of: T): T {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as T;
}

/** Every member of a type, optional ones as `undefined`: an object that lacks one does not compile. */
export type AllMembers<T> = { [K in keyof Required<T>]: T[K] };

/** Whether two members, which may be lists, have the same value. */
export function sameValue(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Picks the members that have a value, in this order. */
export function pickDefined<T extends object, K extends keyof T>(of: T, members: readonly K[]): Pick<T, K> {
  return definedMembers(pickMembers(of, members));
}

/** Picks members, in this order. */
export function pickMembers<T extends object, K extends keyof T>(of: T, members: readonly K[]): Pick<T, K> {
  return Object.fromEntries(members.map((member) => [member, of[member]])) as Pick<T, K>;
}
