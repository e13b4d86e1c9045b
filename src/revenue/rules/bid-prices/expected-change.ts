import type { Day } from '../../../kernel/rules/dates.ts';
import type { BidNight } from './bid-prices.ts';

/** Part of what is expected that may change before bid prices are computed again: bookings move them until then. */
const SOLVED_AGAIN_FROM = 0.01;

/** Whether so much has changed since a program of the same nights was solved that it is due again. */
export function isDueAgain(before: readonly BidNight[], now: readonly BidNight[]): boolean {
  return expectedChange(before, now) > SOLVED_AGAIN_FROM;
}

/**
 * The part of what is expected that has changed: demand or remaining rooms, and demand at other rates. Infinite for
 * other nights.
 */
function expectedChange(before: readonly BidNight[], now: readonly BidNight[]): number {
  if (before.length !== now.length) return Infinity;
  let expected = 0;
  let changed = 0;
  for (const [index, night] of now.entries()) {
    const then = before[index]!;
    if (then.day !== night.day || then.roomType !== night.roomType) return Infinity;
    expected += then.expected;
    changed += changeOf(then, night);
  }
  return changed === 0 ? 0 : changed / expected;
}

/**
 * Rooms of a night by which what is expected has changed. A booking that was expected takes a room and a guest, which
 * is one change; one that the forecast adds to its final rooms takes a room alone.
 */
function changeOf(then: BidNight, { expected, capacity, booked, current }: BidNight): number {
  const left = capacity - booked - (then.capacity - then.booked);
  const rooms = Math.max(Math.abs(expected - then.expected), Math.abs(left));
  if (then.current === current) return rooms;
  return rooms + expected * Math.min(1, Math.abs(current - then.current) / Math.max(1, then.current));
}

/** The room types of nights for which a program is due again, the most changed first. */
export function dueTypes<N extends BidNight>(
  nights: readonly N[],
  before: (roomType: string) => readonly BidNight[] | undefined,
): { roomType: string; now: N[] }[] {
  return [...Map.groupBy(nights, ({ roomType }) => roomType)]
    .map(([roomType, now]) => {
      const then = before(roomType);
      return { roomType, now, change: then ? expectedChange(then, now) : Infinity };
    })
    .filter(({ change }) => change > SOLVED_AGAIN_FROM)
    .sort((one, other) => (one.change === other.change ? 0 : other.change - one.change));
}

/** Part of a night's expected rooms, or of one room, by which it may change before its own values are computed again. */
const NIGHT_CHANGE = 0.01;

/**
 * Nights of the same type that have changed themselves, or that share stays of so many nights with one that has.
 * @returns undefined where all nights count
 */
export function changedNights(
  before: readonly BidNight[],
  now: readonly BidNight[],
  longestStay: number,
): ReadonlySet<Day> | undefined {
  if (expectedChange(before, now) === Infinity) return undefined;
  const changed = new Set<Day>();
  for (const [index, night] of now.entries()) {
    const then = before[index]!;
    const isSame = then.booked === night.booked && then.current === night.current && then.capacity === night.capacity;
    if (isSame && changeOf(then, night) <= NIGHT_CHANGE * Math.max(1, then.expected)) continue;
    for (let day = night.day - longestStay + 1; day < night.day + longestStay; day++) changed.add(day);
  }
  return changed;
}
