import type { Database } from '../../platform/database/database.ts';
import { personOf } from '../contracts/person-key.ts';
import type { Association, Associations } from '../ports.ts';

const FIND = `
  select u.id as "userId", a.role, t.status as "tenantStatus"
  from users u
  join user_tenant_associations a on a.tenant_id = u.tenant_id and a.user_id = u.id and a.deleted_at is null
  join tenants t on t.tenant_id = u.tenant_id and t.deleted_at is null
  where u.tenant_id = ? and u.iss = ? and u.sub = ? and u.deleted_at is null`;
const ENDED = 'select mark from ended_tokens where person = ? and ends_at > now() order by ends_at desc limit ?';
/** Ended tokens that are read: somebody who signs in more often within the life of a token has to wait for its end. */
const MAX_ENDED = 500;

/**
 * Users and roles from the database. The tenant may come straight from a header: row security restricts the query to
 * its own rows.
 */
export function databaseAssociations(database: Database): Associations {
  return {
    async find(tenantId, issuer, subject) {
      // Without a tenant every policy raises, and no association exists.
      if (tenantId === '') return undefined;
      const person = personOf({ issuer, subject });
      const [found, , ended] = await database.readAtOnce(
        tenantId,
        [FIND, tenantId, issuer, subject],
        ['set local innkeeper.person = ?', person],
        [ENDED, person, MAX_ENDED],
      );
      const association = (found as Association[])[0];
      return association && { ...association, endedTokens: (ended as { mark: string }[]).map(({ mark }) => mark) };
    },
  };
}
