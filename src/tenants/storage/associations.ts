import type { Database } from '../../platform/database/database.ts';
import type { Association, Associations } from '../ports.ts';

const FIND = `
  select u.id as "userId", a.role, t.status as "tenantStatus"
  from users u
  join user_tenant_associations a on a.tenant_id = u.tenant_id and a.user_id = u.id and a.deleted_at is null
  join tenants t on t.tenant_id = u.tenant_id and t.deleted_at is null
  where u.tenant_id = ? and u.iss = ? and u.sub = ? and u.deleted_at is null`;

/**
 * Users and roles from the database. The tenant may come straight from a header: row security restricts the query to
 * its own rows.
 */
export function databaseAssociations(database: Database): Associations {
  return {
    async find(tenantId, issuer, subject) {
      // Without a tenant every policy raises, and no association exists.
      if (tenantId === '') return undefined;
      return database.readTenant(tenantId, async (em) => {
        const rows = await em.execute<Association[]>(FIND, [tenantId, issuer, subject]);
        return rows[0];
      });
    },
  };
}
