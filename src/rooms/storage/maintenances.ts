import type { EntityManager } from '@mikro-orm/postgresql';

import type { Address } from '../../kernel/rules/caller.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import type { Database } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import { MAINTENANCES_TABLE } from '../../platform/database/tables/front-desk.ts';
import { selectOf } from '../../platform/database/tables/table.ts';
import type { StoredMaintenance } from '../ports.ts';
import type { Maintenance } from '../rules/maintenance.ts';

const OF_PROPERTY = `
  select ${selectOf(MAINTENANCES_TABLE)} from maintenances
  where tenant_id = ? and property_id = ? and deleted_at is null`;

type Row = Omit<Maintenance, 'lastNight'> & { lastNight: Day | null };

function toMaintenance({ lastNight, ...maintenance }: Row): Maintenance {
  return { ...maintenance, ...(lastNight !== null && { lastNight }) };
}

/** Maintenances with a night from `today` on. */
export async function maintenancesFrom(
  em: EntityManager,
  { tenantId, propertyId }: Address,
  today: Day,
): Promise<Maintenance[]> {
  const sql = `${OF_PROPERTY} and (last_night is null or last_night >= ?::date)`;
  const rows = await em.execute(sql, [tenantId, propertyId, formatDay(today)]);
  return (rows as unknown as Row[]).map(toMaintenance);
}

export function databaseMaintenance(database: Database): StoredMaintenance {
  return async ({ tenantId, propertyId }, id) => {
    if (!isUuid(id)) return undefined;
    const sql = `${OF_PROPERTY} and id = ?`;
    const rows = await database.readTenant(tenantId, (em) => em.execute(sql, [tenantId, propertyId, id]));
    const [row] = rows as unknown as Row[];
    return row && toMaintenance(row);
  };
}
