import { LRUCache } from 'lru-cache';

import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import { type Address, addressKey } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { endOfBusinessDay } from '../../kernel/rules/property-time.ts';
import { WATCHED_NIGHTS } from '../../rates/rules/competitor-rate.ts';
import type { BidNight, BidPrices } from '../rules/bid-prices/bid-prices.ts';
import { demandPressure } from '../rules/demand-pressure.ts';
import type { EnsembleNights } from '../rules/forecast/demand-forecast.ts';
import type { ForecastEvent } from '../rules/forecast/event-effects.ts';
import type { PropertyForecast, PropertyHistory } from '../rules/forecast/property-forecast.ts';
import { occupancyRate } from '../rules/key-figures.ts';
import type { LiveNight, LiveRateTables } from '../rules/live-rates/live-tables.ts';

/** Booking history for the forecast: a year of nights, and their bookings before it. */
export const HISTORY_DAYS = 400;

const MAX_PROPERTIES = 100;
const MAX_HISTORY_BYTES = 64 * 1024 * 1024;

/** A forecast with the number of rooms. */
type Forecast = PropertyForecast & { capacity: number };

/** What a history knows: all before a business date, and an import may add to that. */
type Known = string;
type History = { known: Known; changes: Int32Array };

/** The ensemble of a property's day; without nights while it is computed, and where that has failed. */
type Ensemble = { known: Known; nights?: EnsembleNights; underWay?: Promise<void> };

/** Ensembles that wait for a thread; the next forecast of a property beyond them tries again. */
const MAX_FITTING = 1_000;

