import type { Database } from '../../platform/database/database.ts';
import type { InventoryAudit, StoredInventory } from '../ports.ts';

/**
 * Booked rooms of a night are the reservations that have one (a PENDING one counts while no hold stands for it), held
 * rooms are the active holds, blocked rooms the rest of groups' blocks and rooms under maintenance. They are compared with the stored cells from
 * the business date on, and so is the revenue of booked rooms by night. Pieces of extras that are stored as taken are
 * compared with the postings of folios.
 */
const AUDIT = `
  with a as (
    select * from property_actor where tenant_id = current_setting('innkeeper.tenant') and property_id = ?
  ), booked as (
    select r.room_type, n::date as date, count(*)::int as rooms
    from a join reservations r on r.tenant_id = a.tenant_id and r.property_id = a.property_id
      and r.status in ('PENDING', 'CONFIRMED', 'CHECKED_IN') and r.check_out > a.business_date
      and not exists (select from holds h where h.tenant_id = r.tenant_id and h.property_id = r.property_id and h.id = r.id),
      generate_series(greatest(r.check_in, a.business_date), r.check_out - 1, interval '1 day') n
    group by 1, 2
  ), held as (
    select h.room_type, n::date as date, sum(h.rooms)::int as rooms
    from a join holds h on h.tenant_id = a.tenant_id and h.property_id = a.property_id and h.kind <> 'LATE',
      generate_series(greatest(h.check_in, a.business_date), h.check_out - 1, interval '1 day') n
    group by 1, 2
  ), kept as (
    select b.room_type, b.date, sum(b.rooms - b.picked_up)::int as rooms
    from a join reservation_groups g on g.tenant_id = a.tenant_id and g.property_id = a.property_id and not g.released
      and g.deleted_at is null
    join group_blocks b on b.tenant_id = g.tenant_id and b.group_id = g.id and b.date >= a.business_date
    group by 1, 2
  ), earned as (
    select (n ->> 0)::int as day, sum((n ->> 1)::bigint)::float8 as revenue
    from a join reservations r on r.tenant_id = a.tenant_id and r.property_id = a.property_id
      and r.status in ('PENDING', 'CONFIRMED', 'CHECKED_IN') and r.check_out > a.business_date
      and not exists (select from holds h where h.tenant_id = r.tenant_id and h.property_id = r.property_id and h.id = r.id),
      json_array_elements(r.details -> 'nights') n
    where (n ->> 0)::int >= a.business_date - date '1970-01-01'
    group by 1
  ), books as (
    select b.date - date '1970-01-01' as day, b.revenue::float8 as revenue from a join night_books b
      on b.tenant_id = a.tenant_id and b.property_id = a.property_id and b.date >= a.business_date
  ), cells as (
    select c.* from a join availability.room_availability c
      on c.tenant_id = a.tenant_id and c.property_id = a.property_id and c.date >= a.business_date
  ), closed as (
    select o.room_type, n::date as date, count(*)::int as rooms
    from a join maintenances m on m.tenant_id = a.tenant_id and m.property_id = a.property_id and m.deleted_at is null
      and m.kind = 'OUT_OF_ORDER'
    join rooms o on o.tenant_id = m.tenant_id and o.property_id = m.property_id and o.room_number = m.room_number
      and o.deleted_at is null,
      generate_series(greatest(m.first_night, a.business_date),
        least(m.last_night, (select max(date) from cells)), interval '1 day') n
    group by 1, 2
  ), stored_extras as (
    select e.* from a join extra_stays e on e.tenant_id = a.tenant_id and e.property_id = a.property_id
    join reservations r on r.tenant_id = e.tenant_id and r.id = e.reservation_id
      and r.status in ('PENDING', 'CONFIRMED', 'CHECKED_IN')
  ), extras as (
    select code, n::date as date, sum(quantity)::int as pieces
    from a, stored_extras, generate_series(greatest(first_night, a.business_date), last_night, interval '1 day') n
    group by 1, 2
  ), posted_extras as (
    select c ->> 'code' as code, n as day,
      sum(sign((c ->> 'quantity')::int) * (c -> 'nightly' ->> 'pieces')::int)::int as pieces
    from a join reservations r on r.tenant_id = a.tenant_id and r.property_id = a.property_id
      and r.status in ('PENDING', 'CONFIRMED', 'CHECKED_IN'),
      json_array_elements(r.details -> 'charges') c,
      generate_series(greatest((c -> 'nightly' ->> 'from')::int, a.business_date - date '1970-01-01'),
        (c -> 'nightly' ->> 'to')::int - 1) n
    where c -> 'nightly' is not null
    group by 1, 2
  ), counted_extras as (
    select code, date '1970-01-01' + day as date, pieces from posted_extras
  ), account as (
    select room_type, date, coalesce(c.booked_rooms, 0) as booked, coalesce(b.rooms, 0) as counted,
      coalesce(c.held_rooms, 0) as held, coalesce(h.rooms, 0) as counted_held,
      coalesce(c.group_blocked, 0) as kept, coalesce(k.rooms, 0) as counted_kept,
      coalesce(c.out_of_order, 0) as closed, coalesce(o.rooms, 0) as counted_closed
    from cells c full join booked b using (room_type, date) full join held h using (room_type, date)
      full join kept k using (room_type, date) full join closed o using (room_type, date)
  ), wrong as (
    select room_type, date, 'booked' as counter, booked as stored, counted as recomputed
    from account where booked <> counted
    union all
    select room_type, date, 'held', held, counted_held from account where held <> counted_held
    union all
    select room_type, date, 'group', kept, counted_kept from account where kept <> counted_kept
    union all
    select room_type, date, 'outOfOrder', closed, counted_closed from account where closed <> counted_closed
    union all
    select '', date '1970-01-01' + day, 'revenue', coalesce(b.revenue, 0), coalesce(e.revenue, 0)
    from books b full join earned e using (day) where coalesce(b.revenue, 0) <> coalesce(e.revenue, 0)
    union all
    select code, date, 'extra', coalesce(k.pieces, 0), coalesce(c.pieces, 0)
    from extras k full join counted_extras c using (code, date) where coalesce(k.pieces, 0) <> coalesce(c.pieces, 0)
  )
  select json_build_object(
    'seq', (select seq from a),
    'cells', (select coalesce(json_agg(json_build_object('roomType', room_type, 'day', date - date '1970-01-01',
        'total', total_rooms, 'booked', booked_rooms, 'held', held_rooms, 'blocked', blocked_rooms,
        'shortfall', shortfall)), '[]') from cells),
    'books', (select coalesce(json_agg(json_build_object('day', day, 'revenue', revenue)), '[]') from books),
    'extraStays', (select coalesce(json_agg(json_build_object('postingId', posting_id,
        'reservationId', reservation_id, 'code', code, 'quantity', quantity,
        'firstNight', first_night - date '1970-01-01', 'lastNight', last_night - date '1970-01-01')), '[]')
        from stored_extras),
    'differences', (select coalesce(json_agg(json_build_object('roomType', room_type,
        'day', date - date '1970-01-01', 'counter', counter, 'stored', stored, 'recomputed', recomputed)
        order by date, room_type), '[]') from wrong)
  ) as document`;

/** The database's own account of a property, in one snapshot. */
export function databaseInventoryAudit(database: Database): InventoryAudit {
  return async ({ tenantId, propertyId }) => {
    const rows = await database.readTenant(tenantId, (em) => em.execute(AUDIT, [propertyId]));
    return (rows as unknown as { document: StoredInventory }[])[0]!.document;
  };
}
