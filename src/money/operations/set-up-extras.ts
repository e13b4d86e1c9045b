import { extraCode } from '../../kernel/contracts/fields.ts';
import type { ClientKey } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Done } from '../../kernel/rules/administration.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { ExtraBody } from '../contracts/extras.ts';
import type { PricedExtra } from '../ports.ts';
import { type Extra, grossPrice, OWN_CODES } from '../rules/extra.ts';
import { mustBeWhole } from '../rules/whole-amounts.ts';

/** Extras with their currency and a function for gross prices. */
type PriceList = { items: Extra[]; currency: string; gross: GrossPrices };

/** Price of an extra today, with its taxes. */
export type GrossPrices = (extra: Extra) => Minor;

type ExtraAddress = { propertyId: PropertyId; code: string };

type SettingUp = Pick<Services, 'extras' | 'properties'>;

/** Reads the price list of a property (docs/reference/set-up.md#property). @throws DomainError PROPERTY_NOT_FOUND */
export async function listExtras({ extras, properties }: SettingUp, to: Address): Promise<PriceList> {
  const view = await properties.view(to);
  return { items: await extras.list(to), currency: view.currency, gross: grossPrices(view) };
}

function grossPrices({ setup: { property }, businessDate }: PropertyView): GrossPrices {
  const { currency, policies } = property.metadata;
  return (extra) => grossPrice(extra, { taxes: policies.taxes, currency, day: businessDate }).amount;
}

/** Reads the taxes of a property to compute gross prices of extras. @throws DomainError PROPERTY_NOT_FOUND */
export async function readGrossPrices(
  { properties }: Pick<Services, 'properties'>,
  to: Address,
): Promise<GrossPrices> {
  return grossPrices(await properties.view(to));
}

/** @throws DomainError SERVICE_NOT_FOUND */
export async function getExtra(services: SettingUp, to: Address, code: string): Promise<PricedExtra> {
  const { items, currency } = await listExtras(services, to);
  const extra = items.find((one) => one.code === code);
  if (!extra) throw noSuch();
  return { extra, currency };
}

/**
 * Creates or replaces an extra; it is sold in the currency of the property.
 * @throws DomainError VALIDATION_FAILED for a malformed or reserved code and for fractions that the currency does not
 * have
 */
export async function putExtra(
  { extras, properties }: SettingUp,
  caller: Caller,
  { propertyId, code }: ExtraAddress,
  body: ExtraBody,
  key?: ClientKey,
): Promise<Done<PricedExtra>> {
  const { currency } = await properties.view({ tenantId: caller.tenantId, propertyId });
  mustBeCode(code);
  mustBeWhole('/price', body.price, currency);
  return extras.put(caller, propertyId, { extra: { code, ...body }, currency }, key);
}

/** Takes an extra off the list; bills that have it are unchanged. @throws DomainError SERVICE_NOT_FOUND */
export async function removeExtra(
  { extras, properties }: SettingUp,
  caller: Caller,
  { propertyId, code }: ExtraAddress,
  key?: ClientKey,
): Promise<Done<null>> {
  await properties.view({ tenantId: caller.tenantId, propertyId });
  return extras.remove(caller, propertyId, code, key);
}

/** Restores a removed extra as it was. @throws DomainError SERVICE_NOT_FOUND, INVALID_STATE when it was not removed */
export async function restoreExtra(
  { extras, properties }: SettingUp,
  caller: Caller,
  { propertyId, code }: ExtraAddress,
  key?: ClientKey,
): Promise<Done<PricedExtra>> {
  await properties.view({ tenantId: caller.tenantId, propertyId });
  return extras.restore(caller, propertyId, code, key);
}

function mustBeCode(code: string): void {
  if (OWN_CODES.has(code)) {
    const errors = [{ parameter: 'code', code: 'RESERVED', detail: 'is a code of lines that every bill may have' }];
    throw new DomainError('VALIDATION_FAILED', 'The code is in use by bills.', { errors });
  }
  if (extraCode.safeParse(code).data === code) return;
  const errors = [{ parameter: 'code', code: 'MALFORMED', detail: 'has 1 to 50 characters, without spaces around' }];
  throw new DomainError('VALIDATION_FAILED', 'The code is not one.', { errors });
}

const noSuch = (): DomainError =>
  new DomainError('SERVICE_NOT_FOUND', 'The price list of the property has no such code.');
