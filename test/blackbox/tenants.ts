import { Client } from 'pg';

import { embeddedDatabaseUrl } from './database-url.ts';
import type { Role, Service } from './service.ts';

/** A tenant that a test makes past the service: the demo users of `demo` belong to it with their roles. */
export type MadeTenant = { tenantId: string; status?: 'ACTIVE' | 'SUSPENDED' | 'INACTIVE' | 'CANCELLED' };

const ROLES: readonly Role[] = ['VIEWER', 'STAFF', 'MANAGER', 'ADMIN', 'OWNER'];

/** Makes tenants as the owner of the machine could, straight in the embedded database. */
export async function makeTenants(service: Service, tenants: readonly MadeTenant[]): Promise<void> {
  await withDatabase(service, async (client) => {
    for (const { tenantId, status = 'ACTIVE' } of tenants) {
      await client.query('insert into tenants (tenant_id, name, status) values ($1, $2, $3)', [
        tenantId,
        tenantId,
        status,
      ]);
      for (const role of ROLES) {
        await client.query(
          `with made as (
             insert into users (tenant_id, iss, sub)
             select $1, iss, sub from users where tenant_id = 'demo' and sub = $2 returning tenant_id, id
           )
           insert into user_tenant_associations (tenant_id, user_id, role)
           select tenant_id, id, $3::tenant_role from made`,
          [tenantId, `demo-${role.toLowerCase()}`, role],
        );
      }
    }
  });
}

/** Statements past row security, in the embedded database of a running service. */
export async function withDatabase<T>(service: Service, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: service.env['DATABASE_URL'] ?? embeddedDatabaseUrl(service.dataDir),
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
