import type { Day } from '../../kernel/rules/dates.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { countOfValues } from '../rules/channel-values.ts';
import type { ChannelRestrictions, ChannelValue } from '../rules/channel.ts';

/** Nights with the same value as one list: from, to, availability, rate, restrictions, and the moment it was not taken. */
type StoredRun = [Day, Day, number | null, Minor | null, StoredLimits | null, number?];
/** Absent ones are null. */
type StoredLimits = [
  closed: 0 | 1 | null,
  arrival: 0 | 1 | null,
  departure: 0 | 1 | null,
  minStay: number | null,
  maxStay: number | null,
];

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

const limitsOf = (of: Partial<ChannelRestrictions>): StoredLimits => [
  storedFlag(of.closed),
  storedFlag(of.closedToArrival),
  storedFlag(of.closedToDeparture),
  of.minStay ?? null,
  of.maxStay ?? null,
];

const storedFlag = (flag: boolean | undefined): 0 | 1 | null => (flag === undefined ? null : flag ? 1 : 0);
const flagOf = (stored: 0 | 1 | null): boolean | undefined => (stored === null ? undefined : stored === 1);

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

const restrictionsOf = ([closed, arrival, departure, minStay, maxStay]: StoredLimits): Partial<ChannelRestrictions> =>
  definedMembers({
    closed: flagOf(closed),
    closedToArrival: flagOf(arrival),
    closedToDeparture: flagOf(departure),
    minStay: minStay ?? undefined,
    maxStay: maxStay ?? undefined,
  }) as Partial<ChannelRestrictions>;

/** Number of values in stored runs that were not taken; of those without a time nobody knows. */
export const countStored = (runs: readonly StoredRun[]): number =>
  countOfValues(
    runs
      .filter(([, , , , , at]) => at !== undefined)
      .map((run) => ({ from: run[0], to: run[1], ...valueInRun(run) })),
  );
