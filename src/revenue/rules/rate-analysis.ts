import type { Day } from '../../kernel/rules/dates.ts';
import { hundredths, mean, sum } from '../../kernel/rules/figures.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { RateNight } from '../../rates/rules/queries.ts';
import { averageDailyRate, occupancyRate, revenuePerAvailableRoom } from './key-figures.ts';
import type { NightAudit } from './night-audit.ts';
import type { YieldPlan, YieldRecommendation } from './yield-problem.ts';

export const ACTIONS = ['INCREASE_RATE', 'DECREASE_RATE', 'HOLD', 'ADD_RESTRICTION'] as const;
type AnalysisAction = (typeof ACTIONS)[number];
export const POSITIONS = ['ABOVE_MARKET', 'AT_MARKET', 'BELOW_MARKET'] as const;
type MarketPosition = (typeof POSITIONS)[number];

/** Whether every amount of an analysis is exact to the cent: sums of very many very expensive nights are not. */
export function isExact({ performance, optimization }: RateAnalysis): boolean {
  const { potentialRevenue, currentRevenue, opportunityLoss } = optimization;
  const amounts = [performance.averageRate ?? 0, performance.revenuePAR, potentialRevenue, currentRevenue];
  return [...amounts, opportunityLoss].every(Number.isSafeInteger);
}

/** A recommended action for some nights of a room type, with its reason (`recommendations`). */
type Recommendation = {
  action: AnalysisAction;
  roomType: string;
  dates: Day[];
  currentRate: Minor;
  suggestedRate: Minor;
  expectedImpact: string;
};

/** Analysis of rates in a period (docs/reference/rates.md#analysis); amounts in minor units. */
export type RateAnalysis = {
  period: { start: Day; end: Day };
  /** `averageRate` is null when nothing was sold. */
  performance: { averageRate: Minor | null; occupancyRate: number; revenuePAR: Minor; rateVariance: number };
  optimization: {
    potentialRevenue: Minor;
    currentRevenue: Minor;
    opportunityLoss: Minor;
    recommendations: Recommendation[];
    /** Of the forecast that it follows; null where nothing could be optimized. */
    model: NonNullable<YieldPlan['model']> | null;
    confidence: number | null;
  };
  /** Null without competitors. */
  competitors: { averageMarketRate: Minor | null; position: MarketPosition | null; priceIndex: number | null };
};

/** A price within so many percent of the market is at the market. */
const AT_MARKET = 2;
/** A night whose demand exceeds its rooms by this factor justifies a longer minimum stay. */
const IN_DEMAND = 1.5;

/**
 * Sales and capacity of past days, from their night audits; `unpriced` rooms were complimentary or paid in another
 * currency.
 */
type PastSales = { days: number; rooms: number; unpriced: number; available: number; revenue: Minor };

const NO_PAST_SALES: PastSales = { days: 0, rooms: 0, unpriced: 0, available: 0, revenue: 0 };

/** Of a room type, or of the whole property. */
export function pastSales(audits: readonly NightAudit[], roomType?: string): PastSales {
  const figures = audits.flatMap(({ house: property, roomTypes }) =>
    roomType === undefined ? property : roomTypes.filter((one) => one.roomType === roomType),
  );
  return {
    days: audits.length,
    rooms: sum(figures, ({ roomsSold }) => roomsSold),
    unpriced: sum(figures, ({ compRooms = 0, otherCurrencyRooms = 0 }) => compRooms + otherCurrencyRooms),
    available: sum(figures, ({ roomsAvailable }) => roomsAvailable),
    revenue: sum(figures, ({ roomRevenue }) => roomRevenue),
  };
}

/**
 * Compares rates of a period with their sales, their potential, and the market.
 * @param nights all nights of the period with a rate, from the business date on
 * @param coming their sales so far; complimentary rooms are not sold
 * @param plan the optimizer's recommendation, if there is one
 * @param past past days of the period
 */
export function analyzeRates(
  period: { start: Day; end: Day },
  nights: readonly RateNight[],
  coming: { rooms: number; revenue: Minor },
  plan: YieldPlan | undefined,
  past = NO_PAST_SALES,
): RateAnalysis {
  const sold = { rooms: coming.rooms + past.rooms - past.unpriced, revenue: coming.revenue + past.revenue };
  const total = sum(nights, ({ total: rooms }) => rooms) + past.available;
  const booked = sum(nights, (night) => night.booked) + past.rooms;
  const current = plan?.currentRevenue ?? sold.revenue;
  const potential = Math.max(current, plan?.projectedRevenue ?? current);
  return {
    period,
    performance: {
      averageRate: averageDailyRate(sold.revenue, sold.rooms),
      occupancyRate: occupancyRate(booked, total),
      revenuePAR: revenuePerAvailableRoom(sold.revenue, total),
      rateVariance: hundredths(deviationOf(nights.map(({ rate }) => rate / 100))),
    },
    optimization: {
      potentialRevenue: potential,
      currentRevenue: current,
      opportunityLoss: potential - current,
      recommendations: recommendationsOf(nights, plan?.recommendations ?? []),
      model: plan?.model ?? null,
      confidence: plan?.confidence ?? null,
    },
    competitors: againstMarket(nights),
  };
}

/** Changes of one type from one rate to another are one item; for a sold-out property it is a rise. */
function recommendationsOf(nights: readonly RateNight[], changes: readonly YieldRecommendation[]): Recommendation[] {
  const grouped = Map.groupBy(changes, ({ roomType, current, optimized }) => `${roomType} ${current} ${optimized}`);
  const merged = [...grouped.values()].map((group): Recommendation => {
    const { roomType, current, optimized, expectedImpact } = group[0]!;
    return {
      action: optimized > current ? 'INCREASE_RATE' : 'DECREASE_RATE',
      roomType,
      dates: group.map(({ day }) => day),
      currentRate: current,
      suggestedRate: optimized,
      expectedImpact: group.length === 1 ? expectedImpact : `${expectedImpact} The same on ${group.length} nights.`,
    };
  });
  for (const { roomType, day, rate, capacity, booked, expected } of nights)
    if (capacity > booked && expected > IN_DEMAND * (capacity - booked))
      merged.push({
        action: 'ADD_RESTRICTION',
        roomType,
        dates: [day],
        currentRate: rate,
        suggestedRate: rate,
        expectedImpact: `${Math.round(expected)} more rooms are asked for than the ${capacity - booked} that are left: a minimum stay sells the nights beside it.`,
      });
  if (merged.length > 0 || nights.length === 0) return merged;
  const usual = Math.round(mean(nights.map(({ rate }) => rate)));
  const { roomType, day } = nights[0]!;
  const expectedImpact = 'No other rates are expected to bring more.';
  return [{ action: 'HOLD', roomType, dates: [day], currentRate: usual, suggestedRate: usual, expectedImpact }];
}

function againstMarket(nights: readonly RateNight[]): RateAnalysis['competitors'] {
  const known = nights.filter(({ market }) => market !== undefined);
  if (known.length === 0) return { averageMarketRate: null, position: null, priceIndex: null };
  const market = sum(known, (night) => night.market!) / known.length;
  const index = (sum(known, ({ rate }) => rate) / known.length / market) * 100;
  const position = index > 100 + AT_MARKET ? 'ABOVE_MARKET' : index < 100 - AT_MARKET ? 'BELOW_MARKET' : 'AT_MARKET';
  return { averageMarketRate: Math.round(market), position, priceIndex: hundredths(index) };
}

function deviationOf(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
}
