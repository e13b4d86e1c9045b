import type { Services } from '../../kernel/operations/services.ts';
import type { By, Done, RequestKey } from '../../kernel/rules/administration.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { AMOUNT_POLICIES } from '../../properties/rules/property.ts';
import type { TenantRecords } from '../ports.ts';
import type { StoredRecord, Recorded, RecordKind, Tenant } from '../rules/tenant.ts';

export type Administering = Pick<Services, 'administration' | 'tenantChanges'>;

/** Runs one write of a tenant's administration, and invalidates caches, so that a changed role takes effect at once. */
export async function administer<T>(
  { administration, tenantChanges }: Administering,
  by: By,
  key: RequestKey | undefined,
  work: (records: TenantRecords) => Promise<T>,
): Promise<Done<T>> {
  const done = await administration.write(by, key, work);
  tenantChanges.emit('changed', by.tenantId);
  return done;
}

/** @throws DomainError TENANT_NOT_FOUND */
export async function theTenant(records: TenantRecords): Promise<Tenant> {
  const tenant = await records.tenant();
  if (!tenant) throw new DomainError('TENANT_NOT_FOUND', 'There is no such tenant.');
  return tenant;
}

/** A record that was not removed; `undefined` for a removed or missing one. */
export function alive<K extends RecordKind>(found: StoredRecord<K> | undefined): StoredRecord<K> | undefined {
  return found?.removedAt === undefined ? found : undefined;
}

/** Checks that a record to restore was removed. @throws DomainError INVALID_STATE when it was not */
export function mustBeRemoved(found: { removedAt?: Instant }): void {
  if (found.removedAt === undefined) throw new DomainError('INVALID_STATE', 'It was not deleted.');
}

/** Checks that the tenant keeps an owner. @throws DomainError INVALID_STATE for its last owner */
export async function mustLeaveAnOwner(records: TenantRecords, userId: string): Promise<void> {
  const owners = await records.owners(2);
  if (owners.length === 1 && owners[0] === userId)
    throw new DomainError('INVALID_STATE', 'The tenant has no other owner; make somebody else one first.');
}

/** A record for the administration journal, whose row has the time itself. */
export function imageOf<T extends Partial<Recorded>>(record: T): Omit<T, keyof Recorded> {
  const { createdAt: _created, updatedAt: _changed, removedAt: _removed, ...image } = record;
  return image;
}

/** A tenant for the administration journal, with decimal amounts. */
export function imageOfTenant({ config, ...tenant }: Tenant): unknown {
  const { policies } = config;
  const amounts = AMOUNT_POLICIES.map((name) => [name, policies?.[name] && policies[name] / 100]);
  return { ...imageOf(tenant), config: { ...config, policies: { ...policies, ...Object.fromEntries(amounts) } } };
}
