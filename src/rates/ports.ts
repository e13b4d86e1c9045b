import type { Address } from '../kernel/rules/caller.ts';
import type { Instant } from '../kernel/rules/property-time.ts';

/**
 * Requests a new computation of demand and market of properties, so that their prices follow
 * (docs/concepts/forecast.md#signals).
 */
export interface Repricing {
  /**
   * Resolves after a run that began after this call or after `since`: requests for a property close together share a
   * run.
   * @throws the error of the run; DomainError NOT_EXECUTED when too many properties wait
   */
  ask(to: Address, since?: Instant): Promise<void>;
}
