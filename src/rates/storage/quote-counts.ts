import { formatDay } from '../../kernel/rules/dates.ts';
import type { Database } from '../../platform/database/database.ts';
import type { StoreQuoteCounts } from '../ports.ts';

/**
 * In the order of the key, so that two nodes that add to the same rows do not wait for each other in a circle. Counts
 * that waited while the database was away have the same cell several times, which one statement may write only once.
 */
const ADD = `
  insert into quote_counts (tenant_id, property_id, arrival, room_type, lead, nights, ratio, market, shown, booked)
  select ?, "propertyId", arrival, "roomType", lead, nights, ratio, market,
    least(sum(shown), 2000000000)::int, least(sum(booked), 2000000000)::int
  from json_to_recordset(?::json) as cells ("propertyId" text, arrival date, "roomType" text, lead smallint,
    nights smallint, ratio smallint, market smallint, shown int, booked int)
  group by 2, 3, 4, 5, 6, 7, 8
  order by 2, 3, 4, 5, 6, 7, 8
  on conflict (tenant_id, property_id, arrival, room_type, lead, nights, ratio, market)
  do update set shown = least(quote_counts.shown::bigint + excluded.shown, 2000000000)::int,
    booked = least(quote_counts.booked::bigint + excluded.booked, 2000000000)::int`;

export function databaseQuoteCounts(database: Database): StoreQuoteCounts {
  return async (tenantId, cells) => {
    const rows = cells.map((cell) => ({ ...cell, arrival: formatDay(cell.arrival) }));
    await database.inTenant(tenantId, (em) => em.execute(ADD, [tenantId, JSON.stringify(rows)]));
  };
}
