import type { Database } from '../../platform/database/database.ts';
import type { UserNames } from '../ports.ts';

/** Records name a user by the id, or by the `sub` of the token where that is all they had. */
const NAMES = `
  with wanted as (select jsonb_array_elements_text(?::jsonb) as key)
  select id, sub, coalesce(name, email) as name from users
  where tenant_id = ? and coalesce(name, email) is not null
    and (id::text in (select key from wanted) or sub in (select key from wanted))
  order by deleted_at nulls last, updated_at desc`;

/** Names of users in PostgreSQL, also of those who have left. */
export function databaseUserNames(database: Database): UserNames {
  return async (tenantId, subjects) => {
    const wanted = [...new Set(subjects)];
    if (wanted.length === 0) return new Map();
    const rows = await database.readTenant(tenantId, (em) =>
      em.execute<{ id: string; sub: string; name: string }[]>(NAMES, [JSON.stringify(wanted), tenantId]),
    );
    const names = new Map<string, string>();
    // Two issuers may have one `sub`: who is there comes before who has left.
    for (const { id, sub, name } of rows) for (const key of [id, sub]) if (!names.has(key)) names.set(key, name);
    return names;
  };
}
