import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { PaymentBody } from '../contracts/payments.ts';
import { converted, FOREIGN_METHODS, rateFault } from '../rules/exchange-rate.ts';
import type { Tendered } from '../rules/payment.ts';
import { mustBeWhole } from '../rules/whole-amounts.ts';

/**
 * A payment in another currency as an amount of the reservation, or why there is no valid rate (`noRate`). The actor
 * decides about the latter, so that a repeat under the same key gets the first answer even if the rate is too old by
 * then.
 */
type Counted = { amount: Minor; tendered?: Tendered; noRate?: string };

/**
 * Counts money of another currency by the rate of the day (docs/concepts/money.md#other-currencies).
 * @param base currency that the reservation is paid in
 * @returns `undefined` for a payment in the currency of the reservation
 * @throws DomainError CURRENCY_MISMATCH for a card or an account, VALIDATION_FAILED without an amount
 */
export async function tender(
  { exchangeRates, properties }: Pick<Services, 'exchangeRates' | 'properties'>,
  to: Address,
  { method, amount, currency }: Pick<PaymentBody, 'method' | 'amount' | 'currency'>,
  base: string,
): Promise<Counted | undefined> {
  if (currency === undefined || currency === base) return undefined;
  if (!FOREIGN_METHODS.has(method))
    throw new DomainError(
      'CURRENCY_MISMATCH',
      `${method} is charged in ${base}; only cash and transfers are taken in another currency.`,
    );
  if (amount === undefined) {
    const errors = [{ pointer: '/amount', code: 'MISSING', detail: 'is required in another currency' }];
    throw new DomainError('VALIDATION_FAILED', `How much was paid in ${currency} is not said.`, { errors });
  }
  mustBeWhole('/amount', amount, currency);
  const { businessDate: today, setup } = await properties.view(to);
  const { exchangeRateMaxAgeDays: maxAgeDays } = setup.property.metadata.policies;
  const known = (await exchangeRates.list(to)).find((one) => one.currency === currency);
  const noRate = rateFault(known, { currency, base, today, maxAgeDays });
  if (noRate !== undefined) return { amount: 0, noRate };
  const { rate, date: rateDate } = known!;
  return { amount: converted(amount, rate, base), tendered: { amount, currency, rate, rateDate } };
}
