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

/** Reasons for leaving a row of a feed out. */
export const ROW_FAULTS = ['MALFORMED', 'CURRENCY', 'ROOM_TYPE', 'DATE', 'OBSERVED_AT', 'DOUBLE'] as const;
export type RowFault = (typeof ROW_FAULTS)[number];

/** Rows left out, by reason. */
export type RowFaultCounts = Partial<Record<RowFault, number>>;

/** Conditions for comparing rates with those of a property. */
type Comparable = { currency: string; roomTypes: readonly string[]; start: Day; end: Day; now: Instant };

/** Tolerance for a partner's clock that is ahead. */
const SKEW_MS = 300_000;

/** Nights ahead for which competitors are watched. */
export const WATCHED_NIGHTS = 365;

/** Source name of rates that arrive as events. */
export const EVENT_SOURCE = 'events';

/** Delay before a failed source is queried again; its last rates stay meanwhile. */
export const SYNC_AGAIN_MS = 900_000;

/**
 * Filters the rates that are comparable with the property's own, one per competitor, type and night: the newest
 * observation counts. Currencies are not converted: exchange rates would move prices as well.
 */
export function filterQuotes(
  rates: readonly CompetitorRate[],
  comparable: Comparable,
): { comparable: CompetitorRate[]; leftOut: RowFaultCounts } {
  const newest = new Map<string, CompetitorRate>();
  const leftOut: RowFaultCounts = {};
  const leaveOut = (fault: RowFault): void => void (leftOut[fault] = (leftOut[fault] ?? 0) + 1);
  for (const rate of rates) {
    const fault = faultOf(rate, comparable);
    if (fault) {
      leaveOut(fault);
      continue;
    }
    const key = JSON.stringify([rate.competitorId, rate.roomType, rate.day]);
    const before = newest.get(key);
    if (before) leaveOut('DOUBLE');
    if (!before || before.observedAt <= rate.observedAt) newest.set(key, rate);
  }
  return { comparable: [...newest.values()], leftOut };
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
  /** Rounded half to even to the cent between the two middle ones. */
  median: Minor;
  low: Minor;
  high: Minor;
  /** Competitors with a rate. */
  count: number;
  /** Of the newest of them. */
  observedAt: Instant;
};

/** The market of a night in a journal row: room type, night, median, low, high, count, newest observation. */
export type MarketFact = [string, Day, Minor, Minor, Minor, number, Instant];

export function marketFact({ roomType, day, median, low, high, count, observedAt }: MarketNight): MarketFact {
  return [roomType, day, median, low, high, count, observedAt];
}

export function marketNight([roomType, day, median, low, high, count, observedAt]: MarketFact): MarketNight {
  return { roomType, day, median, low, high, count, observedAt };
}

/** An unchanged observation is published again only when it is this much newer. */
const SAID_AGAIN_MS = 12 * 3_600_000;

/** Changes between two reads of the market; a night that has no rates any more gets a count of 0. */
export function marketMoved(before: readonly MarketNight[], after: readonly MarketNight[]): MarketNight[] {
  const placeOf = ({ roomType, day }: MarketNight): string => `${day} ${roomType}`;
  const was = new Map(before.map((night) => [placeOf(night), night]));
  const is = new Set(after.map(placeOf));
  const moved = after.filter((night) => {
    const old = was.get(placeOf(night));
    const same = old?.median === night.median && old.low === night.low && old.high === night.high;
    return !same || old.count !== night.count || night.observedAt - old.observedAt >= SAID_AGAIN_MS;
  });
  const removed = before
    .filter((night) => !is.has(placeOf(night)))
    .map((night) => ({ ...night, median: 0, low: 0, high: 0, count: 0 }));
  return [...moved, ...removed];
}
