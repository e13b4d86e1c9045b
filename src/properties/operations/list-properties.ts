import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { PageQuery } from '../contracts/properties.ts';
import type { Property } from '../rules/property.ts';

/** Lists properties of the tenant, newest first, without activating their actors. */
export async function listProperties(
  services: Services,
  caller: Caller,
  { limit, cursor }: PageQuery,
): Promise<{ items: Property[]; nextCursor?: string }> {
  const { items, next } = await services.propertyReader.list(
    caller.tenantId,
    limit,
    positionOf(services.signed, cursor),
  );
  return { items, nextCursor: nextCursor(services.signed, next) };
}
