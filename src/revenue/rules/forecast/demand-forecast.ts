import type { Day } from '../../../kernel/rules/dates.ts';
import { mean } from '../../../kernel/rules/figures.ts';
import { expectedMore } from '../../../rates/rules/revenue-forecast.ts';
import { type Blend, fitBlend, type Residual } from './forecast-blend.ts';
import { fitEnsemble } from './forecast-ensemble.ts';
import { ForecastFeatures } from './forecast-features.ts';
import { pickups, trainingNights } from './forecast-training.ts';
import type { OnTheBooks } from './on-the-books.ts';

/**
 * Method of a forecast: learned by all models, or by the regressions alone, or with too little history by the mean
 * pickup of recent nights, or by a typical booking curve.
 */
export const FORECAST_METHODS = ['ensemble', 'regression', 'pickup', 'curve'] as const;
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
/** Those of the ensemble, which takes half a second of a processor for each. */
const ENSEMBLE_LEADS = [0, 1, 3, 7, 14, 21, 30, 45, 60, 90, 150, 240, 365] as const;
/** An ensemble that was fitted this many days before is still used. */
const FITTED_DAYS = 6;
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

/**
 * What the ensemble says of consecutive nights: by how much it differs from the regressions, and its own spread. It is
 * computed once a day, and added to the regressions, which follow every booking. NaN where it says nothing.
 */
