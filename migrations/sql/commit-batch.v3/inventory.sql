-- What can be sold, night by night, at which rates, and what is on the books.
-- Frozen once it was in a release: a later change is a new version of the whole folder (CONTRIBUTING.md#add-a-column).
-- Parts between "generated" and "end of generated" are written by `npm run sql:generate`.

-- generated: function inventory
create or replace function system.write_inventory_v3(counts jsonb, cells json, books json, base_rates json)
  returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  changed int;
-- end of generated
begin
  -- generated: list cells books baseRates
  if cells is not null then
    insert into availability.room_availability (tenant_id, property_id, room_type, date, total_rooms, available_rooms,
      booked_rooms, held_rooms, group_blocked, out_of_order, external_blocked, overbooking_limit, shortfall, told_at,
      told_seq, updated_at, blocked_rooms, status)
    select r.*, r."groupBlocked" + r."outOfOrder" + r."externalBlocked",
      (case when r.available = 0 then 'SOLD_OUT' when r.available * 10 <= r.total then 'LIMITED' else 'OPEN'
        end)::availability_status
    from json_to_recordset(cells) as r (t text, p varchar(50), "roomType" varchar(50), day date, total int,
      available int, booked int, held int, "groupBlocked" int, "outOfOrder" int, "externalBlocked" int,
      "overbookingLimit" int, shortfall int, "toldAt" bigint, "toldSeq" bigint, at timestamptz(3))
    on conflict (tenant_id, property_id, room_type, date) do update
      set total_rooms = excluded.total_rooms, available_rooms = excluded.available_rooms,
        booked_rooms = excluded.booked_rooms, held_rooms = excluded.held_rooms,
        group_blocked = excluded.group_blocked, out_of_order = excluded.out_of_order,
        external_blocked = excluded.external_blocked, overbooking_limit = excluded.overbooking_limit,
        shortfall = excluded.shortfall, told_at = excluded.told_at, told_seq = excluded.told_seq,
        updated_at = excluded.updated_at, blocked_rooms = excluded.blocked_rooms, status = excluded.status;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'cells')::int then
      perform system.raise_fewer_v3(changed, counts, 'cells');
    end if;
  end if;

  if books is not null then
    insert into night_books (tenant_id, property_id, date, revenue, moved_on, pickup, cancelled)
    select r.* from json_to_recordset(books) as r (t text, p varchar(50), day date, revenue bigint, "movedOn" date,
      pickup int, cancelled int)
    on conflict (tenant_id, property_id, date) do update
      set revenue = excluded.revenue, moved_on = excluded.moved_on, pickup = excluded.pickup,
        cancelled = excluded.cancelled;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'books')::int then
      perform system.raise_fewer_v3(changed, counts, 'books');
    end if;
  end if;

  if base_rates is not null then
    insert into base_rates (tenant_id, property_id, room_type, rate_date, rate, currency, seasonal_multiplier,
      seasonal_amount, updated_at, day_of_week, weekend, created_at)
    select r.*, extract(dow from r.day), extract(dow from r.day) in (5, 6), r.at
    from json_to_recordset(base_rates) as r (t text, p varchar(50), "roomType" varchar(50), day date,
      rate numeric(10, 2), currency char(3), multiplier numeric(4, 2), amount numeric(10, 2), at timestamptz(3))
    on conflict (tenant_id, property_id, room_type, rate_date) do update
      set rate = excluded.rate, currency = excluded.currency, seasonal_multiplier = excluded.seasonal_multiplier,
        seasonal_amount = excluded.seasonal_amount, updated_at = excluded.updated_at;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'baseRates')::int then
      perform system.raise_fewer_v3(changed, counts, 'baseRates');
    end if;
  end if;
  -- end of generated
end
$$;
