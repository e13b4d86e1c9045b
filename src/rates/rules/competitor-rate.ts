import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/** A competitor's rate for a night in the comparable room type. */
export type CompetitorRate = {
  competitorId: string;
  roomType: string;
  day: Day;
  rate: Minor;
  currency: string;
  observedAt: Instant;
};

/** Why a row of a feed is left out. */
export const ROW_FAULTS = ['MALFORMED', 'CURRENCY', 'ROOM_TYPE', 'DATE', 'OBSERVED_AT', 'DOUBLE'] as const;
export type RowFault = (typeof ROW_FAULTS)[number];

/** Rows left out, by reason. */
export type LeftOut = Partial<Record<RowFault, number>>;

/** What rates must fit to say something about a property. */
type Comparable = { currency: string; roomTypes: readonly string[]; start: Day; end: Day; now: Instant };

/** The partner's clock may be ahead of ours by this. */
const SKEW_MS = 300_000;

/** How far ahead competitors are watched: as far as a year's prices can be held against theirs. */
export const WATCHED_NIGHTS = 365;

/** Name of what comes by itself, as events, among the sources. */
export const EVENT_SOURCE = 'events';

/** A failed source is queried again sooner, and its last rates stay. */
export const SYNC_AGAIN_MS = 900_000;

/**
 * The rates that can be compared with the property's own, each competitor, type and night once: the newest observation
 * counts. Currencies are not converted: a rate of exchange would be a second thing that moves.
 */
export function filterQuotes(
  rates: readonly CompetitorRate[],
  comparable: Comparable,
): { kept: CompetitorRate[]; leftOut: LeftOut } {
  const newest = new Map<string, CompetitorRate>();
  const leftOut: LeftOut = {};
  const leave = (fault: RowFault): void => void (leftOut[fault] = (leftOut[fault] ?? 0) + 1);
  for (const rate of rates) {
    const fault = faultOf(rate, comparable);
    if (fault) {
      leave(fault);
      continue;
    }
    const key = JSON.stringify([rate.competitorId, rate.roomType, rate.day]);
    const before = newest.get(key);
    if (before) leave('DOUBLE');
    if (!before || before.observedAt <= rate.observedAt) newest.set(key, rate);
  }
  return { kept: [...newest.values()], leftOut };
}

function faultOf(rate: CompetitorRate, { currency, roomTypes, start, end, now }: Comparable): RowFault | undefined {
  if (!roomTypes.includes(rate.roomType)) return 'ROOM_TYPE';
  if (rate.day < start || rate.day > end) return 'DATE';
  if (rate.currency !== currency) return 'CURRENCY';
  return rate.observedAt > now + SKEW_MS ? 'OBSERVED_AT' : undefined;
}

/** The market of a room type on a night; amounts in minor units of the property's currency. */
export type MarketNight = {
  roomType: string;
  day: Day;
  /** Half-even to the cent between the two in the middle. */
  median: Minor;
  low: Minor;
  high: Minor;
  /** Competitors with a rate. */
  count: number;
  /** Of the newest of them. */
  observedAt: Instant;
};

/** The market of a night as a journal row has it: room type, night, median, low, high, count, newest observation. */
export type MarketFact = [string, Day, Minor, Minor, Minor, number, Instant];

export function marketFact({ roomType, day, median, low, high, count, observedAt }: MarketNight): MarketFact {
  return [roomType, day, median, low, high, count, observedAt];
}

export function marketNight([roomType, day, median, low, high, count, observedAt]: MarketFact): MarketNight {
  return { roomType, day, median, low, high, count, observedAt };
}

/** Unchanged observations are published only when they are this much newer. */
const SAID_AGAIN_MS = 12 * 3_600_000;

/** Changes between two reads of the market; a night without rates any more has a count of 0. */
export function marketMoved(before: readonly MarketNight[], after: readonly MarketNight[]): MarketNight[] {
  const placeOf = ({ roomType, day }: MarketNight): string => `${day} ${roomType}`;
  const was = new Map(before.map((night) => [placeOf(night), night]));
  const is = new Set(after.map(placeOf));
  const moved = after.filter((night) => {
    const old = was.get(placeOf(night));
    const same = old?.median === night.median && old.low === night.low && old.high === night.high;
    return !same || old.count !== night.count || night.observedAt - old.observedAt >= SAID_AGAIN_MS;
  });
  const gone = before
    .filter((night) => !is.has(placeOf(night)))
    .map((night) => ({ ...night, median: 0, low: 0, high: 0, count: 0 }));
  return [...moved, ...gone];
}
