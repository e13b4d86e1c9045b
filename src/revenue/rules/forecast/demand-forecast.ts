import type { Day } from '../../../kernel/rules/dates.ts';
import { mean } from '../../../kernel/rules/figures.ts';
import { expectedMore, USUAL_OCCUPANCY } from '../../../rates/rules/revenue-forecast.ts';
import { EventEffects, type EventOfNight, type ForecastEvent } from './event-effects.ts';
import { type Blend, fitBlend, type Residual } from './forecast-blend.ts';
import { type EnsembleBlend, fitEnsemble } from './forecast-ensemble.ts';
import { ForecastFeatures } from './forecast-features.ts';
import { lostNights, pickups, usualNights } from './forecast-training.ts';
import type { OnTheBooks } from './on-the-books.ts';

/**
 * Method of a forecast: learned by all models, or by the regressions alone; with too little history by the mean pickup of recent nights, or by a typical booking curve.
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
  /** What an event of the calendar adds to this night. */
  event?: EventOfNight;
};

/**
 * Days before the night for which regressions are fitted. Between two of them a forecast is their mean, weighted by
 * distance; nights farther ahead use the last one.
 */
const LEADS = [0, 1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 150, 180, 240, 300, 365] as const;
/** Those of the ensemble, which takes half a second of a processor for each. */
const ENSEMBLE_LEADS = [0, 1, 3, 7, 14, 21, 30, 45, 60, 90, 150, 240, 365] as const;
const FITTED_DAYS = 7;
/** Minimum of training nights of a regression. */
const LEAST_TRAINED = 60;
/** Minimum of nights for a mean pickup. */
const LEAST_PICKUP = 14;
/** Share of results within the band, and its half width in deviations for normal residuals. */
const BAND = { share: 0.8, deviations: 1.2816 };
/** Residuals of training nights are smaller than those of future nights. */
const RESIDUAL_FACTOR = 1.1;
/** Share of unseen nights within the band of the ensemble, a little more: coming years differ from the one before. */
const ENSEMBLE_SHARE = 0.82;
/** Blocks of passed nights, by days back, and by how much they may widen a band, or narrow it, before the root. */
const DRIFT = { back: [183, 122, 61], nights: 61, most: 2 };
/** Relative uncertainty of remaining demand by the booking curve alone. */
const CURVE_DOUBT = 0.5;

/**
 * What slower models say of consecutive nights: by how much they differ from the forecast that follows every booking, to
 * which this is added, and their own spread. They are computed once a day. NaN where they say nothing.
 */
export type EnsembleNights = {
  first: Day;
  shift: Float64Array;
  deviation: Float64Array;
  reach: Float64Array;
};

/** What is known of coming nights beside the books. */
type ComingNights = {
  ensemble?: EnsembleNights | undefined;
  events?: readonly ForecastEvent[] | undefined;
  /** Most rooms with which a night can end, where not the capacity. */
  mostRooms?: ((night: Day) => number) | undefined;
};

type Weighted = Pick<Residual, 'off' | 'weight'>;
/** Fitted models, and what of their residuals makes a band. */
type Fitted = Blend & { band: { share: number; factor: number } };

/**
 * Regressions of a moment by lead, as far as they were needed. They learn from nights that had passed by then, so they
 * stay the same while coming nights are sold.
 */
