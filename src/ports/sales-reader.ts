import type { PriceChange } from '../domain/commands.ts';
import type { Group } from '../domain/group.ts';
import type { Hold } from '../domain/hold.ts';
import type { HeldUnpaid } from '../domain/hold-bounds.ts';
import type { Address } from '../domain/caller.ts';
import type { Promotion } from '../domain/promotion.ts';
import type { Instant } from '../domain/property-time.ts';

/** Something that belongs to a property. */
export type Of<T> = { propertyId: string; value: T };

/**
 * Promotions, groups and clients' holds of a tenant by their id alone, as the database has them: also those that their property has
 * forgotten since they are over.
 */
export interface SalesReader {
  promotion(tenantId: string, id: string): Promise<Of<Promotion> | undefined>;
  group(tenantId: string, id: string): Promise<Of<Group> | undefined>;
  /** A change of base rates as the journal tells of it, as long as it does. */
  rateChange(tenantId: string, id: string): Promise<Of<{ at: Instant; changes: PriceChange[] }> | undefined>;
  /** A hold that a client asked for, with the number of the state that it was read in. */
  hold(tenantId: string, id: string): Promise<(Of<Hold> & { seq: number }) | undefined>;
  /** Where a client's hold is; when there is none any more, where the request under this key was decided. */
  propertyOfHold(tenantId: string, id: string, key?: { subject: string; key: string }): Promise<string | undefined>;
  /**
   * What a subject holds unpaid in other properties of the tenant, those included that ran out a short while ago; what
   * another property is just deciding is not in it.
   */
  heldUnpaid(elsewhere: Address, subject: string): Promise<HeldUnpaid>;
  /** How many unpaid reservations a card guarantees in other houses of the tenant. */
  openHoldsOfCard(elsewhere: Address, card: string): Promise<number>;
  /** Where a rate plan is sold. */
  propertyOfPlan(tenantId: string, id: string): Promise<string | undefined>;
}
