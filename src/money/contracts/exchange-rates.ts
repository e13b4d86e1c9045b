import { z } from 'zod';

import { at, dayField, figure, listOf, moneyField } from '../../kernel/contracts/answers.ts';
import { withoutDuplicates } from '../../kernel/contracts/fields.ts';
import { isCurrency } from '../../kernel/rules/money.ts';
import { isRate, RATE_DECIMALS } from '../rules/exchange-rate.ts';

/** Exchange rates of a property, and what was paid at them (docs/reference/set-up.md#exchange-rates). */

const HIGHEST_RATE = 10_000_000;
const MAX_RATES = 50;

export const currencyField = z
  .string()
  .refine(isCurrency, { message: 'is no currency of ISO 4217 in use', params: { field: 'CURRENCY_NOT_SUPPORTED' } });

const exchangeRateBody = z.strictObject({
  currency: currencyField,
  rate: z
    .number()
    .gt(0)
    .max(HIGHEST_RATE)
    .refine(isRate, { message: `has more than ${RATE_DECIMALS} decimals`, params: { field: 'TOO_PRECISE' } })
    .describe('Units of the currency of the property for one of this.'),
});

export const exchangeRatesBody = z.strictObject({
  rates: z
    .array(exchangeRateBody)
    .max(MAX_RATES)
    .superRefine(withoutDuplicates('currency'))
    .describe('Replaces all rates: currencies that are not named are no longer accepted.'),
});
export type ExchangeRatesBody = z.infer<typeof exchangeRatesBody>;

const exchangeRateAnswer = z.object({
  currency: z.string(),
  rate: figure,
  baseCurrency: z.string(),
  date: dayField.describe('The business date on which it was set.'),
  usable: z.boolean().describe('Whether the desk may count by it today: `exchangeRateMaxAgeDays`.'),
  setBy: z.string(),
  updatedAt: at,
});
export const exchangeRateListAnswer = listOf(exchangeRateAnswer);

/** What was handed over in another currency, as a payment shows it. */
export const tenderedField = z
  .object({
    amount: moneyField,
    currency: z.string(),
    rate: figure.describe('Units of the currency of the property for one of this.'),
    rateDate: dayField.describe('The business date of the rate.'),
    change: moneyField.optional().describe('Given back at once, in the currency of the property.'),
  })
  .describe('What was paid in another currency; `amount` of the payment is what it came to, without the change.');
