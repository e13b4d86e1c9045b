/** A line of a benchmark: what was measured, and its label. */
export type Figure = { what: string; value: string };

/** Prints figures as they come, aligned. */
export function figuresText(figures: readonly Figure[]): void {
  for (const { what, value } of figures) console.log(`  ${what.padEnd(58)} ${value}`);
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** A rate in percent of another. */
export function share(part: number, of: number): string {
  return of === 0 ? 'none' : `${Math.round((100 * part) / of)} %`;
}

/** Median; a single round may have been disturbed. */
export function middle(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
