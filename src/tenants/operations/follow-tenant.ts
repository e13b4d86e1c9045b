import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PagePosition } from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { followingTenant } from '../../properties/rules/property.ts';

const PAGE = 200;

/** Properties of a tenant at most: a limit against a fault, not a promise. */
const MOST_PAGES = 500;

/** In the journal of a property. */
const BY = { subject: 'system', requestId: 'follow-tenant' };

/**
 * Applies a tenant's current policies to its properties
 * (docs/concepts/tenants-and-roles.md#settings-of-a-tenant): those for which that changes something, each by its own
 * actor; nothing is written of the others, and none is activated.
 * @returns how many changed
 */
export async function followTenant(
  { propertyReader, properties, settings, log }: Pick<Services, 'propertyReader' | 'properties' | 'settings' | 'log'>,
  tenantId: TenantId,
  signal?: AbortSignal,
  each: ItemRunner = ItemRunner.uncounted(log),
): Promise<number> {
  const policies = await settings.policies(tenantId);
  let changed = 0;
  let after: PagePosition | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    if (signal?.aborted) break;
    const { items, next } = await propertyReader.list(tenantId, PAGE, after);
    for (const property of items)
      await each.one(`${tenantId}/${property.propertyId}`, async () => {
        if (!followingTenant(property, policies)) return;
        const to = { tenantId, propertyId: property.propertyId };
        await sendAlways({ properties }, BY, to, { type: 'FOLLOW_TENANT', policies });
        changed += 1;
      });
    if (!(after = next)) break;
  }
  return changed;
}
