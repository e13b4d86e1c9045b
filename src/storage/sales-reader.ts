import type { Group } from '../domain/group.ts';
import type { SalesReader } from '../ports/sales-reader.ts';
import type { Database } from './database.ts';
import { present } from './load-sql.ts';
import { isUuid } from './row-values.ts';
import { EVERY_GROUP, EVERY_PROMOTION, type LoadedPromotion, promotionOf } from './sales-load.ts';

/** What is found with the property that it belongs to; parameters: id, tenant. */
const found = (rows: string, id: string): string => `
  select a.property_id as "propertyId", ${present('to_json(x)')} as value
  from property_actor a, lateral (${rows} and ${id} = ?) x where a.tenant_id = ?`;

const PROMOTION = found(EVERY_PROMOTION, 'p.id');
const GROUP = found(EVERY_GROUP, 'g.id');

/** Promotions and groups from the tables, within one tenant. */
export function databaseSalesReader(database: Database): SalesReader {
  const find = async <T>(sql: string, tenantId: string, id: string): Promise<{ propertyId: string; value: T }[]> => {
    if (!isUuid(id)) return [];
    const rows = await database.readTenant(tenantId, (em) => em.execute(sql, [id, tenantId]));
    return rows as unknown as { propertyId: string; value: T }[];
  };
  return {
    async promotion(tenantId, id) {
      const [row] = await find<LoadedPromotion>(PROMOTION, tenantId, id);
      return row && { ...row, value: promotionOf(row.value) };
    },
    async group(tenantId, id) {
      return (await find<Group>(GROUP, tenantId, id))[0];
    },
  };
}
