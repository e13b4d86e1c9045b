import type { Address } from '../kernel/rules/caller.ts';
import type { PropertyId, TenantId } from '../kernel/rules/ids.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { QuoteCell } from './rules/quote-cells.ts';

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

/** A cell of a property. */
export type CountedCell = QuoteCell & { propertyId: PropertyId };

/** Stores counted quotes of a tenant in one statement: what is there is added to. */
export type StoreQuoteCounts = (tenantId: TenantId, cells: readonly CountedCell[]) => Promise<void>;
