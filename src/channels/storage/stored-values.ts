import type { Day } from '../../kernel/rules/dates.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { countOfValues, isSameValue, rateIn } from '../rules/channel-values.ts';
import type { ChannelRestrictions, ChannelValue } from '../rules/channel.ts';

/** Nights with the same value as one list: from, to, availability, rate, restrictions, and the moment it was not taken. */
type StoredRun = [Day, Day, ...StoredValue];
/** A rate with its currency; one of a build that did not know it is of no currency, and sent again. */
type StoredRate = Minor | [Minor, string];
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
  let last: ChannelValue & { at?: number } = {};
  for (const [day, value] of [...nights].toSorted(([a], [b]) => a - b)) {
    const run = runs.at(-1);
    if (run && run[1] === day - 1 && value.at === last.at && isSameValue(value, last)) run[1] = day;
    else runs.push([day, day, ...storedValue(value)]);
    last = value;
  }
  return runs;
}

type StoredValue = [number | null, StoredRate | null, StoredLimits | null, number?];

function storedValue({ availability, restrictions, at, ...more }: ChannelValue & { at?: number }): StoredValue {
  const limits = restrictions ? limitsOf(restrictions) : null;
  const rate = storedRate(more);
  return at ? [availability ?? null, rate, limits, at] : [availability ?? null, rate, limits];
}

function storedRate({ rate, currency }: ChannelValue): StoredRate | null {
  if (rate === undefined) return null;
  return currency === undefined ? rate : [rate, currency];
}

function rateOf(stored: StoredRate): ChannelValue {
  const [rate, currency] = typeof stored === 'number' ? [stored] : stored;
  return rateIn(rate, currency);
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
    ...(rate !== null && rateOf(rate)),
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