export type DayRegressions = { moment: Day; byLead: Map<number, Fitted | undefined> };

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
  readonly #fittedDays: number;
  readonly #features: ForecastFeatures;
  #fits: DayRegressions;
  /** Lost nights of the last moment. */
  #lost: { moment: Day; nights: ReadonlySet<Day> } | undefined;
  /** By lead, of the last moment for which it was fitted. */
  readonly #ensembles = new Map<number, { moment: Day; fit: Fitted | undefined }>();

  /**
   * @param fittedDays for which an ensemble is used
   * @param fits of a forecaster of the same books and moment; new ones are added to it
   */
  constructor(
    books: OnTheBooks,
    capacity = Infinity,
    fittedDays = FITTED_DAYS,
    fits: DayRegressions = { moment: NaN, byLead: new Map() },
  ) {
    this.#books = books;
    this.#fits = fits;
    this.#capacity = capacity;
    this.#fittedDays = fittedDays;
    this.#features = new ForecastFeatures(books);
  }

  /** @see forecastDemand */
  forecast(moment: Day, nights: readonly Day[], coming: ComingNights = {}): DemandForecast[] {
    const blendAt = this.#regressions(moment);
    const level = mean(this.#trained(moment, 0).map((night) => this.#books.known(night, moment)));
    const effects = new EventEffects(coming.events ?? [], moment);
    const usual = level > 0 || !Number.isFinite(this.#capacity) ? level : USUAL_OCCUPANCY * this.#capacity;
    return nights.map((night) => {
      const spread = withEnsemble(this.#own(moment, night, blendAt), night, coming.ensemble);
      const learned = (): readonly Residual[] => blendAt(nearestLead(night - moment))?.residuals ?? [];
      const added = effects.at(night, usual, night - moment, learned);
      return this.#bounded(night, withEvent(spread, added), level, coming.mostRooms?.(night) ?? this.#capacity);
    });
  }

  /** The forecast from the property's own books that follows every booking. */
  #own(moment: Day, night: Day, blendAt: (lead: number) => Fitted | undefined): Spread {
    return (
      this.#byRegression(moment, night, blendAt) ?? this.#byPickup(moment, night) ?? this.#byCurve(moment, night)
    );
  }

  /**
   * What the ensemble says of some nights on from `first`; CPU-heavy.
   * @param onLead called after each fit
   */
  ensemble(moment: Day, first: Day, count: number, onLead?: () => void): EnsembleNights {
    const blendAt = this.#regressions(moment);
    const ensembleAt = (lead: number): Fitted | undefined => this.#ensembleAt(moment, lead, onLead);
    const found: EnsembleNights = {
      first,
      shift: new Float64Array(count).fill(NaN),
      deviation: new Float64Array(count),
      reach: new Float64Array(count),
    };
    for (let index = 0; index < count; index += 1) {
      const night = first + index;
      const own = this.#own(moment, night, blendAt);
      const spread = own.method === 'regression' ? this.#between(true, moment, night, ensembleAt) : undefined;
      if (!spread) continue;
      found.shift[index] = spread.expected - own.expected;
      found.deviation[index] = spread.deviation;
      found.reach[index] = spread.reach;
    }
    return found;
  }

  #trained(moment: Day, lead: number): Day[] {
    if (this.#lost?.moment !== moment) this.#lost = { moment, nights: lostNights(this.#books, moment) };
    return usualNights(this.#books, moment, lead, this.#lost.nights);
  }

  /** Regressions of a moment by lead, each fitted once; those of the last moment are cached. */
  #regressions(moment: Day): (lead: number) => Fitted | undefined {
    if (this.#fits.moment !== moment) this.#fits = { moment, byLead: new Map() };
    const fits = this.#fits.byLead;
    return (lead) => {
      if (!fits.has(lead)) {
        const blend = this.#fit(moment, lead);
        fits.set(lead, blend && { ...blend, band: { share: BAND.share, factor: RESIDUAL_FACTOR } });
      }
      return fits.get(lead);
    };
  }

  #ensembleAt(moment: Day, lead: number, onLead?: () => void): Fitted | undefined {
    const fitted = this.#ensembles.get(lead);
    if (fitted && moment >= fitted.moment && moment < fitted.moment + this.#fittedDays) return fitted.fit;
    const examples = this.#examples(moment, lead, true);
    const blend = examples && fitEnsemble(examples.nights, examples.rows, examples.targets, moment + lead);
    const fit = blend && {
      ...blend,
      band: { share: ENSEMBLE_SHARE, factor: this.#drift(moment, lead, blend.residuals) },
    };
    this.#ensembles.set(lead, { moment, fit });
    onLead?.();
    return fit;
  }

  #fit(moment: Day, lead: number): Blend | undefined {
    const examples = this.#examples(moment, lead, false);
    return examples && fitBlend(examples.nights, examples.rows, examples.targets, moment + lead);
  }

  #examples(
    moment: Day,
    lead: number,
    isEnsemble: boolean,
  ): { nights: Day[]; rows: Float64Array[]; targets: number[] } | undefined {
    const nights = this.#trained(moment, lead);
    if (nights.length < LEAST_TRAINED) return undefined;
    const rows = nights.map((night) => this.#row(night, lead, isEnsemble));
    return { nights, rows, targets: nights.map((night) => this.#books.known(night, moment)) };
  }

  /**
   * By which factor bands are wider than residuals of unseen nights of the same year say: a coming year differs from
   * it. Learned from how far the regressions of earlier days were off in nights that have passed since.
   */
  #drift(moment: Day, lead: number, residuals: EnsembleBlend['residuals']): number {
    const passed: Weighted[] = [];
    for (const back of DRIFT.back) {
      const blend = this.#fit(moment - back - lead, lead);
      if (!blend) continue;
      for (let night = moment - back; night < moment - back + DRIFT.nights; night += 1) {
        const expected = blend.expect(this.#row(night, lead, false), night);
        passed.push({ off: this.#books.known(night, moment) - expected, weight: 1 });
      }
    }
    if (passed.length === 0) return 1;
    const said = reachOf(
      residuals.map(({ ofRegressions }) => ({ off: ofRegressions, weight: 1 })),
      BAND.share,
    );
    // The square root: half a year of nights that depend on each other is little.
    return said === 0
      ? 1
      : Math.sqrt(Math.min(DRIFT.most, Math.max(1 / DRIFT.most, reachOf(passed, BAND.share) / said)));
  }

  #row(night: Day, lead: number, isEnsemble: boolean): Float64Array {
    return isEnsemble ? this.#features.wideRow(night, lead) : this.#features.row(night, lead);
  }

  #byRegression(moment: Day, night: Day, blendAt: (lead: number) => Fitted | undefined): Spread | undefined {
    const spread = this.#between(false, moment, night, blendAt);
    return spread && { ...spread, method: 'regression' };
  }

  /** The mean of the models of the two leads that are nearest, weighted by distance. */
  #between(
    isEnsemble: boolean,
    moment: Day,
    night: Day,
    blendAt: (lead: number) => Fitted | undefined,
  ): Omit<Spread, 'method'> | undefined {
    const leads: readonly number[] = isEnsemble ? ENSEMBLE_LEADS : LEADS;
    const lead = night - moment;
    const later = leads.find((one) => one >= lead) ?? leads.at(-1)!;
    const sooner = later <= lead ? later : leads.findLast((one) => one < lead)!;
    const near = blendAt(sooner);
    const far = blendAt(later);
    if (!near || !far) return undefined;
    const row = this.#row(night, lead, isEnsemble);
    const part = later === sooner ? 0 : (lead - sooner) / (later - sooner);
    const between = (of: (fit: Fitted) => number): number => (1 - part) * of(near) + part * of(far);
    return {
      expected: between((fit) => fit.expect(row, night)),
      deviation: between(({ residuals, band }) => band.factor * deviationOf(residuals)),
      reach: between(({ residuals, band }) => band.factor * reachOf(residuals, band.share)),
    };
  }

  #byPickup(moment: Day, night: Day): Spread | undefined {
    const lead = night - moment;
    const trained = this.#trained(moment, lead);
    const gains = pickups(this.#books, moment, lead, trained);
    if (gains.length < LEAST_PICKUP) return undefined;
    const gain = mean(gains);
    const residuals = gains.map((one) => ({ off: one - gain, weight: 1 }));
    return {
      expected: this.#books.known(night, moment) + gain,
      deviation: RESIDUAL_FACTOR * deviationOf(residuals),
      reach: RESIDUAL_FACTOR * reachOf(residuals, BAND.share),
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

  #bounded(night: Day, spread: Eventful, level: number, most: number): DemandForecast {
    const { expected: free, deviation, reach, method, event } = spread;
    const within = (rooms: number): number => Math.min(Math.max(0, rooms), most);
    const expected = within(free);
    const usual = Math.max(expected, level);
    const confidence = usual === 0 ? 0 : Math.max(0, 1 - deviation / usual);
    const range = { low: within(free - reach), high: within(free + reach), deviation };
    return { night, expected, ...range, confidence, method, ...(event && { event }) };
  }
}

type Eventful = Spread & { event?: EventOfNight };

/** The lead of a regression that is nearest to a number of days. */
function nearestLead(lead: number): number {
  return LEADS.reduce<number>((one, other) => (Math.abs(other - lead) < Math.abs(one - lead) ? other : one), 0);
}

function withEvent(spread: Spread, added: ReturnType<EventEffects['at']>): Eventful {
  if (!added) return spread;
  return {
    ...spread,
    expected: spread.expected + added.event.rooms,
    deviation: Math.hypot(spread.deviation, added.deviation),
    reach: Math.hypot(spread.reach, BAND.deviations * added.deviation),
    event: added.event,
  };
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

function deviationOf(residuals: readonly Weighted[]): number {
  let squares = 0;
  let total = 0;
  for (const { off, weight } of residuals) {
    squares += weight * off * off;
    total += weight;
  }
  return Math.sqrt(squares / total);
}

/** The distance that a share of the residuals does not exceed, by weight. */
function reachOf(residuals: readonly Weighted[], share: number): number {
  const sorted = residuals.toSorted((one, other) => Math.abs(one.off) - Math.abs(other.off));
  let left = share * sorted.reduce((sum, { weight }) => sum + weight, 0);
  const reached = sorted.find(({ weight }) => (left -= weight) <= 0) ?? sorted.at(-1)!;
  return Math.abs(reached.off);
}
