import type { PriceChange } from '../domain/commands.ts';
import type { Group } from '../domain/group.ts';
import type { Promotion } from '../domain/promotion.ts';
import type { Instant } from '../domain/property-time.ts';

/** Something that belongs to a property. */
export type Of<T> = { propertyId: string; value: T };

/**
 * Promotions and groups of a tenant by their id alone, as the database has them: also those that their property has
 * forgotten since they are over.
 */
export interface SalesReader {
  promotion(tenantId: string, id: string): Promise<Of<Promotion> | undefined>;
  group(tenantId: string, id: string): Promise<Of<Group> | undefined>;
  /** A change of base rates as the journal tells of it, as long as it does. */
  rateChange(tenantId: string, id: string): Promise<Of<{ at: Instant; changes: PriceChange[] }> | undefined>;
  /** Where a rate plan is sold. */
  propertyOfPlan(tenantId: string, id: string): Promise<string | undefined>;
}
