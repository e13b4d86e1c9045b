import type { Day } from '../../kernel/rules/dates.ts';
import { mean } from '../../kernel/rules/figures.ts';
import { expectedMore } from '../../rates/rules/revenue-forecast.ts';
import { type Blend, fitBlend, type Residual } from './forecast-blend.ts';
import { ForecastFeatures } from './forecast-features.ts';
import { pickups, trainingNights } from './forecast-training.ts';
import type { OnTheBooks } from './on-the-books.ts';

/**
 * Method of a forecast: learned, or with too little history by the mean pickup of recent nights, or by a typical
 * booking curve.
 */
export const FORECAST_METHODS = ['regression', 'pickup', 'curve'] as const;
type ForecastMethod = (typeof FORECAST_METHODS)[number];

/** Forecast of a night. */
export type DemandForecast = {
  night: Day;
  /** Rooms occupied in the end. */
  expected: number;
  /** 80 % range. */
  low: number;
  high: number;
  /** Standard deviation of the result around `expected`, in rooms. */
  deviation: number;
  /** From 0 to 1: 1 minus the deviation relative to the usual level. */
  confidence: number;
  method: ForecastMethod;
};

/**
 * Days before the night for which regressions are fitted. Between two of them a forecast is their mean, weighted by
 * distance; nights farther ahead use the last one.
 */
const LEADS = [0, 1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 150, 180, 240, 300, 365] as const;
/** Minimum of training nights of a regression. */
const LEAST_TRAINED = 60;
/** Minimum of nights for a mean pickup. */
const LEAST_PICKUP = 14;
/** Share of results within the band, and its half width in deviations for normal residuals. */
const BAND = { share: 0.8, deviations: 1.2816 };
/** Residuals of training nights are smaller than those of future nights. */
const RESIDUAL_FACTOR = 1.1;
/** Relative uncertainty of remaining demand by the booking curve alone. */
const CURVE_DOUBT = 0.5;

/** Centre, deviation and the distance of the band's ends from the centre. */
type Spread = { expected: number; deviation: number; reach: number; method: ForecastMethod };

/**
 * Forecasts the final rooms of nights from the data known at the end of the day `moment`.
 * @param books the property's bookings on the books; days after `moment` are ignored
 * @param moment the last whole day, in the property's time
 * @param nights not before `moment`
 * @param capacity rooms of the property, the maximum of a forecast
 */
export function forecastDemand(
  books: OnTheBooks,
  moment: Day,
  nights: readonly Day[],
  capacity = Infinity,
): DemandForecast[] {
  return new DemandForecaster(books, capacity).forecast(moment, nights);
}

/** {@link forecastDemand} for many moments of one property; caches what was known when. */
export class DemandForecaster {
  readonly #books: OnTheBooks;
  readonly #capacity: number;
  readonly #features: ForecastFeatures;

  constructor(books: OnTheBooks, capacity = Infinity) {
    this.#books = books;
    this.#capacity = capacity;
    this.#features = new ForecastFeatures(books);
  }

  /** @see forecastDemand */
  forecast(moment: Day, nights: readonly Day[]): DemandForecast[] {
    const blends = new Map<number, Blend | undefined>();
    const blendAt = (lead: number): Blend | undefined => {
      if (!blends.has(lead)) blends.set(lead, this.#train(moment, lead));
      return blends.get(lead);
    };
    const level = mean(trainingNights(this.#books, moment, 0).map((night) => this.#books.known(night, moment)));
    return nights.map((night) => {
      const spread =
        this.#byRegression(moment, night, blendAt) ?? this.#byPickup(moment, night) ?? this.#byCurve(moment, night);
      return this.#bounded(night, spread, level);
    });
  }

  #train(moment: Day, lead: number): Blend | undefined {
    const nights = trainingNights(this.#books, moment, lead);
    if (nights.length < LEAST_TRAINED) return undefined;
    const rows = nights.map((night) => this.#features.row(night, lead));
    const targets = nights.map((night) => this.#books.known(night, moment));
    return fitBlend(nights, rows, targets, moment + lead);
  }

  #byRegression(moment: Day, night: Day, blendAt: (lead: number) => Blend | undefined): Spread | undefined {
    const lead = night - moment;
    const later = LEADS.find((one) => one >= lead) ?? LEADS.at(-1)!;
    const sooner = later <= lead ? later : LEADS.findLast((one) => one < lead)!;
    const near = blendAt(sooner);
    const far = blendAt(later);
    if (!near || !far) return undefined;
    const row = this.#features.row(night, lead);
    const part = later === sooner ? 0 : (lead - sooner) / (later - sooner);
    const between = (of: (blend: Blend) => number): number => (1 - part) * of(near) + part * of(far);
    return {
      expected: between((blend) => blend.expect(row)),
      deviation: between(({ residuals }) => deviationOf(residuals)),
      reach: between(({ residuals }) => reachOf(residuals)),
      method: 'regression',
    };
  }

  #byPickup(moment: Day, night: Day): Spread | undefined {
    const gains = pickups(this.#books, moment, night - moment);
    if (gains.length < LEAST_PICKUP) return undefined;
    const gain = mean(gains);
    const residuals = gains.map((one) => ({ off: one - gain, weight: 1 }));
    return {
      expected: this.#books.known(night, moment) + gain,
      deviation: deviationOf(residuals),
      reach: reachOf(residuals),
      method: 'pickup',
    };
  }

  #byCurve(moment: Day, night: Day): Spread {
    const booked = this.#books.known(night, moment);
    const total = Number.isFinite(this.#capacity) ? this.#capacity : booked;
    const more = expectedMore({ total, booked, day: night }, moment);
    const deviation = Math.sqrt(more + (CURVE_DOUBT * more) ** 2);
    return { expected: booked + more, deviation, reach: BAND.deviations * deviation, method: 'curve' };
  }

  #bounded(night: Day, { expected: free, deviation, reach, method }: Spread, level: number): DemandForecast {
    const within = (rooms: number): number => Math.min(Math.max(0, rooms), this.#capacity);
    const expected = within(free);
    const usual = Math.max(expected, level);
    const confidence = usual === 0 ? 0 : Math.max(0, 1 - deviation / usual);
    return { night, expected, low: within(free - reach), high: within(free + reach), deviation, confidence, method };
  }
}

function deviationOf(residuals: readonly Residual[]): number {
  let squares = 0;
  let total = 0;
  for (const { off, weight } of residuals) {
    squares += weight * off * off;
    total += weight;
  }
  return RESIDUAL_FACTOR * Math.sqrt(squares / total);
}

/** The distance that {@link BAND} of the residuals do not exceed, by weight. */
function reachOf(residuals: readonly Residual[]): number {
  const sorted = residuals.toSorted((one, other) => Math.abs(one.off) - Math.abs(other.off));
  let left = BAND.share * sorted.reduce((sum, { weight }) => sum + weight, 0);
  const reached = sorted.find(({ weight }) => (left -= weight) <= 0) ?? sorted.at(-1)!;
  return RESIDUAL_FACTOR * Math.abs(reached.off);
}
