import { roundTo } from '../../../../src/kernel/rules/money.ts';
import type {
  experimentAnswer,
  experimentResultAnswer,
} from '../../../../src/revenue/contracts/price-experiments.ts';
import type { ReadExperiment } from '../../../../src/revenue/operations/price-experiments/read-experiments.ts';
import type { ExperimentResult, Uplift } from '../../../../src/revenue/rules/price-experiments/experiment-result.ts';
import { lastDayOf, type PriceExperiment } from '../../../../src/revenue/rules/price-experiments/price-experiment.ts';
import type { AnswerOf } from '../../../http/answers.ts';

export function renderExperiment(experiment: PriceExperiment): AnswerOf<typeof experimentAnswer> {
  const { id, propertyId, name, rateCode, treatment, control, first, blockDays, settleDays } = experiment;
  const { status, stopReason = null, createdAt, createdBy, arms } = experiment;
  return {
    id,
    propertyId,
    name,
    rateCode,
    treatment,
    control,
    startDate: first,
    endDate: lastDayOf(experiment),
    pairs: arms.length / 2,
    blockDays,
    settleDays,
    status,
    stopReason,
    createdAt,
    createdBy,
  };
}

/** What its days have brought. Before the end nothing is concluded. */
export function renderExperimentResult({
  experiment,
  result,
  currency,
}: ReadExperiment): AnswerOf<typeof experimentResultAnswer> {
  const { control, treatment, leftOut, pairs, finding, uplift, explained } = result;
  const isOver = experiment.status !== 'RUNNING';
  return {
    ...renderExperiment(experiment),
    currency,
    result: {
      control: armOf(control),
      treatment: armOf(treatment),
      leftOut,
      pairs,
      finding: isOver ? finding : null,
      uplift: isOver && uplift ? upliftOf(uplift) : null,
      explained: isOver && explained !== undefined ? hundredth(explained) : null,
    },
  };
}

const hundredth = (value: number): number => Math.round(value * 100) / 100;

function armOf({ days, rooms, revenuePerDay }: ExperimentResult['control']) {
  return { days, roomNights: rooms, revenuePerDay: roundTo(revenuePerDay, 1) };
}

function upliftOf({ amount, low, high, percent, lowPercent, highPercent }: Uplift) {
  return {
    perDay: roundTo(amount, 1),
    low: roundTo(low, 1),
    high: roundTo(high, 1),
    percent: hundredth(percent),
    lowPercent: hundredth(lowPercent),
    highPercent: hundredth(highPercent),
  };
}
