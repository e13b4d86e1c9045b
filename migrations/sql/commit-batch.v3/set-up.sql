-- Properties with their room types, rooms and rate plans.
-- Frozen once it was in a release: a later change is a new version of the whole folder (CONTRIBUTING.md#add-a-column).
-- Parts between "generated" and "end of generated" are written by `npm run sql:generate`.

-- generated: function set-up
create or replace function system.write_set_up_v3(counts jsonb, properties json, properties_deleted json,
  room_types json, room_types_removed json, rooms json, rooms_removed json, plans json, plans_removed json)
  returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  changed int;
-- end of generated
begin
  -- generated: list properties
  if properties is not null then
    insert into properties (tenant_id, property_id, name, property_code, brand, property_type, metadata, address,
      contact, created_at, updated_at, deleted_at)
    select r.*, null::timestamptz(3)
    from json_to_recordset(properties) as r (t text, p varchar(50), name varchar(200), "propertyCode" varchar(50),
      brand varchar(100), "propertyType" varchar(50), metadata jsonb, address jsonb, contact jsonb,
      "createdAt" timestamptz(3), "updatedAt" timestamptz(3))
    on conflict (tenant_id, property_id) do update
      set name = excluded.name, property_code = excluded.property_code, brand = excluded.brand,
        property_type = excluded.property_type, metadata = excluded.metadata, address = excluded.address,
        contact = excluded.contact, updated_at = excluded.updated_at, deleted_at = excluded.deleted_at;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'properties')::int then
      perform system.raise_fewer_v3(changed, counts, 'properties');
    end if;
  end if;
  -- end of generated

  if properties_deleted is not null then
    update properties o set deleted_at = r.at, updated_at = r.at
    from json_to_recordset(properties_deleted) as r (t text, p varchar(50), at timestamptz(3))
    where o.tenant_id = r.t and o.property_id = r.p;
  end if;

  -- generated: list roomTypes
  if room_types is not null then
    insert into room_types (tenant_id, property_id, room_type, name, max_adults, max_children, max_guests,
      total_rooms, amenities, rolling_rates, updated_at, created_at, deleted_at)
    select r.*, r.at, null::timestamptz(3)
    from json_to_recordset(room_types) as r (t text, p varchar(50), "roomType" varchar(50), name varchar(100),
      "maxAdults" int, "maxChildren" int, "maxGuests" int, "totalRooms" int, amenities jsonb, "rollingRates" jsonb,
      at timestamptz(3))
    on conflict (tenant_id, property_id, room_type) do update
      set name = excluded.name, max_adults = excluded.max_adults, max_children = excluded.max_children,
        max_guests = excluded.max_guests, total_rooms = excluded.total_rooms, amenities = excluded.amenities,
        rolling_rates = excluded.rolling_rates, updated_at = excluded.updated_at, deleted_at = excluded.deleted_at;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'roomTypes')::int then
      perform system.raise_fewer_v3(changed, counts, 'roomTypes');
    end if;
  end if;
  -- end of generated

  if room_types_removed is not null then
    update room_types o set deleted_at = r.at
    from json_to_recordset(room_types_removed) as r (t text, p varchar(50), "roomType" varchar(50), at timestamptz(3))
    where o.tenant_id = r.t and o.property_id = r.p and o.room_type = r."roomType";
    -- What has not happened yet goes with its type: a new type of the same name begins empty.
    delete from availability.room_availability c
    using json_to_recordset(room_types_removed) as r (t text, p varchar(50), "roomType" varchar(50)), property_actor a
    where c.tenant_id = r.t and c.property_id = r.p and c.room_type = r."roomType"
      and a.tenant_id = r.t and a.property_id = r.p and c.date >= a.business_date;
    delete from base_rates b
    using json_to_recordset(room_types_removed) as r (t text, p varchar(50), "roomType" varchar(50)), property_actor a
    where b.tenant_id = r.t and b.property_id = r.p and b.room_type = r."roomType"
      and a.tenant_id = r.t and a.property_id = r.p and b.rate_date >= a.business_date;
    delete from rate_signals s
    using json_to_recordset(room_types_removed) as r (t text, p varchar(50), "roomType" varchar(50))
    where s.tenant_id = r.t and s.property_id = r.p and s.room_type = r."roomType";
    delete from rate_restrictions x
    using json_to_recordset(room_types_removed) as r (t text, p varchar(50), "roomType" varchar(50)), property_actor a
    where x.tenant_id = r.t and x.property_id = r.p and x.room_type = r."roomType"
      and a.tenant_id = r.t and a.property_id = r.p and x.date >= a.business_date;
  end if;

  -- generated: list rooms
  if rooms is not null then
    insert into rooms (tenant_id, property_id, room_number, room_type, floor, status, features, accessible,
      connects_to, notes, reservation_id, updated_at, deleted_at)
    select r.*, null::timestamptz(3)
    from json_to_recordset(rooms) as r (t text, p varchar(50), "roomNumber" varchar(10), "roomType" varchar(50),
      floor int, status room_status, features jsonb, accessible boolean, "connectsTo" jsonb, notes text,
      "reservationId" uuid, "updatedAt" timestamptz(3))
    on conflict (tenant_id, property_id, room_number) do update
      set room_type = excluded.room_type, floor = excluded.floor, status = excluded.status,
        features = excluded.features, accessible = coalesce(excluded.accessible, rooms.accessible),
        connects_to = coalesce(excluded.connects_to, rooms.connects_to), notes = excluded.notes,
        reservation_id = excluded.reservation_id, updated_at = excluded.updated_at, deleted_at = excluded.deleted_at;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'rooms')::int then
      perform system.raise_fewer_v3(changed, counts, 'rooms');
    end if;
  end if;
  -- end of generated

  if rooms_removed is not null then
    update rooms o set deleted_at = r.at
    from json_to_recordset(rooms_removed) as r (t text, p varchar(50), "roomNumber" varchar(10), at timestamptz(3))
    where o.tenant_id = r.t and o.property_id = r.p and o.room_number = r."roomNumber";
  end if;

  -- generated: list plans
  if plans is not null then
    insert into rates (tenant_id, property_id, id, code, name, strategy, status, base_rate, currency, valid_from,
      valid_to, rules, cancellation_policy, updated_at, created_at, deleted_at)
    select r.*, r.at, null::timestamptz(3)
    from json_to_recordset(plans) as r (t text, p varchar(50), id uuid, code varchar(50), name varchar(100),
      strategy rate_strategy, status rate_status, "baseRate" numeric(10, 2), currency char(3), "validFrom" date,
      "validTo" date, rules jsonb, "cancellationPolicy" varchar(50), at timestamptz(3))
    on conflict (tenant_id, id) do update
      set name = excluded.name, strategy = excluded.strategy, status = excluded.status,
        base_rate = excluded.base_rate, valid_from = excluded.valid_from, valid_to = excluded.valid_to,
        rules = excluded.rules, cancellation_policy = excluded.cancellation_policy, updated_at = excluded.updated_at,
        deleted_at = excluded.deleted_at;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'plans')::int then
      perform system.raise_fewer_v3(changed, counts, 'plans');
    end if;
  end if;
  -- end of generated

  if plans_removed is not null then
    update rates o set deleted_at = r.at
    from json_to_recordset(plans_removed) as r (t text, p varchar(50), id uuid, at timestamptz(3))
    where o.tenant_id = r.t and o.property_id = r.p and o.id = r.id;
    delete from rate_restrictions x
    using json_to_recordset(plans_removed) as r (t text, p varchar(50), code varchar(50))
    where x.tenant_id = r.t and x.property_id = r.p and x.rate_code = r.code;
  end if;
end
$$;