/** Cache of forecasts and history on this node: the history of past days changes by imports only. */
export class PropertyForecasts {
  readonly #histories = new LRUCache<string, History>({
    max: MAX_PROPERTIES,
    maxSize: MAX_HISTORY_BYTES,
    sizeCalculation: ({ changes }) => changes.byteLength + 1,
  });
  readonly #forecasts = new LRUCache<string, { of: string; forecast: Promise<Forecast> }>({ max: MAX_PROPERTIES });
  /** Nights with which bid prices were last computed, by property and room type, and what came of it. */
  readonly solved = new LRUCache<string, Pick<BidPrices, 'model' | 'values'> & { nights: readonly BidNight[] }>({
    max: 5 * MAX_PROPERTIES,
  });
  /** Nights with which live rates were last computed, by property and room type, and their values. */
  readonly live = new LRUCache<string, { nights: readonly LiveNight[]; values: LiveRateTables['values'] }>({
    max: 5 * MAX_PROPERTIES,
  });
  /** Small: a few numbers a night. */
  readonly #ensembles = new LRUCache<string, Ensemble>({ max: 10 * MAX_PROPERTIES });
  /** One at a time: the other thread stays free for short tasks. */
  #fitting = Promise.resolve();
  #waiting = 0;

  /** The cached forecast of a property at this `seq`, or a new one by `make`; a failed one is not cached. */
  at(to: Address, { seq, generation }: PropertyView, known: Known, make: () => Promise<Forecast>): Promise<Forecast> {
    const key = `${addressKey(to)} ${generation}`;
    const of = `${seq} ${known}`;
    const cached = this.#forecasts.get(key);
    if (cached?.of === of) return cached.forecast;
    const forecast = make();
    this.#forecasts.set(key, { of, forecast });
    forecast.catch(() => this.#forecasts.delete(key));
    return forecast;
  }

  /**
   * What the ensemble says of a property's nights today. The first call of a day computes it behind the answer, which
   * takes seconds; until then there is none, and forecasts are those of the regressions.
   */
  ensemble(
    to: Address,
    { generation }: PropertyView,
    known: Known,
    make: () => Promise<EnsembleNights>,
  ): EnsembleNights | undefined {
    const key = `${addressKey(to)} ${generation}`;
    const cached = this.#ensembles.get(key);
    if (cached?.known === known) return cached.nights;
    if (this.#waiting >= MAX_FITTING) return undefined;
    const ensemble: Ensemble = { known };
    this.#ensembles.set(key, ensemble);
    this.#waiting += 1;
    const fit = async (): Promise<void> => {
      try {
        ensemble.nights = await make();
        this.#forecasts.delete(key);
      } catch {
        // The regressions are there; the next day tries again.
      } finally {
        this.#waiting -= 1;
        delete ensemble.underWay;
      }
    };
    ensemble.underWay = this.#fitting = this.#fitting.then(fit);
    return undefined;
  }

  /** Resolves when the ensemble that is being computed for a property is there. */
  ensembleUnderWay(to: Address, { generation }: PropertyView): Promise<void> | undefined {
    return this.#ensembles.get(`${addressKey(to)} ${generation}`)?.underWay;
  }

  async history(to: Address, known: Known, read: () => Promise<Int32Array>): Promise<Int32Array> {
    const cached = this.#histories.get(addressKey(to));
    if (cached?.known === known) return cached.changes;
    const changes = await read();
    this.#histories.set(addressKey(to), { known, changes });
    return changes;
  }
}

export type Forecasting = Pick<Services, 'forecasts' | 'bookingHistory' | 'computer' | 'properties'>;

/** Forecasts the coming year of a property from its journal and current bookings. */
export async function propertyForecast(services: Forecasting, to: Address, view: PropertyView): Promise<Forecast> {
  const known = await knownOf(services, to, view);
  return services.forecasts.at(to, view, known, async () => {
    const today = view.businessDate;
    const changes = await services.forecasts.history(to, known, () => readHistory(services, to, view));
    const nights = Math.min(view.lastNight - today + 1, WATCHED_NIGHTS);
    const { sold, capacity, mostRooms } = roomsOf(view, today, nights);
    const history = { changes, today, sold, capacity, mostRooms, events: view.calendarEvents.map(eventOf) };
    const ensemble = services.forecasts.ensemble(to, view, known, () =>
      services.computer.run('forecastByEnsemble', history),
    );
    return { ...(await services.computer.run('forecastProperty', { ...history, ensemble })), capacity };
  });
}

/** The booking history of a property before its business date, which only an import changes while that lasts. */
export async function bookingChanges(services: Forecasting, to: Address, view: PropertyView): Promise<Int32Array> {
  const known = await knownOf(services, to, view);
  return services.forecasts.history(to, known, () => readHistory(services, to, view));
}

async function knownOf({ bookingHistory }: Forecasting, to: Address, { businessDate }: PropertyView): Promise<Known> {
  return `${businessDate} ${await bookingHistory.imports(to)}`;
}

const eventOf = ({ name, firstNight, lastNight, effect }: ForecastEvent): ForecastEvent => ({
  name,
  firstNight,
  lastNight,
  effect,
});

/** Rooms of nights: sold, and the most with which they can end. A night on which every sale is stopped gains none. */
function roomsOf(
  view: PropertyView,
  today: Day,
  nights: number,
): Pick<PropertyHistory, 'sold' | 'capacity'> & { mostRooms: Int32Array } {
  const sold = new Int32Array(nights);
  const total = new Int32Array(nights);
  const free = new Int32Array(nights);
  for (const { day, roomType, ...cell } of view.grid(today, today + nights - 1)) {
    const n = day - today;
    sold[n]! += cell.booked;
    total[n]! += cell.total;
    // More can be sold than there is where the property oversells.
    if (!view.isClosed(roomType, day))
      free[n]! += Math.max(cell.available, cell.total - cell.blocked - cell.booked, 0);
  }
  const mostRooms = sold.map((rooms, n) => rooms + free[n]!);
  return { sold, capacity: Math.max(0, ...total), mostRooms };
}

async function readHistory({ bookingHistory }: Forecasting, to: Address, view: PropertyView): Promise<Int32Array> {
  const { timezone, policies } = view.setup.property.metadata;
  const clock = { timezone, nightAuditHour: policies.nightAuditHour };
  const first = view.businessDate - HISTORY_DAYS;
  const starts = Array.from({ length: HISTORY_DAYS + 1 }, (_, n) => endOfBusinessDay(first + n - 1, clock));
  const changes = await bookingHistory.changes(to, starts, first);
  // Today's bookings are taken from the property itself.
  const past = changes.filter(({ index }) => index < HISTORY_DAYS);
  return Int32Array.from(past.flatMap(({ index, night, rooms }) => [first + index, night, rooms]));
}

/**
 * Price adjustment by demand for each night, in percent. A property without history gets none: typical booking curves
 * are no demand.
 */
export async function demandPercents(
  services: Forecasting,
  to: Address,
  view: PropertyView,
): Promise<ReadonlyMap<Day, number>> {
  const { nights, usual, capacity } = await propertyForecast(services, to, view);
  if (capacity === 0) return new Map();
  const learned = nights.filter(({ method }) => method !== 'curve');
  return new Map(
    learned.map(({ night, expected }) => [night, demandPressure(occupancyRate(expected, capacity), usual)]),
  );
}
