import { exp, log } from '../../../kernel/rules/portable-math.ts';
import { DEMAND } from '../../../rates/rules/demand-model.ts';
import { marketChangeOf, ratioOf } from '../../../rates/rules/quote-cells.ts';
import { invertSymmetric } from '../forecast/cholesky.ts';
import { differenceOf, type LearningEvidence, type Gaussian, product, matrixSum } from './gaussian.ts';

/** Figures of the response: an elasticity for each lead on weekdays and weekends, then the effect of competitors. */
export const ELASTICITIES = 2 * DEMAND.elasticity.length;
export const COMPETITOR_EFFECT = ELASTICITIES;
export const FIGURES = ELASTICITIES + 1;

/** Columns of a counted cell. Cells of a group follow each other. */
export const COUNTED_QUOTE = {
  group: 0,
  lead: 1,
  isWeekend: 2,
  ratio: 3,
  market: 4,
  shown: 5,
  booked: 6,
  width: 7,
} as const;

/** Steps of Newton's method; it needs about five. */
const MAX_STEPS = 30;

/** Halvings of a step that makes it worse. */
const MAX_HALVINGS = 20;

/** Elasticity of a lead in days, in the order of `DEMAND.elasticity`, on a weekday or a weekend. */
export function figureOf(leadDays: number, isWeekend: boolean): number {
  const row = DEMAND.elasticity.findLastIndex(({ fromDays }) => leadDays >= fromDays);
  return 2 * Math.max(0, row) + Number(isWeekend);
}

/** Cells of one group: the same night, room type, lead and length of stay, so that prices are all that differs. */
type Group = { figure: number; cells: { change: number; market: number; shown: number; booked: number }[] };

/** The groups that can say something: with a booking, and with two prices. */
function comparedGroups(counted: Int32Array): Group[] {
  const groups = new Map<number, Group>();
  for (let at = 0; at < counted.length; at += COUNTED_QUOTE.width) {
    const cell = counted.subarray(at, at + COUNTED_QUOTE.width);
    const lead = DEMAND.leadTimes[cell[COUNTED_QUOTE.lead]!]?.fromDays ?? 0;
    const id = cell[COUNTED_QUOTE.group]!;
    let group = groups.get(id);
    if (!group) groups.set(id, (group = { figure: figureOf(lead, cell[COUNTED_QUOTE.isWeekend] === 1), cells: [] }));
    const booked = Math.max(0, cell[COUNTED_QUOTE.booked]!);
    group.cells.push({
      change: ratioOf(cell[COUNTED_QUOTE.ratio]!) - 1,
      market: marketChangeOf(cell[COUNTED_QUOTE.market]!),
      // A booking of a quote that was not counted was shown, too.
      shown: Math.max(booked, cell[COUNTED_QUOTE.shown]!),
      booked,
    });
  }
  return [...groups.values()].filter(
    ({ cells }) => cells.some(({ booked }) => booked > 0) && cells.filter(({ shown }) => shown > 0).length > 1,
  );
}

/** Value, gradient and information of the likelihood. */
type Slope = { value: number; gradient: Float64Array; weight: Float64Array };

/**
 * The conditional likelihood of where the bookings of each group fell: a cell draws them by the quotes shown in it,
 * times exp(-elasticity x change + effect x market). How many guests book on that night at all cancels out, so that
 * nights on which both demand and prices are high say nothing by that alone.
 */
function slopeAt(groups: readonly Group[], figures: Float64Array): Slope {
  const gradient = new Float64Array(FIGURES);
  const weight = new Float64Array(FIGURES * FIGURES);
  const effect = figures[COMPETITOR_EFFECT]!;
  let value = 0;
  for (const { figure, cells } of groups) {
    const elasticity = figures[figure]!;
    let [all, bookings, change, market, changes, markets, both] = [0, 0, 0, 0, 0, 0, 0];
    for (const cell of cells) {
      const tilt = effect * cell.market - elasticity * cell.change;
      const share = cell.shown * exp(tilt);
      all += share;
      change += share * cell.change;
      market += share * cell.market;
      changes += share * cell.change * cell.change;
      markets += share * cell.market * cell.market;
      both += share * cell.change * cell.market;
      if (cell.booked === 0) continue;
      bookings += cell.booked;
      value += cell.booked * tilt;
      gradient[figure]! -= cell.booked * cell.change;
      gradient[COMPETITOR_EFFECT]! += cell.booked * cell.market;
    }
    const [meanChange, meanMarket] = [change / all, market / all];
    value -= bookings * log(all);
    gradient[figure]! += bookings * meanChange;
    gradient[COMPETITOR_EFFECT]! -= bookings * meanMarket;
    const joint = -bookings * (both / all - meanChange * meanMarket);
    weight[figure * FIGURES + figure]! += bookings * Math.max(0, changes / all - meanChange ** 2);
    weight[FIGURES * FIGURES - 1]! += bookings * Math.max(0, markets / all - meanMarket ** 2);
    weight[figure * FIGURES + COMPETITOR_EFFECT]! += joint;
    weight[COMPETITOR_EFFECT * FIGURES + figure]! += joint;
  }
  return { value, gradient, weight };
}

/**
 * What the counted quotes say, at the most probable figures under a prior (Newton's method). The likelihood is concave,
 * so there is one answer, and without data it is the prior's mean.
 */
export function responseOf(counted: Int32Array, { mean, covariance }: Gaussian): LearningEvidence {
  const groups = comparedGroups(counted);
  const precision = invertSymmetric(covariance);
  const valueOf = ({ value }: Slope, figures: Float64Array): number => {
    const off = differenceOf(figures, mean);
    return value - product(precision, off).reduce((sum, one, index) => sum + one * off[index]!, 0) / 2;
  };
  let figures: Float64Array = mean.slice();
  let slope = slopeAt(groups, figures);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const uphill = differenceOf(slope.gradient, product(precision, differenceOf(figures, mean)));
    let move = product(invertSymmetric(matrixSum(precision, slope.weight)), uphill);
    if (Math.max(...move.map(Math.abs)) < 1e-9) break;
    const before = valueOf(slope, figures);
    for (let halving = 0; halving <= MAX_HALVINGS; halving += 1) {
      const next = matrixSum(figures, move);
      const there = slopeAt(groups, next);
      if (valueOf(there, next) >= before || halving === MAX_HALVINGS) {
        [figures, slope] = [next, there];
        break;
      }
      move = move.map((one) => one / 2);
    }
  }
  return { pull: matrixSum(product(slope.weight, figures), slope.gradient), weight: slope.weight };
}
