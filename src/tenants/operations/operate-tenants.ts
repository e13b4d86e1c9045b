import { v7 as uuidv7 } from 'uuid';

import { openCursor, signCursor } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { By, Done, RequestKey } from '../../kernel/rules/administration.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Tenant, TenantInShort, TenantStatus, User } from '../rules/tenant.ts';
import { administer, type Administering, imageOfTenant, theTenant } from './administer.ts';
import type { UserWish } from './set-up-users.ts';

type NewTenant = Omit<Tenant, 'createdAt' | 'updatedAt'> & { ownerUser: UserWish };
type Founded = { tenant: Tenant; owner: Pick<User, 'id' | 'issuer' | 'subject'> };

/**
 * Lists tenants of this installation, newest first, without their data: for operators
 * (docs/reference/set-up.md#tenant).
 * @param q part of the id or the name
 */
export async function listTenants(
  { tenants, signed }: Pick<Services, 'tenants' | 'signed'>,
  { limit, cursor, q }: { limit: number; cursor?: string; q?: string },
): Promise<{ items: TenantInShort[]; nextCursor?: string }> {
  const after = cursor === undefined ? undefined : (openCursor(signed, cursor, LIST) as [number, string]);
  const { items, next } = await tenants.list(limit, after && { createdAt: after[0], id: after[1] }, q);
  return { items, nextCursor: next && signCursor(signed, [next.createdAt, next.id], LIST) };
}

/** Distinguishes this list's cursors from those of a tenant's own lists. */
const LIST = 'tenants';

/** Creates a tenant with its first owner, who sets up the rest. @throws DomainError ALREADY_EXISTS */
export function foundTenant(
  services: Administering & Pick<Services, 'issuer'>,
  by: By,
  { ownerUser, ...wish }: NewTenant,
  key?: RequestKey,
): Promise<Done<Founded>> {
  return administer(services, by, key, async (records) => {
    const tenant = await records.addTenant(wish);
    if (!tenant) throw new DomainError('ALREADY_EXISTS', `The tenant ${wish.tenantId} exists.`);
    const { issuer = services.issuer, subject, name, email } = ownerUser;
    const { id } = await records.put('user', { id: uuidv7(), issuer, subject, name, email });
    await records.put('association', { id, role: 'OWNER' });
    const owner = { id, issuer, subject };
    const after = { tenant: imageOfTenant(tenant), owner };
    await records.note({ entity: 'tenant', entityId: wish.tenantId, action: 'CREATED', after });
    return { tenant, owner };
  });
}

/** Sets the status; requests and sockets of its users follow within 30 s. @throws DomainError TENANT_NOT_FOUND */
export function setTenantStatus(
  services: Administering,
  by: By,
  status: TenantStatus,
  key?: RequestKey,
): Promise<Done<Tenant>> {
  return administer(services, by, key, async (records) => {
    const before = await theTenant(records);
    const after = await records.changeTenant({ status });
    const entry = { before: { status: before.status }, after: { status } };
    await records.note({ entity: 'tenant', entityId: by.tenantId, action: 'STATUS_CHANGED', ...entry });
    return after;
  });
}
