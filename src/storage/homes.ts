import type { Homes } from '../ports/homes.ts';
import type { Database } from './database.ts';
import { isUuid } from './row-values.ts';

const PROMOTION = 'select property_id from promotions where tenant_id = ? and id = ? and deleted_at is null';
const GROUP = 'select property_id from reservation_groups where tenant_id = ? and id = ? and deleted_at is null';

/** Homes from the tables, within one tenant. */
export function databaseHomes(database: Database): Homes {
  const find = async (sql: string, tenantId: string, id: string): Promise<string | undefined> => {
    if (!isUuid(id)) return undefined;
    const rows = await database.readTenant(tenantId, (em) => em.execute(sql, [tenantId, id]));
    return (rows as unknown as { property_id: string }[])[0]?.property_id;
  };
  return {
    promotion: (tenantId, id) => find(PROMOTION, tenantId, id),
    group: (tenantId, id) => find(GROUP, tenantId, id),
  };
}
