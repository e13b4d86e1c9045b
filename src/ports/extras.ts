import type { Address } from '../domain/caller.ts';
import type { Extra } from '../domain/extra.ts';

/** The price list of extras of a property. No actor owns it: a charge has its amount when it gets there. */
export interface Extras {
  /** In order of their codes, also those that are not sold at the moment. */
  list(to: Address): Promise<Extra[]>;
  /** In the place of the one with its code. */
  put(to: Address, extra: Extra, currency: string): Promise<void>;
  /** Whether there was one. */
  remove(to: Address, code: string): Promise<boolean>;
}
