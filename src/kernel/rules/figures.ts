/** Statistics over lists. */

export function sum<T>(items: readonly T[], of: (item: T, index: number) => number): number {
  return items.reduce((total, item, index) => total + of(item, index), 0);
}

/** The mean; 0 of an empty list. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values, (value) => value) / values.length;
}

/** Rounds to two decimals, never -0. */
export function hundredths(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
