import type { Group } from '../domain/group.ts';
import type { Of, SalesReader } from '../ports/sales-reader.ts';
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

const PLAN = `select property_id as "propertyId" from rates where id = ? and tenant_id = ? and deleted_at is null`;

/** Promotions and groups from the tables, within one tenant. */
export function databaseSalesReader(database: Database): SalesReader {
  const find = async (sql: string, tenantId: string, id: string): Promise<unknown> => {
    if (!isUuid(id)) return undefined;
    const rows = await database.readTenant(tenantId, (em) => em.execute(sql, [id, tenantId]));
    return (rows as unknown[])[0];
  };
  return {
    async promotion(tenantId, id) {
      const row = (await find(PROMOTION, tenantId, id)) as Of<LoadedPromotion> | undefined;
      return row && { ...row, value: promotionOf(row.value) };
    },
    async propertyOfPlan(tenantId, id) {
      const row = (await find(PLAN, tenantId, id)) as { propertyId: string } | undefined;
      return row?.propertyId;
    },
    async group(tenantId, id) {
      return (await find(GROUP, tenantId, id)) as Of<Group> | undefined;
    },
  };
}
