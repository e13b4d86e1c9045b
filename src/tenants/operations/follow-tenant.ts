import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PagePosition } from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { followingTenant } from '../../properties/rules/property.ts';

const PAGE = 200;

/** Maximum of pages of properties: a guard against endless loops, not a product limit. */
const MAX_PAGES = 500;

/** Caller in the journal of a property. */
const BY = { subject: 'system', requestId: 'follow-tenant' };

/**
 * Applies a tenant's current policies to its properties (docs/concepts/tenants-and-roles.md#settings-of-a-tenant): each
 * changed property by its own actor; unchanged ones are neither written nor activated.
 * @returns number of changed properties
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
  for (let page = 0; page < MAX_PAGES; page++) {
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
