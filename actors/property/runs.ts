import type { Day } from '../../src/kernel/rules/dates.ts';

/** Runs of values before a change over many nights that the journal records; the rest is only counted. */
const MAX_RUNS = 1_000;

export type NightRun<T> = { start: Day; end: Day } & T;

/**
 * Joins neighbouring nights with the same value into runs, in order of days; nights without a value are left out.
 * @param days ascending
 */
export function runsOf<T extends object>(days: Iterable<Day>, valueOf: (day: Day) => T | undefined): NightRun<T>[] {
  const runs: NightRun<T>[] = [];
  let last = { end: Number.NaN, text: '' };
  for (const day of days) {
    const value = valueOf(day);
    if (value === undefined) continue;
    const text = JSON.stringify(value);
    const run = runs.at(-1);
    if (run && last.end === day - 1 && last.text === text) run.end = day;
    else runs.push({ start: day, end: day, ...value });
    last = { end: day, text };
  }
  return runs;
}

/** Runs as a journal row stores them. */
export function fewRuns<T>(runs: readonly NightRun<T>[], most = MAX_RUNS): (NightRun<T> | { more: number })[] {
  return runs.length <= most ? [...runs] : [...runs.slice(0, most), { more: runs.length - most }];
}
