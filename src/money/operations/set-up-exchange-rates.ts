import type { ClientKey } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Done } from '../../kernel/rules/administration.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { ExchangeRatesBody } from '../contracts/exchange-rates.ts';
import { type ExchangeRate, rateFault } from '../rules/exchange-rate.ts';

type SettingUp = Pick<Services, 'exchangeRates' | 'properties'>;
/** A rate, and whether the desk may count by it today. */
type ListedRate = ExchangeRate & { usable: boolean };

/**
 * The exchange rates of a property (docs/reference/set-up.md#exchange-rates).
 * @throws DomainError PROPERTY_NOT_FOUND
 */
export async function listExchangeRates(
  { exchangeRates, properties }: SettingUp,
  to: Address,
): Promise<ListedRate[]> {
  const view = await properties.view(to);
  return (await exchangeRates.list(to)).map((rate) => listed(rate, view));
}

/**
 * Replaces all rates of a property, with its business date: currencies that are not named are no longer accepted.
 * @throws DomainError PROPERTY_NOT_FOUND, VALIDATION_FAILED for the currency of the property itself
 */
export async function putExchangeRates(
  { exchangeRates, properties }: SettingUp,
  caller: Caller,
  propertyId: PropertyId,
  { rates }: ExchangeRatesBody,
  key?: ClientKey,
): Promise<Done<ListedRate[]>> {
  const view = await properties.view({ tenantId: caller.tenantId, propertyId });
  const { currency: baseCurrency, businessDate: date } = view;
  const own = rates.findIndex(({ currency }) => currency === baseCurrency);
  if (own !== -1) {
    const errors = [{ pointer: `/rates/${own}/currency`, code: 'EXCLUDED', detail: 'is that of the property' }];
    throw new DomainError('VALIDATION_FAILED', 'The currency of the property has no rate.', { errors });
  }
  const done = await exchangeRates.put(caller, propertyId, { rates, baseCurrency, date }, key);
  return { ...done, result: done.result.map((rate) => listed(rate, view)) };
}

function listed(rate: ExchangeRate, { currency: base, businessDate: today, setup }: PropertyView): ListedRate {
  const { exchangeRateMaxAgeDays: maxAgeDays } = setup.property.metadata.policies;
  return { ...rate, usable: rateFault(rate, { currency: rate.currency, base, today, maxAgeDays }) === undefined };
}
