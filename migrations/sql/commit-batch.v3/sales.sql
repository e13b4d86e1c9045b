-- What limits sale and what is promised of it: restrictions, promotions, groups with their blocks.
-- Frozen once it was in a release: a later change is a new version of the whole folder (CONTRIBUTING.md#add-a-column).
-- Parts between "generated" and "end of generated" are written by `npm run sql:generate`.

-- generated: function sales
create or replace function system.write_sales_v3(counts jsonb, rate_changes json, signals json, restrictions json,
  restrictions_removed json, promotions json, promotion_nights json, calendar_events_removed json,
  calendar_events json, groups json, group_blocks_removed json, group_blocks json)
  returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  changed int;
-- end of generated
begin
  -- generated: list rateChanges signals restrictions restrictionsRemoved promotions promotionNights calendarEventsRemoved calendarEvents groups groupBlocksRemoved groupBlocks
  if rate_changes is not null then
    insert into rate_changes (tenant_id, property_id, id, seq, at)
    select r.* from json_to_recordset(rate_changes) as r (t text, p varchar(50), id uuid, seq bigint,
      at timestamptz(3));
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'rateChanges')::int then
      perform system.raise_fewer_v3(changed, counts, 'rateChanges');
    end if;
  end if;

  if signals is not null then
    insert into rate_signals (tenant_id, property_id, room_type, date, demand_percent, market_rate, bid_price,
      bid_per_room, bid_rooms, live_factors, live_rooms, live_step, live_start, live_on, updated_at)
    select r.* from json_to_recordset(signals) as r (t text, p varchar(50), "roomType" varchar(50), day date,
      demand smallint, market numeric(10, 2), bid numeric(10, 2), "bidPerRoom" numeric(10, 2), "bidRooms" smallint,
      "liveFactors" smallint[], "liveRooms" smallint, "liveStep" smallint, "liveStart" smallint, "liveOn" date,
      at timestamptz(3))
    on conflict (tenant_id, property_id, room_type, date) do update
      set demand_percent = excluded.demand_percent, market_rate = excluded.market_rate,
        bid_price = excluded.bid_price, bid_per_room = excluded.bid_per_room, bid_rooms = excluded.bid_rooms,
        live_factors = excluded.live_factors, live_rooms = excluded.live_rooms, live_step = excluded.live_step,
        live_start = excluded.live_start, live_on = excluded.live_on, updated_at = excluded.updated_at;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'signals')::int then
      perform system.raise_fewer_v3(changed, counts, 'signals');
    end if;
  end if;

  if restrictions is not null then
    insert into rate_restrictions (tenant_id, property_id, rate_code, room_type, date, min_stay_arrival,
      max_stay_arrival, min_stay_through, max_stay_through, min_advance, max_advance, closed_to_arrival,
      closed_to_departure, stop_sell, rate_locked, updated_at)
    select r.* from json_to_recordset(restrictions) as r (t text, p varchar(50), "rateCode" varchar(50),
      "roomType" varchar(50), day date, "minStayArrival" int, "maxStayArrival" int, "minStayThrough" int,
      "maxStayThrough" int, "minAdvance" int, "maxAdvance" int, "closedToArrival" boolean,
      "closedToDeparture" boolean, "stopSell" boolean, "rateLocked" boolean, at timestamptz(3))
    on conflict (tenant_id, property_id, rate_code, room_type, date) do update
      set min_stay_arrival = excluded.min_stay_arrival, max_stay_arrival = excluded.max_stay_arrival,
        min_stay_through = excluded.min_stay_through, max_stay_through = excluded.max_stay_through,
        min_advance = excluded.min_advance, max_advance = excluded.max_advance,
        closed_to_arrival = excluded.closed_to_arrival, closed_to_departure = excluded.closed_to_departure,
        stop_sell = excluded.stop_sell, rate_locked = excluded.rate_locked, updated_at = excluded.updated_at;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'restrictions')::int then
      perform system.raise_fewer_v3(changed, counts, 'restrictions');
    end if;
  end if;

  if restrictions_removed is not null then
    delete from rate_restrictions as d
    using json_to_recordset(restrictions_removed) as r (t text, p varchar(50), "rateCode" varchar(50),
      "roomType" varchar(50), day date)
    where d.tenant_id = r.t
      and d.property_id = r.p
      and d.rate_code = r."rateCode"
      and d.room_type = r."roomType"
      and d.date = r.day;
    -- May be fewer: a night without restrictions has no row, and those of a removed plan went with it.
  end if;

  if promotions is not null then
    insert into promotions (tenant_id, property_id, id, promotion_name, description, promo_code, discount_type,
      discount_value, start_date, end_date, stay_start_date, stay_end_date, room_types, conditions, inventory_limit,
      max_per_day, used_inventory, status, paused, created_at, updated_at)
    select r.* from json_to_recordset(promotions) as r (t text, p varchar(50), id uuid, name varchar(100),
      description text, "promoCode" varchar(20), "discountType" varchar(20), "discountValue" numeric(10, 2),
      "startDate" date, "endDate" date, "stayStartDate" date, "stayEndDate" date, "roomTypes" jsonb, conditions jsonb,
      "inventoryLimit" int, "maxPerDay" int, used int, status varchar(20), paused boolean, "createdAt" timestamptz(3),
      at timestamptz(3))
    on conflict (tenant_id, id) do update
      set used_inventory = excluded.used_inventory, status = excluded.status, paused = excluded.paused,
        updated_at = excluded.updated_at;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'promotions')::int then
      perform system.raise_fewer_v3(changed, counts, 'promotions');
    end if;
  end if;

  if promotion_nights is not null then
    insert into promotion_nights (tenant_id, promotion_id, date, used)
    select r.* from json_to_recordset(promotion_nights) as r (t text, "promotionId" uuid, day date, used int)
    on conflict (tenant_id, promotion_id, date) do update
      set used = excluded.used;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'promotionNights')::int then
      perform system.raise_fewer_v3(changed, counts, 'promotionNights');
    end if;
  end if;

  if calendar_events_removed is not null then
    delete from calendar_events as d
    using json_to_recordset(calendar_events_removed) as r (t text, "eventId" uuid)
    where d.tenant_id = r.t
      and d.id = r."eventId";
    -- May be fewer: an event that was added and removed in one batch never was a row.
  end if;

  if calendar_events is not null then
    insert into calendar_events (tenant_id, property_id, id, name, first_night, last_night, effect, note, created_at,
      updated_at)
    select r.* from json_to_recordset(calendar_events) as r (t text, p varchar(50), "eventId" uuid, name varchar(100),
      "firstNight" date, "lastNight" date, effect event_effect, note varchar(500), "createdAt" timestamptz(3),
      "updatedAt" timestamptz(3))
    on conflict (tenant_id, id) do update
      set name = excluded.name, first_night = excluded.first_night, last_night = excluded.last_night,
        effect = excluded.effect, note = excluded.note, updated_at = excluded.updated_at;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'calendarEvents')::int then
      perform system.raise_fewer_v3(changed, counts, 'calendarEvents');
    end if;
  end if;

  if groups is not null then
    insert into reservation_groups (tenant_id, property_id, id, name, cutoff_date, released, agreed, shoulder_nights,
      contact, deleted_at, created_at, updated_at)
    select r.* from json_to_recordset(groups) as r (t text, p varchar(50), "groupId" uuid, name varchar(100),
      cutoff date, released boolean, agreed jsonb, "shoulderNights" jsonb, contact jsonb, "deletedAt" timestamptz(3),
      "createdAt" timestamptz(3), at timestamptz(3))
    on conflict (tenant_id, id) do update
      set name = excluded.name, cutoff_date = excluded.cutoff_date, released = excluded.released,
        agreed = excluded.agreed, shoulder_nights = excluded.shoulder_nights, contact = excluded.contact,
        deleted_at = excluded.deleted_at, updated_at = excluded.updated_at;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'groups')::int then
      perform system.raise_fewer_v3(changed, counts, 'groups');
    end if;
  end if;

  if group_blocks_removed is not null then
    delete from group_blocks as d
    using json_to_recordset(group_blocks_removed) as r (t text, "groupId" uuid, "roomType" varchar(50), day date)
    where d.tenant_id = r.t
      and d.group_id = r."groupId"
      and d.room_type = r."roomType"
      and d.date = r.day;
    -- May be fewer: a night that was picked up and given back in one batch never was a row.
  end if;

  if group_blocks is not null then
    insert into group_blocks (tenant_id, group_id, room_type, date, rooms, rate, picked_up, is_shoulder)
    select r.* from json_to_recordset(group_blocks) as r (t text, "groupId" uuid, "roomType" varchar(50), day date,
      rooms int, rate numeric(10, 2), "pickedUp" int, "isShoulder" boolean)
    on conflict (tenant_id, group_id, date, room_type) do update
      set rooms = excluded.rooms, rate = excluded.rate, picked_up = excluded.picked_up,
        is_shoulder = excluded.is_shoulder;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'groupBlocks')::int then
      perform system.raise_fewer_v3(changed, counts, 'groupBlocks');
    end if;
  end if;
  -- end of generated
end
$$;
