import { z } from 'zod';

import { at, dayField, listOf, moneyField, count, figure, idField } from '../../kernel/contracts/answers.ts';
import { JOB_STATES } from '../../kernel/rules/rounds.ts';
import { STRATEGIES } from '../../rates/rules/rate-plan.ts';
import { FORECAST_METHODS } from '../rules/forecast/demand-forecast.ts';
import { EVENT_BASES } from '../rules/forecast/event-effects.ts';
import { ACTIONS, POSITIONS } from '../rules/rate-analysis.ts';
import { OBJECTIVES, RATE_LIMITS, REASON_KINDS } from '../rules/yield-problem.ts';

/** Answers of analysis and yield optimization (docs/reference/rates.md#optimization). */

const percent = figure.meta({ description: 'Percent, two decimals.' });

const MODEL = 'Method of the forecast of most of its nights.';
const CONFIDENCE = 'Mean confidence of the forecasts of its nights, 0 to 1.';

export const analysisAnswer = z.object({
  period: z.object({ startDate: dayField, endDate: dayField }),
  performance: z.object({
    averageRate: moneyField.nullable(),
    occupancyRate: percent,
    revenuePAR: moneyField,
    rateVariance: figure,
  }),
  optimization: z.object({
    potentialRevenue: moneyField,
    currentRevenue: moneyField,
    opportunityLoss: moneyField,
    recommendations: z.array(
      z.object({
        action: z.enum(ACTIONS),
        roomType: z.string(),
        dates: z.array(dayField),
        currentRate: moneyField,
        suggestedRate: moneyField,
        expectedImpact: z.string(),
      }),
    ),
    model: z.enum(FORECAST_METHODS).nullable().describe(`${MODEL} Null where nothing could be optimized.`),
    confidence: figure.nullable().describe(CONFIDENCE),
  }),
  competitors: z.object({
    averageMarketRate: moneyField.nullable(),
    position: z.enum(POSITIONS).nullable(),
    priceIndex: percent.nullable(),
    lastSync: at.nullable().meta({ description: 'When a source of competitor rates last answered.' }),
    nextSync: at.nullable().meta({ description: 'Next query of the sources; null without any.' }),
  }),
});

const rooms = figure.meta({ description: 'Rooms, one decimal.' });

const confidence = figure.meta({
  description: 'From 0 to 1: 1 minus the usual error relative to the rooms of a usual night.',
});

export const forecastAnswer = z.object({
  propertyId: z.string(),
  asOf: at,
  currency: z.string(),
  model: z.enum(FORECAST_METHODS).nullable().describe('Method of most of the nights; null without nights.'),
  confidence: confidence.nullable(),
  nights: z.array(
    z.object({
      date: dayField,
      capacity: count.meta({ description: 'Rooms that the night has.' }),
      booked: count,
      expected: rooms.meta({ description: 'Rooms that the night is expected to end with, one decimal.' }),
      low: rooms.meta({ description: 'The truth is between low and high four times in five.' }),
      high: rooms,
      method: z.enum(FORECAST_METHODS),
      confidence,
      adr: moneyField.nullable().describe('Expected mean rate, without taxes and fees; null without a basis.'),
      revenue: moneyField.nullable().describe('Expected room revenue, without taxes and fees; null without a basis.'),
      revenueLow: moneyField.nullable().describe('At `low` rooms.'),
      revenueHigh: moneyField.nullable().describe('At `high` rooms.'),
      event: z.string().nullable().describe('Calendar event of the night; its effect is in `expected`.'),
      eventRooms: rooms.nullable().describe('Rooms that the event is expected to add to those on the books.'),
      eventBasis: z
        .enum(EVENT_BASES)
        .nullable()
        .describe('Learnt from earlier nights of the event, or from its stated effect.'),
    }),
  ),
});

const yieldReason = z.object({
  kind: z.enum(REASON_KINDS),
  text: z.string(),
  roomsLeft: count.optional().describe('What the text names, where it does: rooms that are still to be sold,'),
  roomsSold: figure.optional().describe('rooms that were sold in the last week,'),
  usualRooms: figure.optional().describe('what is usually sold in a week so many days before,'),
  expectedRooms: figure.optional().describe('rooms that are expected to be wanted, or to sell,'),
  market: moneyField.optional().describe('the rate of the market,'),
  lowest: moneyField.optional().describe('and the bounds of the rate.'),
  highest: moneyField.optional(),
});

