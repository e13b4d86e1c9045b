import type { Services } from '../../kernel/operations/services.ts';
import type { Done, RequestKey } from '../../kernel/rules/administration.ts';
import type { Caller } from '../../kernel/rules/caller.ts';

/**
 * Drops this node's caches of a tenant's rates (docs/reference/rates.md#administration): analyses are removed, and the
 * rates in the memory of its properties are validated before their next use. The administration journal names the
 * caller.
 */
export function flushRates(
  { analyses, properties, administration }: Pick<Services, 'analyses' | 'properties' | 'administration'>,
  caller: Caller,
  key?: RequestKey,
): Promise<Done<{ evicted: number }>> {
  return administration.write(caller, key, async (records) => {
    const evicted = analyses.forget(caller.tenantId) + (await properties.forgetRates(caller.tenantId));
    await records.note({ entity: 'cache', entityId: 'rates', action: 'FLUSHED', after: { evicted } });
    return { evicted };
  });
}
