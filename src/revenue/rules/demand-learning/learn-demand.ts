import { sum } from '../../../kernel/rules/figures.ts';
import { bookedBetween, DEMAND, type LearnedDemand } from '../../../rates/rules/demand-model.ts';
import { ASSUMED_FIGURES, type DemandSource, deviationOf, chainPrior, sourceOf } from './demand-family.ts';
import { posteriorAfter, type LearningEvidence } from './gaussian.ts';
import { COMPETITOR_EFFECT, FIGURES, responseOf } from './price-response.ts';
import { type LengthCounts, learnLengths } from './stay-lengths.ts';

/** What the property's data say, small enough to be stored for the others of its tenant. */
export type DemandSummary = {
  /** Number of this layout; others are ignored. */
  layout: typeof SUMMARY_LAYOUT;
  pull: number[];
  weight: number[];
  /** Lengths of stay by lead, in the order of `DEMAND.elasticity`. */
  lengths: number[][];
};

const SUMMARY_LAYOUT = 1;

export type DemandData = {
  /** Counted quotes, `COUNTED_QUOTE.width` numbers each. */
  counted: Int32Array;
  /** Quotes and bookings by lead, weekdays and weekends, as the elasticities. */
  totals: readonly { quotes: number; bookings: number }[];
  lengths: readonly LengthCounts[];
  /** Of the other properties of the tenant. */
  others: readonly DemandSummary[];
};

/** Price sensitivity at a lead, with its 80 % range. */
type LearnedElasticity = {
  fromDays: number;
  isWeekend: boolean;
  elasticity: number;
  low: number;
  high: number;
  prior: number;
  from: DemandSource;
  quotes: number;
  bookings: number;
};

type LearnedLengths = { fromDays: number; shares: number[]; from: DemandSource; bookings: number };

/** By how many parts the demand rises when the competitors' price rises by one, with its 80 % range. */
type CompetitorEffect = { effect: number; low: number; high: number; from: DemandSource };

export type DemandModel = {
  demand: LearnedDemand;
  elasticities: LearnedElasticity[];
  lengths: LearnedLengths[];
  competitors: CompetitorEffect;
};

/** Standard deviations of an 80 % range. */
const BAND = 1.2816;

/** Guests of tomorrow are not those who were counted: no elasticity is surer than this part of it. */
const LEAST_DOUBT = 0.1;

/** No elasticity is less: without any, every price would be too low. */
const LEAST_ELASTICITY = 0.1;

/**
 * Learns the guests' price sensitivity and lengths of stay from counted quotes and bookings
 * (docs/concepts/forecast.md#learned-demand). Deterministic; without data the assumptions.
 */
export function learnDemand(data: DemandData): { model: DemandModel; summary: DemandSummary } {
  const others = data.others.filter(isReadable);
  const expected = chainPrior(others.map(evidenceOf));
  const response = responseOf(data.counted, expected);
  const learned = posteriorAfter(expected, response);
  const range = (figure: number) => {
    const mean = learned.mean[figure]!;
    const reach = BAND * deviationOf(learned, figure);
    return { mean, low: mean - reach, high: mean + reach, from: sourceOf(figure, expected, learned) };
  };
  const elasticities = DEMAND.elasticity.flatMap(({ fromDays }, row) =>
    [false, true].map((isWeekend): LearnedElasticity => {
      const figure = 2 * row + Number(isWeekend);
      const { mean, low, high, from } = range(figure);
      const [elasticity, least] = [mean, low].map((one) => Math.max(LEAST_ELASTICITY, one)) as [number, number];
      const { quotes, bookings } = data.totals[figure] ?? { quotes: 0, bookings: 0 };
      const prior = ASSUMED_FIGURES[figure]!;
      const most = Math.max(elasticity, high);
      return { fromDays, isWeekend, elasticity, low: least, high: most, prior, from, quotes, bookings };
    }),
  );
  const lengths = DEMAND.elasticity.map(({ fromDays }, row) => ({
    fromDays,
    ...learnLengths(
      data.lengths[row] ?? [],
      others.map((one) => one.lengths[row] ?? []),
    ),
  }));
  const { mean: effect, ...effectRange } = range(COMPETITOR_EFFECT);
  return {
    model: {
      demand: demandOf(elasticities, lengths, (figure) => deviationOf(learned, figure)),
      elasticities,
      lengths,
      competitors: { effect, ...effectRange },
    },
    summary: summaryOf(data, response),
  };
}

/** The figures that the optimizer takes. */
function demandOf(
  elasticities: readonly LearnedElasticity[],
  lengths: readonly LearnedLengths[],
  deviation: (figure: number) => number,
): LearnedDemand {
  const table = (value: (figure: number) => number): LearnedDemand['elasticity'] =>
    DEMAND.elasticity.map(({ fromDays }, row) => ({
      fromDays,
      weekday: value(2 * row),
      weekend: value(2 * row + 1),
    }));
  const elasticityOf = (figure: number): number => elasticities[figure]!.elasticity;
  return {
    elasticity: table(elasticityOf),
    doubt: table((figure) => Math.max(LEAST_DOUBT, deviation(figure) / elasticityOf(figure))),
    lengthOfStay: DEMAND.lengthOfStay.map((_, index) =>
      sum(lengths, ({ fromDays, shares }) => shares[index]! * shareOfLead(fromDays)),
    ),
  };
}

/** Share of all bookings that are made at a lead of the table of elasticities. */
function shareOfLead(fromDays: number): number {
  const end = DEMAND.elasticity.find((row) => row.fromDays > fromDays)?.fromDays ?? DEMAND.longestLeadDays + 1;
  return bookedBetween(fromDays, end - 1) / bookedBetween(0, DEMAND.longestLeadDays);
}

function summaryOf({ lengths }: DemandData, { pull, weight }: LearningEvidence): DemandSummary {
  return {
    layout: SUMMARY_LAYOUT,
    pull: [...pull],
    weight: [...weight],
    lengths: lengths.map((counts) => [...counts]),
  };
}

function isReadable({ layout, pull, weight, lengths }: DemandSummary): boolean {
  const isWhole = layout === SUMMARY_LAYOUT && pull.length === FIGURES && weight.length === FIGURES * FIGURES;
  return isWhole && [...pull, ...weight, ...lengths.flat()].every(Number.isFinite);
}

const evidenceOf = ({ pull, weight }: DemandSummary): LearningEvidence => ({
  pull: Float64Array.from(pull),
  weight: Float64Array.from(weight),
});
