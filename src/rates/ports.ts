import type { Address } from '../kernel/rules/caller.ts';
import type { Instant } from '../kernel/rules/property-time.ts';

/**
 * Has the demand and the market of properties looked at again, so that their prices follow
 * (docs/concepts/forecast.md#signals).
 */
export interface Repricing {
  /**
   * Resolves once a look is through that began after this call, or has begun after `since`: houses that are asked for
   * close together are looked at once.
   * @throws whatever the look failed with; DomainError NOT_EXECUTED when too many properties wait
   */
  ask(to: Address, since?: Instant): Promise<void>;
}
