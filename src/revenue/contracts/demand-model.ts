import { z } from 'zod';

import { at, count, figure } from '../../kernel/contracts/answers.ts';
import { propertyId } from '../../kernel/contracts/fields.ts';
import { SOURCES } from '../rules/demand-learning/demand-family.ts';

/** What a property has learned about its guests (docs/reference/rates.md#demand-model). */
export const demandModelQuery = z.object({ propertyId });
export type DemandModelQuery = z.infer<typeof demandModelQuery>;

const from = z.enum(SOURCES).meta({
  description: 'PROPERTY: own quotes and bookings; CHAIN: those of the other properties; PRIOR: assumed.',
});
const fromDays = count.meta({ description: 'Least days between quote and arrival.' });
const share = figure.meta({ description: '0 to 1, four decimals.' });
const elasticity = figure.meta({
  description: 'Percent of the bookings that 1 % more of the usual price costs, two decimals.',
});

export const demandModelAnswer = z.object({
  propertyId: z.string(),
  asOf: at,
  elasticities: z.array(
    z.object({
      fromDays,
      days: z.enum(['WEEKDAY', 'WEEKEND']),
      elasticity,
      low: elasticity.meta({ description: 'The truth is between low and high four times in five.' }),
      high: elasticity,
      prior: elasticity.meta({ description: 'What is assumed without data.' }),
      from,
      quotes: count,
      bookings: count,
      conversion: share.nullable().meta({ description: 'Bookings by quotes; null without quotes.' }),
    }),
  ),
  lengthsOfStay: z.array(
    z.object({
      fromDays,
      shares: z
        .array(share)
        .meta({ description: 'Of stays of 1, 2, ... nights; the last one stands for longer ones.' }),
      from,
      bookings: count,
    }),
  ),
  competitors: z.object({
    effect: figure.meta({
      description: 'Percent more bookings where competitors are 1 % dearer, at the same price beside theirs.',
    }),
    low: figure,
    high: figure,
    from,
  }),
});
