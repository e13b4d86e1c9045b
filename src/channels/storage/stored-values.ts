import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { countOfValues } from '../rules/channel-values.ts';
import type { ChannelRestrictions, ChannelValue } from '../rules/channel.ts';

/** Nights with the same value as one list: from, to, availability, rate, restrictions, and the moment it was not taken. */
type StoredRun = [Day, Day, number | null, Minor | null, StoredLimits | null, number?];
type StoredLimits = [closed: 0 | 1, arrival: 0 | 1, departure: 0 | 1, minStay: number, maxStay: number];

/** Values of nights as they are stored. */
export function storedRuns(nights: ReadonlyMap<Day, ChannelValue & { at?: number }>): StoredRun[] {
  const runs: StoredRun[] = [];
  let last = '';
  for (const [day, value] of [...nights].toSorted(([a], [b]) => a - b)) {
    const stored = storedValue(value);
    const text = JSON.stringify(stored);
    const run = runs.at(-1);
    if (run && run[1] === day - 1 && text === last) run[1] = day;
    else runs.push([day, day, ...stored]);
    last = text;
  }
  return runs;
}

type StoredValue = [number | null, Minor | null, StoredLimits | null, number?];

function storedValue({ availability, rate, restrictions, at }: ChannelValue & { at?: number }): StoredValue {
  const limits = restrictions ? limitsOf(restrictions) : null;
  return at ? [availability ?? null, rate ?? null, limits, at] : [availability ?? null, rate ?? null, limits];
}

const limitsOf = (of: ChannelRestrictions): StoredLimits => [
  of.closed ? 1 : 0,
  of.closedToArrival ? 1 : 0,
  of.closedToDeparture ? 1 : 0,
  of.minStay,
  of.maxStay,
];

/** Values of nights of stored runs; those with a time are apart, since a night may have both. */
export function nightsOfRuns(runs: readonly StoredRun[]): {
  nights: Map<Day, ChannelValue>;
  timed: Map<Day, ChannelValue & { at: number }>;
} {
  const nights = new Map<Day, ChannelValue>();
  const timed = new Map<Day, ChannelValue & { at: number }>();
  for (const run of runs) {
    const [from, to, , , , at] = run;
    const value = valueInRun(run);
    for (let day = from; day <= to; day++)
      if (at === undefined) nights.set(day, value);
      else timed.set(day, { ...value, at });
  }
  return { nights, timed };
}

function valueInRun([, , availability, rate, limits]: StoredRun): ChannelValue {
  return {
    ...(availability !== null && { availability }),
    ...(rate !== null && { rate }),
    ...(limits && { restrictions: restrictionsOf(limits) }),
  };
}

const restrictionsOf = ([closed, arrival, departure, minStay, maxStay]: StoredLimits): ChannelRestrictions => ({
  closed: closed === 1,
  closedToArrival: arrival === 1,
  closedToDeparture: departure === 1,
  minStay,
  maxStay,
});

/** Number of values in stored runs that were not taken; of those without a time nobody knows. */
export const countStored = (runs: readonly StoredRun[]): number =>
  countOfValues(
    runs
      .filter(([, , , , , at]) => at !== undefined)
      .map((run) => ({ from: run[0], to: run[1], ...valueInRun(run) })),
  );
