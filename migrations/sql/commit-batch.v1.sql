-- The only way to write what property actors own (docs/concepts/commit-and-fence.md#commit-lanes): one call takes the
-- sealed batches of many properties, all or nothing. Values are absolute after-images. Owned by innkeeper_writer, under
-- row security, with the tenants of exactly this call. Each table has a list of rows, null for none, and `counts` says
-- how many; json and not jsonb, because every row is read once and never searched (a quarter less work for a booking).
--
-- Answers {} when written, {"known": [...]} when a key was there before (nothing written). Raises IK001 when another
-- owner has a property or a statement of ours came twice (detail: which), IK003 when a guest exists by another id or was
-- erased, IK004 when fewer rows changed than were given.

create or replace function system.raise_unless_all(changed int, counts jsonb, what text) returns void
  language plpgsql
as $$
begin
  if changed <> (counts ->> what)::int then
    raise exception '% of % rows of % were written', changed, counts ->> what, what using errcode = 'IK004';
  end if;
end
$$;

create or replace function system.write_keys_v1(claims json, ends json, releases json) returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  -- A claim meets no row: living ones were answered before, and those past their day removed. Another call that claimed
  -- the same key in this moment has just committed: then the insert fails, and the caller, told that the key is not
  -- unique, asks again and finds it known (I4).
  if claims is not null then
    insert into idempotency
      (tenant_id, subject, key, fingerprint, state, property_id, ref, answer, created_at, expires_at)
    select k.t, k.subject, k.key, k.fingerprint,
      (case when k.answer is null then 'IN_PROGRESS' else 'DONE' end)::key_state,
      k.p, k.ref, k.answer, k.at, k.at + interval '24 hours'
    from json_to_recordset(claims) as k
      (t text, p text, subject text, key text, fingerprint text, ref text, answer json, at timestamptz)
    order by k.t, k.subject, k.key;
  end if;

  -- The answer that ends a claim; its row may be gone when it is older than a day.
  if ends is not null then
    insert into idempotency as i
      (tenant_id, subject, key, fingerprint, state, property_id, ref, answer, created_at, expires_at)
    select k.t, k.subject, k.key, k.fingerprint, (case when k.answer is null then 'IN_PROGRESS' else 'DONE' end)::key_state,
      k.p, k.ref, k.answer, k.at, k.at + interval '24 hours'
    from json_to_recordset(ends) as k
      (t text, p text, subject text, key text, fingerprint text, ref text, answer json, at timestamptz)
    order by k.t, k.subject, k.key
    on conflict (tenant_id, subject, key) do update
      set state = excluded.state, answer = excluded.answer, fingerprint = excluded.fingerprint, ref = excluded.ref,
        property_id = excluded.property_id
      where i.state = 'IN_PROGRESS' and i.ref = excluded.ref;
  end if;

  if releases is not null then
    delete from idempotency i
    using json_to_recordset(releases) as k (t text, subject text, key text, ref text)
    where i.tenant_id = k.t and i.subject = k.subject and i.key = k.key
      and i.state = 'IN_PROGRESS' and i.ref = k.ref;
  end if;
end
$$;

create or replace function system.write_inventory_v1(counts jsonb, cells json, books json, base_rates json) returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  changed int;
begin
  if write_inventory_v1.cells is not null then
    insert into availability.room_availability as c
      (tenant_id, property_id, room_type, date, total_rooms, available_rooms, booked_rooms, held_rooms, blocked_rooms,
       group_blocked, out_of_order, external_blocked, overbooking_limit, shortfall, told_at, told_seq, status, updated_at)
    select r.t, r.p, r.type, r.day, r.total, r.free, r.booked, r.held, r.grp + r.ooo + r.ext, r.grp, r.ooo, r.ext,
      r.over, r.short, r.told, r.told_seq,
      (case when r.free = 0 then 'SOLD_OUT' when r.free * 10 <= r.total then 'LIMITED' else 'OPEN' end)::availability_status,
      r.at
    from json_to_recordset(write_inventory_v1.cells) as r
      (t text, p text, type text, day date, total int, free int, booked int, held int, grp int, ooo int, ext int,
       over int, short int, told bigint, told_seq bigint, at timestamptz)
    on conflict (tenant_id, property_id, room_type, date) do update
      set total_rooms = excluded.total_rooms, available_rooms = excluded.available_rooms,
        booked_rooms = excluded.booked_rooms, held_rooms = excluded.held_rooms, blocked_rooms = excluded.blocked_rooms,
        group_blocked = excluded.group_blocked, out_of_order = excluded.out_of_order,
        external_blocked = excluded.external_blocked, overbooking_limit = excluded.overbooking_limit,
        shortfall = excluded.shortfall, told_at = excluded.told_at, told_seq = excluded.told_seq, status = excluded.status, updated_at = excluded.updated_at;
    get diagnostics changed = row_count;
    perform system.raise_unless_all(changed, counts, 'cells');
  end if;

  if write_inventory_v1.books is not null then
    insert into night_books as b (tenant_id, property_id, date, revenue, moved_on, pickup, cancelled)
    select r.t, r.p, r.day, r.revenue, r."on", r.pickup, r.cancelled
    from json_to_recordset(write_inventory_v1.books) as r
      (t text, p text, day date, "on" date, revenue bigint, pickup int, cancelled int)
    on conflict (tenant_id, property_id, date) do update
      set revenue = excluded.revenue, moved_on = excluded.moved_on, pickup = excluded.pickup,
        cancelled = excluded.cancelled;
    get diagnostics changed = row_count;
    perform system.raise_unless_all(changed, counts, 'books');
  end if;

  if write_inventory_v1.base_rates is not null then
    insert into base_rates as b
      (tenant_id, property_id, room_type, rate_date, rate, currency, day_of_week, weekend, seasonal_multiplier,
       seasonal_amount, created_at, updated_at)
    select r.t, r.p, r.type, r.day, r.rate, r.currency, extract(dow from r.day), extract(dow from r.day) in (5, 6),
      r.multiplier, r.amount, r.at, r.at
    from json_to_recordset(write_inventory_v1.base_rates) as r
      (t text, p text, type text, day date, rate numeric, currency text, multiplier numeric, amount numeric,
       at timestamptz)
    on conflict (tenant_id, property_id, room_type, rate_date) do update
      set rate = excluded.rate, currency = excluded.currency, seasonal_multiplier = excluded.seasonal_multiplier,
        seasonal_amount = excluded.seasonal_amount, updated_at = excluded.updated_at;
    get diagnostics changed = row_count;
    perform system.raise_unless_all(changed, counts, 'baseRates');
  end if;
end
$$;

create or replace function system.write_bookings_v1(
    counts jsonb, guests json, new_reservations json, reservations json, new_payments json, payments json, history json,
    new_holds json, holds json, holds_removed json
  ) returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  changed int;
  known int := 0;
begin
  if write_bookings_v1.guests is not null then
    insert into guests
      (tenant_id, id, email, email_key, first_name, last_name, last_name_key, phone, preferences, created_at, updated_at)
    select g.t, g.id, g.email, g.email_key, g.first_name, g.last_name, g.last_name_key, g.phone, g.preferences, g.at, g.at
    from json_to_recordset(write_bookings_v1.guests) as g
      (t text, id uuid, email text, email_key text, first_name text, last_name text, last_name_key text, phone text,
       preferences jsonb, wrapped text, at timestamptz)
    where g.wrapped is not null
    order by g.t, g.email_key, g.last_name_key
    on conflict (tenant_id, email_key, last_name_key) do nothing;
    get diagnostics changed = row_count;
    if changed < (counts ->> 'guests')::int then
      -- Those without a key are known: the lock keeps them from being erased until the booking is there to be seen.
      select count(*) into known from (
        select from json_to_recordset(write_bookings_v1.guests) as g (t text, id uuid, wrapped text)
        join guests k on k.tenant_id = g.t and k.id = g.id and k.deleted_at is null
        where g.wrapped is null for key share of k) as alive;
    end if;
    if changed + known <> (counts ->> 'guests')::int then
      raise exception 'a guest exists by another id, or was erased' using errcode = 'IK003';
    end if;
    insert into guest_keys (tenant_id, guest_id, wrapped, created_at)
    select g.t, g.id, g.wrapped, g.at
    from json_to_recordset(write_bookings_v1.guests) as g (t text, id uuid, wrapped text, at timestamptz)
    where g.wrapped is not null;
  end if;

  -- What is new is only inserted: for what may be there each row would be looked up first and written in two steps.
  if new_reservations is not null then
    insert into reservations select n.* from json_populate_recordset(null::public.reservations, new_reservations) as n;
  end if;
  if new_payments is not null then
    insert into payments select n.* from json_populate_recordset(null::public.payments, new_payments) as n;
  end if;
  if new_holds is not null then
    insert into holds select n.* from json_populate_recordset(null::public.holds, new_holds) as n;
  end if;

  if write_bookings_v1.reservations is not null then
    insert into reservations
    select n.* from json_populate_recordset(null::public.reservations, write_bookings_v1.reservations) as n
    on conflict (tenant_id, id) do update
      set status = excluded.status, check_in = excluded.check_in, check_out = excluded.check_out,
        nights = excluded.nights, adults = excluded.adults, children = excluded.children,
        room_type = excluded.room_type, room_number = excluded.room_number, rate_code = excluded.rate_code,
        total_amount = excluded.total_amount, base_amount = excluded.base_amount, taxes = excluded.taxes,
        fees = excluded.fees, paid_amount = excluded.paid_amount, balance_due = excluded.balance_due,
        checked_in_at = excluded.checked_in_at, assigned_room = excluded.assigned_room,
        assigned_at = excluded.assigned_at, hold_expires_at = excluded.hold_expires_at,
        email_key = excluded.email_key, status_key = excluded.status_key, special_requests = excluded.special_requests, details = excluded.details, version = excluded.version,
        updated_at = excluded.updated_at;
    get diagnostics changed = row_count;
    perform system.raise_unless_all(changed, counts, 'reservations');
  end if;

  if write_bookings_v1.history is not null then
    insert into reservation_status_history
      (tenant_id, reservation_id, old_status, new_status, changed_at, changed_by, reason)
    select h.t, h.id, h.old::reservation_status, h.new::reservation_status, h.at, h.by, h.reason
    from json_to_recordset(write_bookings_v1.history) as h
      (t text, id uuid, old text, new text, at timestamptz, by text, reason text);
  end if;

  if write_bookings_v1.payments is not null then
    insert into payments select n.* from json_populate_recordset(null::public.payments, write_bookings_v1.payments) as n
    on conflict (tenant_id, id) do update
      set status = excluded.status, method = excluded.method, amount = excluded.amount,
        transaction_id = excluded.transaction_id, processed_at = excluded.processed_at,
        paid_out_by = excluded.paid_out_by, paid_out_reference = excluded.paid_out_reference;
    get diagnostics changed = row_count;
    perform system.raise_unless_all(changed, counts, 'payments');
  end if;

  if write_bookings_v1.holds is not null then
    insert into holds select n.* from json_populate_recordset(null::public.holds, write_bookings_v1.holds) as n
    on conflict (tenant_id, property_id, id) do update
      set kind = excluded.kind, room_type = excluded.room_type, check_in = excluded.check_in,
        check_out = excluded.check_out, rooms = excluded.rooms, expires_at = excluded.expires_at, doc = excluded.doc;
  end if;

  if write_bookings_v1.holds_removed is not null then
    delete from holds h
    using json_to_recordset(write_bookings_v1.holds_removed) as g (t text, p text, id uuid)
    where h.tenant_id = g.t and h.property_id = g.p and h.id = g.id;
  end if;
end
$$;

create or replace function system.write_setup_v1(batch jsonb) returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  if batch -> 'properties' is not null then
    insert into properties as o
      (tenant_id, property_id, name, property_code, brand, property_type, metadata, address, contact, created_at,
       updated_at, deleted_at)
    select n.t, n.p, n.name, n.code, n.brand, n.type, n.metadata, n.address, n.contact, n.created, n.at, null
    from jsonb_to_recordset(batch -> 'properties') as n
      (t text, p text, name text, code text, brand text, type text, metadata jsonb, address jsonb, contact jsonb,
       created timestamptz, at timestamptz)
    on conflict (tenant_id, property_id) do update
      set name = excluded.name, property_code = excluded.property_code, brand = excluded.brand,
        property_type = excluded.property_type, metadata = excluded.metadata, address = excluded.address,
        contact = excluded.contact, updated_at = excluded.updated_at, deleted_at = null;
  end if;

  if batch -> 'propertiesDeleted' is not null then
    update properties o set deleted_at = n.at, updated_at = n.at
    from jsonb_to_recordset(batch -> 'propertiesDeleted') as n (t text, p text, at timestamptz)
    where o.tenant_id = n.t and o.property_id = n.p;
  end if;

  if batch -> 'roomTypes' is not null then
    insert into room_types
      (tenant_id, property_id, room_type, name, max_adults, max_children, max_guests, total_rooms, amenities,
       rolling_rates, created_at, updated_at)
    select n.t, n.p, n.type, n.name, n.adults, n.children, n.guests, n.total, n.amenities, n.rolling, n.at, n.at
    from jsonb_to_recordset(batch -> 'roomTypes') as n
      (t text, p text, type text, name text, adults int, children int, guests int, total int, amenities jsonb,
       rolling jsonb, at timestamptz)
    on conflict (tenant_id, property_id, room_type) do update
      set name = excluded.name, max_adults = excluded.max_adults, max_children = excluded.max_children,
        max_guests = excluded.max_guests, total_rooms = excluded.total_rooms, amenities = excluded.amenities,
        rolling_rates = excluded.rolling_rates, updated_at = excluded.updated_at, deleted_at = null;
  end if;

  if batch -> 'roomTypesRemoved' is not null then
    update room_types o set deleted_at = n.at
    from jsonb_to_recordset(batch -> 'roomTypesRemoved') as n (t text, p text, id text, at timestamptz)
    where o.tenant_id = n.t and o.property_id = n.p and o.room_type = n.id;
    -- What has not happened yet goes with its type: a new type of the same name begins empty.
    delete from availability.room_availability c
    using jsonb_to_recordset(batch -> 'roomTypesRemoved') as n (t text, p text, id text), property_actor a
    where c.tenant_id = n.t and c.property_id = n.p and c.room_type = n.id
      and a.tenant_id = n.t and a.property_id = n.p and c.date >= a.business_date;
    delete from base_rates b
    using jsonb_to_recordset(batch -> 'roomTypesRemoved') as n (t text, p text, id text), property_actor a
    where b.tenant_id = n.t and b.property_id = n.p and b.room_type = n.id
      and a.tenant_id = n.t and a.property_id = n.p and b.rate_date >= a.business_date;
    delete from rate_signals s
    using jsonb_to_recordset(batch -> 'roomTypesRemoved') as n (t text, p text, id text)
    where s.tenant_id = n.t and s.property_id = n.p and s.room_type = n.id;
    delete from rate_restrictions r
    using jsonb_to_recordset(batch -> 'roomTypesRemoved') as n (t text, p text, id text), property_actor a
    where r.tenant_id = n.t and r.property_id = n.p and r.room_type = n.id
      and a.tenant_id = n.t and a.property_id = n.p and r.date >= a.business_date;
  end if;

  if batch -> 'rooms' is not null then
    insert into rooms
      (tenant_id, property_id, room_number, room_type, floor, status, features, notes, reservation_id, updated_at)
    select n.t, n.p, n.number, n.type, n.floor, n.status::room_status, n.features, n.notes, n.guest, n.at
    from jsonb_to_recordset(batch -> 'rooms') as n
      (t text, p text, number text, type text, floor int, status text, features jsonb, notes text, guest uuid,
       at timestamptz)
    on conflict (tenant_id, property_id, room_number) do update
      set room_type = excluded.room_type, floor = excluded.floor, status = excluded.status,
        features = excluded.features, notes = excluded.notes, reservation_id = excluded.reservation_id,
        updated_at = excluded.updated_at, deleted_at = null;
  end if;

  if batch -> 'roomsRemoved' is not null then
    update rooms o set deleted_at = n.at
    from jsonb_to_recordset(batch -> 'roomsRemoved') as n (t text, p text, id text, at timestamptz)
    where o.tenant_id = n.t and o.property_id = n.p and o.room_number = n.id;
  end if;

  if batch -> 'plans' is not null then
    insert into rates
      (tenant_id, id, property_id, code, name, strategy, status, base_rate, currency, valid_from, valid_to, rules,
       cancellation_policy, created_at, updated_at)
    select n.t, n.id, n.p, n.code, n.name, n.strategy::rate_strategy, n.status::rate_status, n.base, n.currency,
      n.valid_from, n.valid_to, n.rules, n.policy, n.at, n.at
    from jsonb_to_recordset(batch -> 'plans') as n
      (t text, id uuid, p text, code text, name text, strategy text, status text, base numeric, currency text,
       valid_from date, valid_to date, rules jsonb, policy text, at timestamptz)
    on conflict (tenant_id, id) do update
      set name = excluded.name, strategy = excluded.strategy, status = excluded.status, base_rate = excluded.base_rate,
        valid_from = excluded.valid_from, valid_to = excluded.valid_to, rules = excluded.rules,
        cancellation_policy = excluded.cancellation_policy, updated_at = excluded.updated_at, deleted_at = null;
  end if;

  if batch -> 'plansRemoved' is not null then
    update rates o set deleted_at = n.at
    from jsonb_to_recordset(batch -> 'plansRemoved') as n (t text, p text, id uuid, at timestamptz)
    where o.tenant_id = n.t and o.property_id = n.p and o.id = n.id;
    delete from rate_restrictions r
    using jsonb_to_recordset(batch -> 'plansRemoved') as n (t text, p text, code text)
    where r.tenant_id = n.t and r.property_id = n.p and r.rate_code = n.code;
  end if;
end
$$;

-- What limits sale and what is promised of it: restrictions, promotions, groups with their blocks.
create or replace function system.write_sales_v1(batch jsonb) returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  if batch -> 'rateChanges' is not null then
    insert into rate_changes (tenant_id, id, property_id, seq, at)
    select n.t, n.id, n.p, n.seq, n.at
    from jsonb_to_recordset(batch -> 'rateChanges') as n (t text, id uuid, p text, seq bigint, at timestamptz);
  end if;

  if batch -> 'signals' is not null then
    insert into rate_signals (tenant_id, property_id, room_type, date, demand_percent, market_rate, updated_at)
    select n.t, n.p, n.type, n.day, n.demand, n.market, n.at
    from jsonb_to_recordset(batch -> 'signals') as n
      (t text, p text, type text, day date, demand int, market numeric, at timestamptz)
    on conflict (tenant_id, property_id, room_type, date) do update
      set demand_percent = excluded.demand_percent, market_rate = excluded.market_rate,
        updated_at = excluded.updated_at;
  end if;

  if batch -> 'restrictions' is not null then
    insert into rate_restrictions
      (tenant_id, property_id, rate_code, room_type, date, min_stay_arrival, max_stay_arrival, min_stay_through,
       max_stay_through, min_advance, max_advance, closed_to_arrival, closed_to_departure, stop_sell, rate_locked,
       updated_at)
    select n.t, n.p, n.code, n.type, n.day, n."minStayArrival", n."maxStayArrival", n."minStayThrough",
      n."maxStayThrough", n."minAdvance", n."maxAdvance", coalesce(n."closedToArrival", false),
      coalesce(n."closedToDeparture", false), coalesce(n."stopSell", false), coalesce(n."rateLocked", false), n.at
    from jsonb_to_recordset(batch -> 'restrictions') as n
      (t text, p text, code text, type text, day date, "minStayArrival" int, "maxStayArrival" int, "minStayThrough" int,
       "maxStayThrough" int, "minAdvance" int, "maxAdvance" int, "closedToArrival" boolean,
       "closedToDeparture" boolean, "stopSell" boolean, "rateLocked" boolean, at timestamptz)
    on conflict (tenant_id, property_id, rate_code, room_type, date) do update
      set min_stay_arrival = excluded.min_stay_arrival, max_stay_arrival = excluded.max_stay_arrival,
        min_stay_through = excluded.min_stay_through, max_stay_through = excluded.max_stay_through,
        min_advance = excluded.min_advance, max_advance = excluded.max_advance,
        closed_to_arrival = excluded.closed_to_arrival, closed_to_departure = excluded.closed_to_departure,
        stop_sell = excluded.stop_sell, rate_locked = excluded.rate_locked, updated_at = excluded.updated_at;
  end if;

  if batch -> 'restrictionsRemoved' is not null then
    delete from rate_restrictions r
    using jsonb_to_recordset(batch -> 'restrictionsRemoved') as n (t text, p text, code text, type text, day date)
    where r.tenant_id = n.t and r.property_id = n.p and r.rate_code = n.code and r.room_type = n.type and r.date = n.day;
  end if;

  if batch -> 'promotions' is not null then
    insert into promotions
      (tenant_id, id, property_id, promotion_name, description, promo_code, discount_type, discount_value, start_date,
       end_date, stay_start_date, stay_end_date, room_types, conditions, inventory_limit, max_per_day, used_inventory,
       status, paused, created_at, updated_at)
    select n.t, n.id, n.p, n.name, n.description, n.code, n.discount, n.value, n.start, n."end", n."stayStart",
      n."stayEnd", n."roomTypes", n.conditions, n."limit", n."perDay", n.used, n.status, n.paused, n.created, n.at
    from jsonb_to_recordset(batch -> 'promotions') as n
      (t text, id uuid, p text, name text, description text, code text, discount text, value numeric, start date,
       "end" date, "stayStart" date, "stayEnd" date, "roomTypes" jsonb, conditions jsonb, "limit" int, "perDay" int,
       used int, status text, paused boolean, created timestamptz, at timestamptz)
    on conflict (tenant_id, id) do update
      set used_inventory = excluded.used_inventory, status = excluded.status, paused = excluded.paused,
        updated_at = excluded.updated_at;
  end if;

  if batch -> 'promotionNights' is not null then
    insert into promotion_nights (tenant_id, promotion_id, date, used)
    select n.t, n.id, n.day, n.used
    from jsonb_to_recordset(batch -> 'promotionNights') as n (t text, id uuid, day date, used int)
    on conflict (tenant_id, promotion_id, date) do update set used = excluded.used;
  end if;

  if batch -> 'groups' is not null then
    insert into reservation_groups (tenant_id, id, property_id, name, cutoff_date, released, created_at, updated_at)
    select n.t, n.id, n.p, n.name, n.cutoff, n.released, n.created, n.at
    from jsonb_to_recordset(batch -> 'groups') as n
      (t text, id uuid, p text, name text, cutoff date, released boolean, created timestamptz, at timestamptz)
    on conflict (tenant_id, id) do update set released = excluded.released, updated_at = excluded.updated_at;
  end if;

  if batch -> 'groupBlocks' is not null then
    insert into group_blocks (tenant_id, group_id, room_type, date, rooms, rate, picked_up)
    select n.t, n.id, n.type, n.day, n.rooms, n.rate, n.picked
    from jsonb_to_recordset(batch -> 'groupBlocks') as n
      (t text, id uuid, type text, day date, rooms int, rate numeric, picked int)
    on conflict (tenant_id, group_id, date, room_type) do update set picked_up = excluded.picked_up;
  end if;
end
$$;

-- Which stay has which room. What is gone goes first: a stay may leave a room that another gets.
create or replace function system.write_room_stays_v1(batch jsonb) returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  if batch -> 'roomStaysGone' is not null then
    delete from room_assignments r
    using jsonb_to_recordset(batch -> 'roomStaysGone') as n (t text, id uuid)
    where r.tenant_id = n.t and r.reservation_id = n.id;
  end if;

  if batch -> 'roomStays' is not null then
    insert into room_assignments
      (tenant_id, reservation_id, property_id, room_number, room_type, check_in, check_out, in_house, fixed)
    select n.t, n.id, n.p, n.number, n.type, n."from", n."to", n."inHouse", n.fixed
    from jsonb_to_recordset(batch -> 'roomStays') as n
      (t text, id uuid, p text, number text, type text, "from" date, "to" date, "inHouse" boolean, fixed boolean)
    on conflict (tenant_id, reservation_id) do update
      set room_number = excluded.room_number, room_type = excluded.room_type, check_in = excluded.check_in,
        check_out = excluded.check_out, in_house = excluded.in_house, fixed = excluded.fixed;
    -- Now that all have moved, and not at the end of the transaction: the batch that is wrong must be told from others.
    set constraints public.room_assignments_one_guest immediate;
  end if;
end
$$;

-- What follows from the states of rooms, and from guests who have left.
create or replace function system.write_housekeeping_v1(batch jsonb) returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  if batch -> 'roomsToClean' is not null then
    insert into housekeeping_tasks (tenant_id, property_id, room_number, notes, created_at, updated_at)
    select n.t, n.p, n.number, n.notes, n.at, n.at
    from jsonb_to_recordset(batch -> 'roomsToClean') as n (t text, p text, number text, notes text, at timestamptz)
    on conflict (tenant_id, property_id, room_number) where status = 'PENDING' do nothing;
  end if;

  if batch -> 'roomsCleaned' is not null then
    update housekeeping_tasks h set status = 'COMPLETED', completed_at = n.at, updated_at = n.at
    from jsonb_to_recordset(batch -> 'roomsCleaned') as n (t text, p text, number text, at timestamptz)
    where h.tenant_id = n.t and h.property_id = n.p and h.room_number = n.number and h.status = 'PENDING';
  end if;

  if batch -> 'invoices' is not null then
    -- Money that goes back later changes what is paid, and what is credited or waived then changes lines and total.
    with written as (
      insert into invoices (tenant_id, id, property_id, reservation_id, invoice_number, currency, subtotal, taxes, fees,
        total_amount, paid_amount, issued_at, created_at, updated_at)
      select n.t, n.id, n.p, n.reservation, n.number, n.currency, n.subtotal, n.taxes, n.fees, n.total, n.paid,
        n.issued, n.at, n.at
      from jsonb_to_recordset(batch -> 'invoices') as n
        (t text, id uuid, p text, reservation uuid, number text, currency text, subtotal numeric, taxes numeric,
         fees numeric, total numeric, paid numeric, issued timestamptz, at timestamptz)
      on conflict (tenant_id, id) do update
        set subtotal = excluded.subtotal, taxes = excluded.taxes, fees = excluded.fees,
          total_amount = excluded.total_amount, paid_amount = excluded.paid_amount, updated_at = excluded.updated_at
      returning tenant_id, id
    ), gone as (
      delete from invoice_items i
      using jsonb_to_recordset(batch -> 'invoices') as n (t text, id uuid)
      where i.tenant_id = n.t and i.invoice_id = n.id
    )
    insert into invoice_items (tenant_id, invoice_id, item_date, description, unit_price, amount, taxes, created_at)
    select n.t, n.id, l.day, l.description, l.amount, l.amount, l.taxes, n.at
    from jsonb_to_recordset(batch -> 'invoices') as n (t text, id uuid, lines jsonb, at timestamptz)
    join written w on w.tenant_id = n.t and w.id = n.id,
      jsonb_to_recordset(n.lines) as l (day date, description text, amount numeric, taxes numeric);
  end if;
end
$$;

create or replace function public.commit_batch_v1(
    tenants text, counts jsonb, fences json, asked json, claims json, ends json, releases json, guests json,
    new_reservations json, reservations json, new_payments json, payments json, history json, new_holds json, holds json,
    holds_removed json, cells json, books json, base_rates json, setup jsonb, journal json
  ) returns jsonb
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  known jsonb;
  past boolean;
  fence record;
  lost jsonb := '[]';
begin
  perform set_config('innkeeper.batch_tenants', tenants, true);

  if asked is not null then
    select jsonb_agg(jsonb_build_object('t', i.tenant_id, 'p', k.p, 'subject', i.subject, 'key', i.key,
        'fingerprint', i.fingerprint, 'ref', i.ref, 'answer', i.answer::text)) filter (where i.expires_at > app_now()),
      bool_or(i.expires_at <= app_now())
    into known, past
    from json_to_recordset(asked) as k (t text, p text, subject text, key text)
    join idempotency i on i.tenant_id = k.t and i.subject = k.subject and i.key = k.key;
    if known is not null then
      return jsonb_build_object('known', known);
    end if;
    if past then
      delete from idempotency i
      using json_to_recordset(asked) as k (t text, subject text, key text)
      where i.tenant_id = k.t and i.subject = k.subject and i.key = k.key and i.expires_at <= app_now();
    end if;
  end if;

  -- The fence, before anything else is written: epoch says who owns, seq that nothing came in between, and the head of
  -- the chain that what came before is what this was decided on (a statement that comes twice may fit in number). One row
  -- after the other in the order of the keys: two calls never wait for each other crosswise, and each is found by its
  -- key, however many properties there are.
  for fence in
    select * from json_to_recordset(fences) as f
      (t text, p text, epoch bigint, old bigint, new bigint, before text, head text, at timestamptz, day date,
       rates bigint)
    order by f.t, f.p
  loop
    update property_actor a
    set seq = fence.new, head_hash = fence.head, committed_at = coalesce(fence.at, a.committed_at),
      business_date = coalesce(fence.day, a.business_date),
      rate_version = coalesce(fence.rates, a.rate_version)
    where a.tenant_id = fence.t and a.property_id = fence.p and a.epoch = fence.epoch and a.seq = fence.old
      and a.head_hash = fence.before;
    if not found then
      lost := lost || jsonb_build_object('t', fence.t, 'p', fence.p);
    end if;
  end loop;
  if lost <> '[]' then
    raise exception 'another owner, or a late statement' using errcode = 'IK001', detail = lost::text;
  end if;

  if claims is not null or ends is not null or releases is not null then
    perform system.write_keys_v1(claims, ends, releases);
  end if;
  if setup is not null then
    -- Each part only where it has rows: a booking under a promotion moves its units and sets nothing up.
    perform system.write_setup_v1(setup);
    perform system.write_sales_v1(setup);
    perform system.write_room_stays_v1(setup);
    perform system.write_housekeeping_v1(setup);
  end if;
  perform system.write_bookings_v1(
    counts, guests, new_reservations, reservations, new_payments, payments, history, new_holds, holds, holds_removed);
  perform system.write_inventory_v1(counts, cells, books, base_rates);

  insert into public.journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
  select j.t, j.p, j.seq, j.at, j.type, j.subject, j.request, j.entity, j.facts, j.hash
  from json_to_recordset(commit_batch_v1.journal) as j
    (t text, p text, seq bigint, at timestamptz, type text, subject text, request text, entity text, facts json,
     hash text);
  return '{}';
end
$$;
grant execute on function public.commit_batch_v1(
  text, jsonb, json, json, json, json, json, json, json, json, json, json, json, json, json, json, json, json, json, jsonb, json
) to innkeeper_app;
