import type { Services } from '../../kernel/operations/services.ts';
import type { By, Done, RequestKey } from '../../kernel/rules/administration.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Tenant, TenantConfig, TenantStatus, TenantType } from '../rules/tenant.ts';
import { administer, type Administering, imageOfTenant, theTenant } from './administer.ts';

type TenantWish = { name: string; type?: TenantType; status?: TenantStatus; config: TenantConfig };

/** Reads the tenant as its owner sees it (docs/reference/set-up.md#tenant). */
export function readTenant(
  { administration }: Pick<Services, 'administration'>,
  tenantId: TenantId,
): Promise<Tenant> {
  return administration.read(tenantId, theTenant);
}

/**
 * Replaces the settings of a tenant that an owner may change: name, type and config. Its properties follow new policies
 * within a minute.
 * @throws DomainError ROLE_TOO_LOW for another status, which only the operator changes
 */
export async function changeTenant(
  services: Administering,
  by: By,
  { status, ...wish }: TenantWish,
  key?: RequestKey,
): Promise<Done<Tenant>> {
  const done = await administer(services, by, key, async (records) => {
    const before = await theTenant(records);
    if (status !== undefined && status !== before.status)
      throw new DomainError('ROLE_TOO_LOW', 'The status of a tenant is changed by the operator of the installation.');
    const after = await records.changeTenant(wish);
    const images = { before: imageOfTenant(before), after: imageOfTenant(after) };
    await records.note({ entity: 'tenant', entityId: by.tenantId, action: 'CHANGED', ...images });
    return after;
  });
  services.tenantChanges.emit('configured', by.tenantId);
  return done;
}
