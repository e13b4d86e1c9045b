import type { Day } from '../../../kernel/rules/dates.ts';
import { USUAL_OCCUPANCY } from '../../../rates/rules/revenue-forecast.ts';
import { occupancyRate } from '../key-figures.ts';
import {
  type DayRegressions,
  type DemandForecast,
  DemandForecaster,
  type EnsembleNights,
} from './demand-forecast.ts';
import type { ForecastEvent } from './event-effects.ts';
import { OnTheBooks } from './on-the-books.ts';

/** Input of a property's demand forecast. */
export type PropertyHistory = {
  /** Triples of moment, night and rooms, for days before `today`. */
  changes: Int32Array;
  today: Day;
  /** Rooms sold now, from the night of `today` on. */
  sold: Int32Array;
  /** Rooms of the property. */
  capacity: number;
  /** Most rooms with which each of these nights can end: those that it has, or those that are sold. */
  mostRooms?: Int32Array;
  events?: readonly ForecastEvent[];
  /** What the ensemble says of these nights, computed earlier on this day. */
  ensemble?: EnsembleNights | undefined;
};

/** Forecast of a property by night from today on, and its usual occupancy. */
export type PropertyForecast = {
  nights: DemandForecast[];
  /** Mean occupancy of the nights of the last year in percent; a typical value where few are known. */
  usual: number;
};

const NIGHTS_OF_HISTORY = 365;
/** Minimum of nights for a usual occupancy. */
const LEAST_NIGHTS = 60;

/**
 * Forecasts every coming night of a property; CPU-heavy, for a worker thread.
 * @param fits of an earlier forecast of the same day and changes, which leaves a quarter of the work
 */
export function forecastProperty(history: PropertyHistory, fits?: DayRegressions): PropertyForecast {
  const { today, sold, capacity, ensemble, events, mostRooms } = history;
  const books = booksOf(history);
  const nights = Array.from(sold, (_, n) => today + n);
  const forecast = new DemandForecaster(books, capacity, undefined, fits).forecast(today, nights, {
    ensemble,
    events,
    ...(mostRooms && { mostRooms: (night: Day) => mostRooms[night - today] ?? capacity }),
  });
  return { nights: forecast, usual: usualOccupancy(books, today, capacity) };
}

/**
 * What the ensemble says of every coming night of a property; seconds of a processor, for a worker thread.
 * @param onProgress called after each part, for who waits
 * @param days ahead that are wanted, all of them where nothing is said
 */
export function forecastByEnsemble(
  history: PropertyHistory,
  onProgress: () => void,
  { from, to } = { from: 0, to: history.sold.length },
): EnsembleNights {
  const { today, capacity } = history;
  return new DemandForecaster(booksOf(history), capacity).ensemble(today, today + from, to - from, onProgress);
}

/** What is known at the end of the day before, and what is sold now. */
function booksOf({ changes, today, sold }: PropertyHistory): OnTheBooks {
  const books = new OnTheBooks(changesIn(changes));
  sold.forEach((rooms, n) => {
    const more = rooms - books.known(today + n, today);
    if (more !== 0) books.add({ moment: today, night: today + n, rooms: more });
  });
  return books;
}

function* changesIn(packed: Int32Array): Generator<{ moment: Day; night: Day; rooms: number }> {
  for (let at = 0; at < packed.length; at += 3)
    yield { moment: packed[at]!, night: packed[at + 1]!, rooms: packed[at + 2]! };
}

function usualOccupancy(books: OnTheBooks, today: Day, capacity: number): number {
  const known = Array.from({ length: NIGHTS_OF_HISTORY }, (_, n) => today - 1 - n).filter((day) => books.knows(day));
  if (known.length < LEAST_NIGHTS || capacity === 0) return USUAL_OCCUPANCY * 100;
  const rooms = known.reduce((sum, night) => sum + books.known(night, today), 0);
  return occupancyRate(rooms, known.length * capacity);
}
