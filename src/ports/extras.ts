import type { By, Done, RequestKey } from '../domain/administration.ts';
import type { Address } from '../domain/caller.ts';
import type { Extra } from '../domain/extra.ts';

/** An extra and the currency that it is sold in. */
export type PricedExtra = { extra: Extra; currency: string };

/** The price list of extras of a property. No actor owns it: a charge has its amount when it gets there. */
export interface Extras {
  /** In order of their codes, also those that are not sold at the moment. */
  list(to: Address): Promise<Extra[]>;
  /** In the place of the one with its code; once under a key, and noted in the administration journal. */
  put(by: By, propertyId: string, priced: PricedExtra, key?: RequestKey): Promise<Done<PricedExtra>>;
  /** The same for taking it away. @throws Refusal SERVICE_NOT_FOUND */
  remove(by: By, propertyId: string, code: string, key?: RequestKey): Promise<Done<null>>;
  /** The one that last had the code, as it was. @throws Refusal SERVICE_NOT_FOUND, INVALID_STATE where it is there */
  restore(by: By, propertyId: string, code: string, key?: RequestKey): Promise<Done<PricedExtra>>;
}
