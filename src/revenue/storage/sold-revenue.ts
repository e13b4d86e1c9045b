import { formatDay } from '../../kernel/rules/dates.ts';
import type { Database } from '../../platform/database/database.ts';
import type { SoldNight, SoldRevenue } from '../ports.ts';

/** Nights are packed in the reservation (`packed-night.ts`): day, rate, taxes, fees; complimentary ones have a sixth. */
const SOLD = `
  select r.room_type as "roomType", (n ->> 0)::int as day, count(*)::int as rooms, sum((n ->> 1)::bigint)::float8 as revenue
  from reservations r, json_array_elements(r.details -> 'nights') n
  where r.tenant_id = ? and r.property_id = ? and r.deleted_at is null
    and r.status in ('PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT') and r.check_out > ?::date
    and r.check_in <= ?::date and (n ->> 0)::int between ? and ?
    and n ->> 5 is null
    and r.currency = (select metadata ->> 'currency' from properties where tenant_id = ? and property_id = ?)
  group by 1, 2`;

export function databaseSoldRevenue(database: Database): SoldRevenue {
  return async ({ tenantId, propertyId }, start, end) => {
    const values = [tenantId, propertyId, formatDay(start), formatDay(end), start, end, tenantId, propertyId];
    const rows = await database.readTenant(tenantId, (em) => em.execute(SOLD, values));
    return rows as unknown as SoldNight[];
  };
}
