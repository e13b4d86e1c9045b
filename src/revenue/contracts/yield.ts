import { z } from 'zod';

import {
  amount,
  date,
  MAX_RANGE_DAYS,
  optionalRoomType,
  page,
  propertyId,
  roomTypeCode,
} from '../../kernel/contracts/fields.ts';
import { pricePoints, rateLimits } from '../../properties/contracts/advice-policies.ts';
import { STRATEGIES } from '../../rates/rules/rate-plan.ts';
import { OBJECTIVES } from '../rules/yield-problem.ts';

/** Bodies and queries of analysis and yield optimization (docs/reference/rates.md#optimization). */

export const analysisQuery = z
  .object({
    propertyId,
    startDate: date.optional(),
    endDate: date.optional(),
    roomType: optionalRoomType,
  })
  .superRefine(({ startDate, endDate }, context) => {
    if (startDate === undefined || endDate === undefined || endDate - startDate < MAX_RANGE_DAYS) return;
    const message = `at most ${MAX_RANGE_DAYS} days at once`;
    context.addIssue({ code: 'custom', path: ['endDate'], message, params: { field: 'TOO_MANY_DAYS' } });
  });
export type AnalysisQuery = z.infer<typeof analysisQuery>;

/** Nights of a forecast; defaults to 90 from the business date on. */
export const forecastQuery = z
  .object({ propertyId, startDate: date.optional(), endDate: date.optional() })
  .superRefine(({ startDate, endDate }, context) => {
    if (startDate === undefined || endDate === undefined || endDate - startDate < MAX_RANGE_DAYS) return;
    const message = `at most ${MAX_RANGE_DAYS} days at once`;
    context.addIssue({ code: 'custom', path: ['endDate'], message, params: { field: 'TOO_MANY_DAYS' } });
  });
export type ForecastQuery = z.infer<typeof forecastQuery>;

/** Maximum of nights that are optimized within the request. */
export const MAX_NIGHTS_AT_ONCE = 60;

const OF_PROPERTY = 'That of the property when absent.';

export const optimizationBody = z
  .strictObject({
    propertyId,
    optimizationPeriod: z.strictObject({ startDate: date, endDate: date }),
    objectives: z
      .strictObject({
        primary: z.enum(OBJECTIVES).default('MAXIMIZE_REVENUE'),
        constraints: z
          .strictObject({
            minOccupancy: z.number().min(0).max(100).optional(),
            maxRateIncrease: rateLimits.maxRateIncrease.optional().describe(OF_PROPERTY),
            maxRateDecrease: rateLimits.maxRateDecrease.optional().describe(OF_PROPERTY),
            minGainPercent: rateLimits.minGainPercent.optional().describe(OF_PROPERTY),
            costPerOccupiedRoom: amount.optional().describe(OF_PROPERTY),
            pricePoints: pricePoints
              .min(1)
              .optional()
              .describe('The only rates to choose from; those of the property when absent.'),
            sameByWeekday: rateLimits.sameByWeekday
              .optional()
              .describe(
                'One change for all nights of a weekday in a calendar month; that of the property when absent.',
              ),
          })
          .default({}),
      })
      .default({ primary: 'MAXIMIZE_REVENUE', constraints: {} }),
    strategy: z.enum(STRATEGIES).default('DYNAMIC'),
  })
  .superRefine(({ optimizationPeriod: { startDate, endDate } }, context) => {
    const path = ['optimizationPeriod', 'endDate'];
    const blame = (message: string, field: string): void =>
      context.addIssue({ code: 'custom', path, message, params: { field } });
    if (endDate < startDate) blame('is before startDate', 'REVERSED');
    else if (endDate - startDate >= MAX_RANGE_DAYS) blame(`at most ${MAX_RANGE_DAYS} days at once`, 'TOO_MANY_DAYS');
  });
export type OptimizationBody = z.infer<typeof optimizationBody>;

/** Maximum of individually picked nights: more than a year of a large property has. */
const MAX_PICKED_NIGHTS = 5_000;

/** Body of `POST /rates/{optimizationId}/implement`: all recommended nights, or the listed ones. */
export const implementBody = z.strictObject({
  nights: z
    .array(z.strictObject({ roomType: roomTypeCode, date }))
    .min(1)
    .max(MAX_PICKED_NIGHTS)
    .optional(),
});
export type ImplementBody = z.infer<typeof implementBody>;

/** Body of `POST /admin/rates/recalculate`; defaults to the whole horizon. */
export const recalculationBody = z
  .strictObject({ propertyId, startDate: date.optional(), endDate: date.optional() })
  .superRefine(({ startDate, endDate }, context) => {
    if (startDate === undefined || endDate === undefined) return;
    const blame = (message: string, field: string): void =>
      context.addIssue({ code: 'custom', path: ['endDate'], message, params: { field } });
    if (endDate < startDate) blame('is before startDate', 'REVERSED');
    else if (endDate - startDate >= MAX_RANGE_DAYS) blame(`at most ${MAX_RANGE_DAYS} days at once`, 'TOO_MANY_DAYS');
  });
export type RecalculationBody = z.infer<typeof recalculationBody>;

export const optimizationsQuery = z.object({ propertyId, ...page });
export type OptimizationsQuery = z.infer<typeof optimizationsQuery>;