export type EnsembleNights = { first: Day; shift: Float64Array; deviation: Float64Array; reach: Float64Array };

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
  /** By lead, of the last moment for which it was fitted. */
  readonly #ensembles = new Map<number, { moment: Day; blend: Blend | undefined }>();

  constructor(books: OnTheBooks, capacity = Infinity) {
    this.#books = books;
    this.#capacity = capacity;
    this.#features = new ForecastFeatures(books);
  }

  /**
   * @param ensemble of the same nights, where there is one
   * @see forecastDemand
   */
  forecast(moment: Day, nights: readonly Day[], ensemble?: EnsembleNights): DemandForecast[] {
    const blendAt = this.#regressions(moment);
    const level = mean(trainingNights(this.#books, moment, 0).map((night) => this.#books.known(night, moment)));
    return nights.map((night) => {
      const spread =
        this.#byRegression(moment, night, blendAt) ?? this.#byPickup(moment, night) ?? this.#byCurve(moment, night);
      return this.#bounded(night, withEnsemble(spread, night, ensemble), level);
    });
  }

  /**
   * What the ensemble says of some nights on from `first`; CPU-heavy.
   * @param onLead called after each fit
   */
  ensemble(moment: Day, first: Day, count: number, onLead?: () => void): EnsembleNights {
    const blendAt = this.#regressions(moment);
    const ensembleAt = (lead: number): Blend | undefined => this.#ensembleAt(moment, lead, onLead);
    const found: EnsembleNights = {
      first,
      shift: new Float64Array(count).fill(NaN),
      deviation: new Float64Array(count),
      reach: new Float64Array(count),
    };
    for (let index = 0; index < count; index += 1) {
      const night = first + index;
      const plain = this.#byRegression(moment, night, blendAt);
      const spread = plain && this.#between(true, moment, night, ensembleAt);
      if (!spread) continue;
      found.shift[index] = spread.expected - plain.expected;
      found.deviation[index] = spread.deviation;
      found.reach[index] = spread.reach;
    }
    return found;
  }

  /** Regressions of a moment by lead, each fitted once. */
  #regressions(moment: Day): (lead: number) => Blend | undefined {
    const blends = new Map<number, Blend | undefined>();
    return (lead) => {
      if (!blends.has(lead)) blends.set(lead, this.#train(moment, lead, false));
      return blends.get(lead);
    };
  }

  #ensembleAt(moment: Day, lead: number, onLead?: () => void): Blend | undefined {
    const fitted = this.#ensembles.get(lead);
    if (fitted && moment >= fitted.moment && moment <= fitted.moment + FITTED_DAYS) return fitted.blend;
    const blend = this.#train(moment, lead, true);
    this.#ensembles.set(lead, { moment, blend });
    onLead?.();
    return blend;
  }

  #train(moment: Day, lead: number, isEnsemble: boolean): Blend | undefined {
    const nights = trainingNights(this.#books, moment, lead);
    if (nights.length < LEAST_TRAINED) return undefined;
    const rows = nights.map((night) => this.#row(night, lead, isEnsemble));
    const targets = nights.map((night) => this.#books.known(night, moment));
    return (isEnsemble ? fitEnsemble : fitBlend)(nights, rows, targets, moment + lead);
  }

  #row(night: Day, lead: number, isEnsemble: boolean): Float64Array {
    return isEnsemble ? this.#features.wideRow(night, lead) : this.#features.row(night, lead);
  }

  #byRegression(moment: Day, night: Day, blendAt: (lead: number) => Blend | undefined): Spread | undefined {
    const spread = this.#between(false, moment, night, blendAt);
    return spread && { ...spread, method: 'regression' };
  }

  /** The mean of the models of the two leads that are nearest, weighted by distance. */
  #between(
    isEnsemble: boolean,
    moment: Day,
    night: Day,
    blendAt: (lead: number) => Blend | undefined,
  ): Omit<Spread, 'method'> | undefined {
    const leads: readonly number[] = isEnsemble ? ENSEMBLE_LEADS : LEADS;
    // The ensemble is judged by folds that it has not seen.
    const factor = isEnsemble ? 1 : RESIDUAL_FACTOR;
    const lead = night - moment;
    const later = leads.find((one) => one >= lead) ?? leads.at(-1)!;
    const sooner = later <= lead ? later : leads.findLast((one) => one < lead)!;
    const near = blendAt(sooner);
    const far = blendAt(later);
    if (!near || !far) return undefined;
    const row = this.#row(night, lead, isEnsemble);
    const part = later === sooner ? 0 : (lead - sooner) / (later - sooner);
    const between = (of: (blend: Blend) => number): number => (1 - part) * of(near) + part * of(far);
    return {
      expected: between((blend) => blend.expect(row, night)),
      deviation: factor * between(({ residuals }) => deviationOf(residuals)),
      reach: factor * between(({ residuals }) => reachOf(residuals)),
    };
  }

  #byPickup(moment: Day, night: Day): Spread | undefined {
    const gains = pickups(this.#books, moment, night - moment);
    if (gains.length < LEAST_PICKUP) return undefined;
    const gain = mean(gains);
    const residuals = gains.map((one) => ({ off: one - gain, weight: 1 }));
    return {
      expected: this.#books.known(night, moment) + gain,
      deviation: RESIDUAL_FACTOR * deviationOf(residuals),
      reach: RESIDUAL_FACTOR * reachOf(residuals),
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

function withEnsemble(spread: Spread, night: Day, ensemble: EnsembleNights | undefined): Spread {
  const index = night - (ensemble?.first ?? Infinity);
  const shift = ensemble?.shift[index];
  if (!ensemble || spread.method !== 'regression' || shift === undefined || Number.isNaN(shift)) return spread;
  return {
    expected: spread.expected + shift,
    deviation: ensemble.deviation[index]!,
    reach: ensemble.reach[index]!,
    method: 'ensemble',
  };
}

function deviationOf(residuals: readonly Residual[]): number {
  let squares = 0;
  let total = 0;
  for (const { off, weight } of residuals) {
    squares += weight * off * off;
    total += weight;
  }
  return Math.sqrt(squares / total);
}

/** The distance that {@link BAND} of the residuals do not exceed, by weight. */
function reachOf(residuals: readonly Residual[]): number {
  const sorted = residuals.toSorted((one, other) => Math.abs(one.off) - Math.abs(other.off));
  let left = BAND.share * sorted.reduce((sum, { weight }) => sum + weight, 0);
  const reached = sorted.find(({ weight }) => (left -= weight) <= 0) ?? sorted.at(-1)!;
  return Math.abs(reached.off);
}
