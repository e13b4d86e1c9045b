import type { Database } from '../../platform/database/database.ts';
import type { BookingHistory, SoldChange } from '../ports.ts';

/**
 * Journal rows have the sold rooms of a cell after them (`CellFact`): the difference to the row before is what was sold
 * or cancelled. An import sells nothing at its own time: each of its stays was sold when the file says, also for nights
 * that are over, which have no cell, and off the books when it was cancelled or missed (`BookingFact`). One of which
 * nobody knows when it was cancelled (the file has no such date: it counts as cancelled at its arrival, or now) is left
 * out: on the books until then it would say that guests always cancel at the last moment.
 */
const CHANGES = `
  with told as (
    select c ->> 0 as room_type, (c ->> 1)::int as night, j.at, (c ->> 3)::int as sold, j.seq, j.type
    from journal j, json_array_elements(j.facts -> 'cells') c
    where j.tenant_id = ? and j.property_id = ? and j.at >= ?::timestamptz and j.facts -> 'cells' is not null
  ), moved as (
    select night, at, type, sold - coalesce(lag(sold) over (partition by room_type, night order by seq), 0) as rooms
    from told
  ), imported as materialized (
    select distinct on (id) coalesce(f ->> 1, j.entity)::uuid as id, (f ->> 5)::int as arrival,
      (f ->> 6)::int as departure, f ->> 10 as status, j.at
    from journal j, json_array_elements(j.facts -> 'bookings') f
    where j.tenant_id = ? and j.property_id = ? and j.at >= ?::timestamptz and j.type = 'IMPORT_RESERVATIONS'
    order by id, j.seq desc
  ), stays as (
    select i.*, r.created_at,
      coalesce(to_timestamp((r.details #>> '{cancellation,cancelledAt}')::float8 / 1000), r.created_at) as ended
    from imported i join reservations r on r.tenant_id = ? and r.id = i.id
  ), nights as (
    select night, status in ('CANCELLED', 'NO_SHOW') as is_over, created_at, ended
    from stays, generate_series(greatest(arrival, ?::int), departure - 1) night
    where status <> 'CANCELLED' or ended < least(date '1970-01-01' + arrival, at::date)
  ), changed as (
    select night, at, rooms from moved where rooms <> 0 and type <> 'IMPORT_RESERVATIONS'
    union all select night, created_at, 1 from nights
    union all select night, greatest(created_at, ended), -1 from nights where is_over
  ), placed as (
    select greatest(0, width_bucket(at, ?::timestamptz[]) - 1) as index, night, rooms from changed
  )
  select index, night, sum(rooms)::int as rooms from placed group by index, night, sign(rooms)`;

const IMPORTS = `
  select count(*)::int as imports from imports
  where tenant_id = ? and property_id = ? and not dry_run and status <> 'RUNNING'`;

export function databaseBookingHistory(database: Database): BookingHistory {
  return {
    async changes({ tenantId, propertyId }, starts, first) {
      const times = starts.map((at) => new Date(at).toISOString());
      const rows = [tenantId, propertyId, times[0]];
      const values = [...rows, ...rows, tenantId, first, `{${times.join(',')}}`];
      const found = await database.readTenant(tenantId, (em) => em.execute(CHANGES, values));
      return found as unknown as SoldChange[];
    },
    async imports({ tenantId, propertyId }) {
      const [rows] = await database.readAtOnce(tenantId, [IMPORTS, tenantId, propertyId]);
      const [{ imports } = { imports: 0 }] = rows as { imports: number }[];
      return imports;
    },
  };
}
