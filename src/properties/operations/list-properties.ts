import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { PageQuery } from '../contracts/properties.ts';
import type { Property } from '../rules/property.ts';

/** A property and the rooms of all of its types. */
type ListedProperty = { property: Property; totalRooms: number };

/** Lists properties of the tenant, newest first, without activating their actors. */
export async function listProperties(
  { propertyReader, signed }: Services,
  { tenantId }: Caller,
  { limit, cursor }: PageQuery,
): Promise<{ items: ListedProperty[]; nextCursor?: string }> {
  const { items, next } = await propertyReader.list(tenantId, limit, positionOf(signed, cursor));
  const totals = await propertyReader.totalRooms(
    tenantId,
    items.map(({ propertyId }) => propertyId),
  );
  const listed = items.map((property) => ({ property, totalRooms: totals.get(property.propertyId) ?? 0 }));
  return { items: listed, nextCursor: nextCursor(signed, next) };
}
