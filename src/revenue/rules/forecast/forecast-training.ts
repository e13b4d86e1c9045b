import type { Day } from '../../../kernel/rules/dates.ts';
import { mean } from '../../../kernel/rules/figures.ts';
import type { OnTheBooks } from './on-the-books.ts';

/** Training nights of a forecast: a year has each season once. */
const TRAINING_NIGHTS = 365;

/**
 * Nights that had passed by the end of the day `moment`, latest last, for which the books have the state `lead` days
 * before. The night of `moment` itself is not over.
 */
export function trainingNights(books: OnTheBooks, moment: Day, lead: number, most: number = TRAINING_NIGHTS): Day[] {
  const first = Math.max(moment - most, books.firstNight, books.firstMoment + lead);
  return Number.isFinite(first)
    ? Array.from({ length: Math.max(0, moment - first) }, (_, index) => first + index)
    : [];
}

/** Nights on each side that say together whether a season sold. */
const AROUND = 28;
/** Minimum of nights for that. */
const LEAST_AROUND = 29;
const YEAR_OF_WEEKS = 364;
/** A season that sold less than this part of the same season of the other year was a lost one. */
const LOST_SHARE = 0.25;
/** A year of which so much sold a quarter of what the coming weeks have already is lost, though no other one is known. */
const LOST_PART_OF_YEAR = 0.6;
const WEEKS_AHEAD = 28;
/** Two years, of which one may be lost. */
const LONGEST = 2 * TRAINING_NIGHTS;

/**
 * {@link trainingNights} without those of a lost season, as in a lockdown or where data is missing: they say nothing
 * about others. Nights of the year before take their place.
 */
export function usualNights(books: OnTheBooks, moment: Day, lead: number, lost: ReadonlySet<Day>): Day[] {
  if (lost.size === 0) return trainingNights(books, moment, lead);
  return trainingNights(books, moment, lead, LONGEST)
    .filter((night) => !lost.has(night))
    .slice(-TRAINING_NIGHTS);
}

/**
 * Past nights around which almost nothing was sold, unlike a year later or before. Where that was most of the year,
 * what is booked of the coming weeks is enough to see it: a property that closes for a season is open for longer.
 */
export function lostNights(books: OnTheBooks, moment: Day): ReadonlySet<Day> {
  const nights = trainingNights(books, moment, 0, LONGEST);
  const first = nights[0] ?? moment;
  const sums = [0];
  for (const night of nights) sums.push(sums.at(-1)! + books.known(night, moment));
  const around = (night: Day): number => {
    const from = Math.max(0, night - AROUND - first);
    const to = Math.min(nights.length, night + AROUND + 1 - first);
    return to - from < LEAST_AROUND ? NaN : (sums[to]! - sums[from]!) / (to - from);
  };
  const isLost = (night: Day): boolean =>
    [night - YEAR_OF_WEEKS, night + YEAR_OF_WEEKS].some((other) => around(night) < LOST_SHARE * around(other));
  const ahead = mean(Array.from({ length: WEEKS_AHEAD }, (_, n) => books.known(moment + n, moment)));
  const isBelowAhead = (night: Day): boolean => around(night) < LOST_SHARE * ahead;
  const below = nights.slice(-TRAINING_NIGHTS).filter(isBelowAhead);
  const isYearLost = below.length >= LOST_PART_OF_YEAR * TRAINING_NIGHTS;
  return new Set(nights.filter((night) => isLost(night) || (isYearLost && isBelowAhead(night))));
}

/** Rooms gained or lost by each of some past nights in the last `lead` days before it. */
export function pickups(
  books: OnTheBooks,
  moment: Day,
  lead: number,
  nights: readonly Day[] = trainingNights(books, moment, lead),
): number[] {
  return nights.map((night) => books.known(night, moment) - books.known(night, night - lead));
}