const settings = z.object({
  startDate: dayField,
  endDate: dayField,
  objective: z.enum(OBJECTIVES),
  strategy: z.enum(STRATEGIES),
  minOccupancy: figure.nullable().describe('Percent of the period; null where none was requested.'),
  maxRateIncrease: figure.describe('Percent of the rate with which the business date began,'),
  maxRateDecrease: figure.describe('the same for lower rates.'),
  minGainPercent: figure.describe('Smaller gains of a night are not recommended.'),
  costPerOccupiedRoom: moneyField.nullable().describe('Of a night; null where none is known.'),
  pricePoints: z.array(moneyField).nullable().describe('The only rates to choose from; null for any.'),
  sameByWeekday: z.boolean().describe('One change for all nights of a weekday in a month.'),
});

export const optimizationAnswer = z.object({
  optimizationId: idField,
  propertyId: z.string(),
  status: z.enum(['RUNNING', 'COMPLETED', 'FAILED']),
  progress: count,
  results: z
    .object({
      projectedRevenue: moneyField,
      currentRevenue: moneyField,
      revenueIncrease: percent,
      averageRateChange: percent,
      occupancyImpact: percent,
      costPerOccupancyPoint: moneyField
        .optional()
        .describe('Revenue that a point of occupancy costs, where occupancy is the objective.'),
      currentProfit: moneyField.optional().describe('Without the cost of occupied rooms, where one is known.'),
      projectedProfit: moneyField.optional(),
    })
    .nullable(),
  settings: settings.optional().describe('With which the plan was made; absent while there is none.'),
  model: z.enum(FORECAST_METHODS).optional().describe(MODEL),
  confidence: figure.optional().describe(CONFIDENCE),
  constraintsMet: z.boolean().optional().describe('Absent while there is no plan.'),
  unmet: z
    .array(z.object({ constraint: z.string(), asked: figure, reachable: figure }))
    .optional()
    .describe('Constraints that no rates are expected to meet, in percent; the plan is the best one without them.'),
  recommendations: z.array(
    z.object({
      date: dayField,
      roomType: z.string(),
      currentRate: moneyField,
      optimizedRate: moneyField,
      confidence: figure,
      expectedImpact: z.string(),
      revenueBefore: moneyField.optional().describe('Expected of the rooms that are still to be sold, at this rate.'),
      revenueAfter: moneyField
        .optional()
        .describe('And what the change brings to all nights; the differences sum to the gain of the plan.'),
      roomsBefore: figure.optional().describe('Rooms that are expected to sell on this night, at the current rates,'),
      roomsAfter: figure.optional().describe('and at those of the plan.'),
      reasons: z.array(yieldReason).optional(),
      lowestRate: moneyField.optional().describe('The rates of the night among which the plan has chosen:'),
      highestRate: moneyField.optional().describe('from the lowest to the highest, by all limits together.'),
      limitedBy: z
        .enum(RATE_LIMITS)
        .optional()
        .describe('The limit that ends the change; absent where it could have been greater.'),
    }),
  ),
  acceptedByRule: z
    .object({
      upToPercent: figure,
      setBy: z.string().describe('User who has set the rule.'),
      at,
      nights: z.array(z.object({ roomType: z.string(), date: dayField })),
    })
    .optional()
    .describe('What the rule of the property has accepted.'),
  implementationUrl: z.string(),
  createdAt: at,
});
export const optimizationListAnswer = listOf(optimizationAnswer);

export const implementedAnswer = z.object({
  optimizationId: idField,
  status: z.literal('IMPLEMENTED'),
  affectedDates: count,
  implementedAt: at,
});

/** Answer of `POST /admin/rates/recalculate`. */
export const recalculationBegun = z.object({ jobId: z.string(), statusUrl: z.string() });

/** Answer of its `statusUrl`. */
export const recalculationAnswer = z.object({
  jobId: z.string(),
  state: z.enum(JOB_STATES),
  progress: count.meta({ description: 'Percent.' }),
  nights: count.optional().meta({ description: 'Nights whose demand or market has changed, once it is completed.' }),
  optimizationUrl: z.string().optional().meta({ description: 'Rates recommended for the period.' }),
  error: z.string().optional(),
});
