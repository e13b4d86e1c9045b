import type { Database } from '../../platform/database/database.ts';
import type { BookingHistory, SoldChange } from '../ports.ts';

/**
 * Journal rows have the sold rooms of a cell after them (`CellFact`): the difference to the row before is what was sold
 * or cancelled. Parameters: starts, tenant, property, first start.
 */
const CHANGES = `
  with told as (
    select c ->> 0 as room_type, (c ->> 1)::int as night, width_bucket(j.at, ?::timestamptz[]) - 1 as index,
      (c ->> 3)::int as sold, j.seq
    from journal j, json_array_elements(j.facts -> 'cells') c
    where j.tenant_id = ? and j.property_id = ? and j.at >= ?::timestamptz and j.facts -> 'cells' is not null
  ), changed as (
    select night, index, sold - coalesce(lag(sold) over (partition by room_type, night order by seq), 0) as rooms
    from told
  )
  select index, night, sum(rooms)::int as rooms from changed where rooms <> 0 group by index, night, sign(rooms)`;

export function databaseBookingHistory(database: Database): BookingHistory {
  return async ({ tenantId, propertyId }, starts) => {
    const times = starts.map((at) => new Date(at).toISOString());
    const values = [`{${times.join(',')}}`, tenantId, propertyId, times[0]];
    const rows = await database.readTenant(tenantId, (em) => em.execute(CHANGES, values));
    return rows as unknown as SoldChange[];
  };
}
