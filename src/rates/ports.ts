import type { Address } from '../kernel/rules/caller.ts';
import type { Instant } from '../kernel/rules/property-time.ts';

/**
 * Has the demand and the market of properties looked at again, so that their prices follow
 * (docs/concepts/forecast.md#signals).
 */
export interface Repricing {
  /**
   * Resolves after a run that began after this call or after `since`: properties requested
   * close together share a run.
   * @throws the error of the run; DomainError NOT_EXECUTED when too many properties wait
   */
  ask(to: Address, since?: Instant): Promise<void>;
}
