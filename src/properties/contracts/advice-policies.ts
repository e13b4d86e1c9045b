import { z } from 'zod';

import { priceField } from '../../kernel/contracts/fields.ts';
import { DEFAULT_POLICIES } from '../rules/property.ts';

/** A ladder of more rates is no ladder. */
const MAX_PRICE_POINTS = 200;

export const pricePoints = z.array(priceField).max(MAX_PRICE_POINTS);

/** Limits of what is recommended, for a property and for one optimization (docs/reference/rates.md#optimization). */
export const rateLimits = {
  maxRateIncrease: z.number().min(0).max(1_000),
  maxRateDecrease: z.number().min(0).max(100),
  minGainPercent: z.number().min(0).max(100),
  sameByWeekday: z.boolean(),
};

const { maxRateIncrease, maxRateDecrease, minGainPercent } = DEFAULT_POLICIES;
const START = 'percent of the rate with which a business date began';

/** Policies of a property by which rates are recommended (docs/reference/set-up.md#policies). */
export const advicePolicies = {
  maxRateIncrease: rateLimits.maxRateIncrease
    .optional()
    .describe(`Recommended rates rise by at most so many ${START}; ${maxRateIncrease} when absent.`),
  maxRateDecrease: rateLimits.maxRateDecrease
    .optional()
    .describe(`Recommended rates fall by at most so many ${START}; ${maxRateDecrease} when absent.`),
  minGainPercent: rateLimits.minGainPercent
    .optional()
    .describe(
      `Changes that gain less percent of a night's revenue are not recommended; ${minGainPercent} when absent.`,
    ),
  pricePoints: pricePoints
    .superRefine((rates, context) => {
      const again = rates.findIndex((rate, index) => rates.indexOf(rate) < index);
      if (again < 0) return;
      const message = 'is a rate that is named already';
      context.addIssue({ code: 'custom', path: [again], message, params: { field: 'DUPLICATE' } });
    })
    .overwrite((rates) => rates.toSorted((one, other) => one - other))
    .optional()
    .describe('The only rates that are recommended; any within the bounds when absent.'),
  sameByWeekday: rateLimits.sameByWeekday
    .optional()
    .describe('One recommended change for all nights of a weekday in a month; false when absent.'),
};
