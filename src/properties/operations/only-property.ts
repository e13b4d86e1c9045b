import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';

/**
 * The property that a caller names, or the only one of the tenant (docs/reference/set-up.md#administration).
 * @throws DomainError VALIDATION_FAILED when it has to be named
 */
export async function onlyProperty(
  { propertyReader }: Services,
  { tenantId }: Caller,
  propertyId: PropertyId | undefined,
): Promise<Address> {
  if (propertyId !== undefined) return { tenantId, propertyId };
  const { items } = await propertyReader.list(tenantId, 2);
  const [only, other] = items;
  if (only && !other) return { tenantId, propertyId: only.propertyId };
  throw new DomainError('VALIDATION_FAILED', 'The tenant has several properties, or none.', {
    errors: [{ parameter: 'propertyId', code: 'REQUIRED', detail: 'name the property' }],
  });
}
