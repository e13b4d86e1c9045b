import type { EntityManager } from '@mikro-orm/postgresql';

import type { Role } from '../../kernel/rules/caller.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { TenantType } from '../rules/tenant.ts';

export type SeedUser = { iss: string; sub: string; role: Role; name: string; email: string };
export type SeedTenant = { tenantId: TenantId; name: string; type: TenantType; users: SeedUser[] };

/**
 * Creates missing tenants and users, each tenant in its own transaction. Existing ones stay as they are, so that a
 * changed role survives the next start.
 * @returns the tenants that were new
 */
export async function seedTenants(database: Database, tenants: readonly SeedTenant[]): Promise<string[]> {
  const created: string[] = [];
  for (const tenant of tenants) {
    if (await database.inTenant(tenant.tenantId, (em) => seedTenant(em, tenant))) created.push(tenant.tenantId);
  }
  return created;
}

async function seedTenant(em: EntityManager, { tenantId, name, type, users }: SeedTenant): Promise<boolean> {
  const inserted = await em.execute(
    'insert into tenants (tenant_id, name, type) values (?, ?, ?) on conflict do nothing returning tenant_id',
    [tenantId, name, type],
  );
  for (const user of users) await seedUser(em, tenantId, user);
  return inserted.length > 0;
}

async function seedUser(
  em: EntityManager,
  tenantId: TenantId,
  { iss, sub, role, name, email }: SeedUser,
): Promise<void> {
  await em.execute(
    `insert into users (tenant_id, iss, sub, name, email) values (?, ?, ?, ?, ?)
     on conflict (tenant_id, iss, sub) do nothing`,
    [tenantId, iss, sub, name, email],
  );
  await em.execute(
    `insert into user_tenant_associations (tenant_id, user_id, role)
     select tenant_id, id, ?::tenant_role from users where tenant_id = ? and iss = ? and sub = ?
     on conflict do nothing`,
    [role, tenantId, iss, sub],
  );
}
