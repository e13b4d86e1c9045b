import type { EventRow } from '../domain/event-records.ts';
import type { Instant } from '../domain/property-time.ts';

/** A journal row with the property that it is of, and its generation. */
export type PropertyRow = EventRow & { propertyId: string; generation: number };

/** A row's place in the journals of a tenant, newest first. */
export type RowPlace = { at: Instant; propertyId: string; seq: number };

/** The journals of a tenant, as the log of its events. */
export interface EventJournal {
  /**
   * Rows from a place on (it included), newest first: rows of one commit stand together.
   * @param limit at most so many
   */
  newest(tenantId: string, of: { propertyId?: string; from?: RowPlace }, limit: number): Promise<PropertyRow[]>;
}
