import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { OptimizationsQuery } from '../contracts/yield.ts';
import type { Optimization } from '../ports.ts';

/** Lists optimizations of a property, newest first (docs/reference/rates.md#optimization). */
export async function listOptimizations(
  services: Services,
  { tenantId }: Caller,
  { propertyId, limit, cursor }: OptimizationsQuery,
): Promise<{ items: Optimization[]; nextCursor?: string }> {
  await services.properties.view({ tenantId, propertyId });
  const after = positionOf(services.signed, cursor);
  const { items, next } = await services.optimizations.list(tenantId, propertyId, limit, after);
  return { items, nextCursor: nextCursor(services.signed, next) };
}
