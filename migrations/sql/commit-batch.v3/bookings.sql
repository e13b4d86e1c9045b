-- Guests, reservations with their history, payments, holds.
-- Frozen once it was in a release: a later change is a new version of the whole folder (CONTRIBUTING.md#add-a-column).
-- Parts between "generated" and "end of generated" are written by `npm run sql:generate`.

-- generated: function bookings
create or replace function system.write_bookings_v3(counts jsonb, guests json, new_reservations json,
  new_payments json, new_holds json, reservations json, history json, payments json, holds json, holds_removed json)
  returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  changed int;
-- end of generated
  created int;
  known int := 0;
  removed record;
begin
  if guests is not null then
    insert into guests
      (tenant_id, id, email, email_key, first_name, last_name, last_name_key, phone, preferences, language, created_at,
        updated_at)
    select r.t, r.id, r.email, r."emailKey", r."firstName", r."lastName", r."lastNameKey", r.phone, r.preferences, r.language,
      r.at, r.at
    from json_to_recordset(guests) as r
      (t text, id uuid, email varchar(254), "emailKey" varchar(254), "firstName" varchar(100), "lastName" varchar(100),
       "lastNameKey" varchar(100), phone varchar(30), preferences jsonb, language varchar(2), wrapped text, at timestamptz(3))
    where r.wrapped is not null
    order by r.t, r."emailKey", r."lastNameKey"
    on conflict (tenant_id, email_key, last_name_key) do nothing;
    get diagnostics created = row_count;
    if created < (counts ->> 'guests')::int then
      -- Those without a key are known: the lock keeps them from being erased until the booking is there to be seen.
      select count(*) into known from (
        select from json_to_recordset(guests) as r (t text, id uuid, wrapped text)
        join public.guests k on k.tenant_id = r.t and k.id = r.id and k.deleted_at is null
        where r.wrapped is null for key share of k) as alive;
    end if;
    if created + known <> (counts ->> 'guests')::int then
      raise exception 'a guest exists by another id, or was erased' using errcode = 'IK003';
    end if;
    insert into guest_keys (tenant_id, guest_id, wrapped, created_at)
    select r.t, r.id, r.wrapped, r.at
    from json_to_recordset(guests) as r (t text, id uuid, wrapped text, at timestamptz(3))
    where r.wrapped is not null;
    get diagnostics changed = row_count;
    if changed <> created then
      raise exception '% of % keys of guests were written', changed, created using errcode = 'IK004';
    end if;
  end if;

  -- What is new is only inserted: for what may be there each row would be looked up first and written in two steps.
  -- generated: list newReservations newPayments newHolds reservations history payments holds
  if new_reservations is not null then
    insert into reservations (tenant_id, property_id, id, confirmation_number, guest_id, status, check_in, check_out,
      day_use, nights, adults, children, child_ages, room_type, room_number, rate_code, total_amount, base_amount,
      taxes, fees, currency, source, paid_amount, balance_due, checked_in_at, assigned_room, assigned_at,
      cancellation_policy, hold_expires_at, quote_id, promo_code, group_id, booking_id, external_id, special_requests,
      room_wishes, sharer_id, sharer, details, version, created_at, updated_at, email_key, status_key)
    select r.* from json_to_recordset(new_reservations) as r (t text, p varchar(50), id uuid,
      "confirmationNumber" varchar(20), "guestId" uuid, status reservation_status, "checkIn" date, "checkOut" date,
      "dayUse" boolean, nights int, adults int, children int, "childAges" smallint[], "roomType" varchar(50),
      "roomNumber" varchar(10), "rateCode" varchar(50), "totalAmount" numeric(10, 2), "baseAmount" numeric(10, 2),
      taxes numeric(10, 2), fees numeric(10, 2), currency char(3), source varchar(50), "paidAmount" numeric(10, 2),
      "balanceDue" numeric(10, 2), "checkedInAt" timestamptz(3), "assignedRoom" varchar(10),
      "assignedAt" timestamptz(3), "cancellationPolicy" varchar(50), "holdExpiresAt" timestamptz(3), "quoteId" text,
      "promoCode" varchar(20), "groupId" uuid, "bookingId" uuid, "externalId" varchar(100), "specialRequests" jsonb,
      "roomWishes" jsonb, "sharerId" uuid, sharer jsonb, details json, version int, "createdAt" timestamptz(3),
      "updatedAt" timestamptz(3), "emailKey" varchar(254), "statusKey" smallint);
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'newReservations')::int then
      perform system.raise_fewer_v3(changed, counts, 'newReservations');
    end if;
  end if;

  if new_payments is not null then
    insert into payments (tenant_id, property_id, id, reservation_id, amount, currency, method, status,
      transaction_id, transaction_type, processed_at, created_at, charge_id, paid_out_by, paid_out_reference, details,
      gateway_name, gateway_response)
    select r.* from json_to_recordset(new_payments) as r (t text, p varchar(50), "paymentId" uuid,
      "reservationId" uuid, amount numeric(10, 2), currency char(3), method payment_method, status payment_status,
      "transactionId" varchar(100), type transaction_type, "processedAt" timestamptz(3), "createdAt" timestamptz(3),
      "chargeId" uuid, "paidOutBy" varchar(100), "paidOutReference" varchar(100), details jsonb,
      "gatewayName" varchar(100), "gatewayResponse" jsonb);
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'newPayments')::int then
      perform system.raise_fewer_v3(changed, counts, 'newPayments');
    end if;
  end if;

  if new_holds is not null then
    insert into holds (tenant_id, property_id, id, kind, room_type, check_in, check_out, rooms, expires_at,
      reservation_id, doc, created_at)
    select r.* from json_to_recordset(new_holds) as r (t text, p varchar(50), id uuid, kind hold_kind,
      "roomType" varchar(50), "checkIn" date, "checkOut" date, rooms int, "expiresAt" timestamptz(3),
      "reservationId" uuid, doc json, "createdAt" timestamptz(3));
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'newHolds')::int then
      perform system.raise_fewer_v3(changed, counts, 'newHolds');
    end if;
  end if;

  if reservations is not null then
    insert into reservations (tenant_id, property_id, id, confirmation_number, guest_id, status, check_in, check_out,
      day_use, nights, adults, children, child_ages, room_type, room_number, rate_code, total_amount, base_amount,
      taxes, fees, currency, source, paid_amount, balance_due, checked_in_at, assigned_room, assigned_at,
      cancellation_policy, hold_expires_at, quote_id, promo_code, group_id, booking_id, external_id, special_requests,
      room_wishes, sharer_id, sharer, details, version, created_at, updated_at, email_key, status_key)
    select r.* from json_to_recordset(reservations) as r (t text, p varchar(50), id uuid,
      "confirmationNumber" varchar(20), "guestId" uuid, status reservation_status, "checkIn" date, "checkOut" date,
      "dayUse" boolean, nights int, adults int, children int, "childAges" smallint[], "roomType" varchar(50),
      "roomNumber" varchar(10), "rateCode" varchar(50), "totalAmount" numeric(10, 2), "baseAmount" numeric(10, 2),
      taxes numeric(10, 2), fees numeric(10, 2), currency char(3), source varchar(50), "paidAmount" numeric(10, 2),
      "balanceDue" numeric(10, 2), "checkedInAt" timestamptz(3), "assignedRoom" varchar(10),
      "assignedAt" timestamptz(3), "cancellationPolicy" varchar(50), "holdExpiresAt" timestamptz(3), "quoteId" text,
      "promoCode" varchar(20), "groupId" uuid, "bookingId" uuid, "externalId" varchar(100), "specialRequests" jsonb,
      "roomWishes" jsonb, "sharerId" uuid, sharer jsonb, details json, version int, "createdAt" timestamptz(3),
      "updatedAt" timestamptz(3), "emailKey" varchar(254), "statusKey" smallint)
    on conflict (tenant_id, id) do update
      set status = excluded.status, check_in = excluded.check_in, check_out = excluded.check_out,
        day_use = excluded.day_use, nights = excluded.nights, adults = excluded.adults, children = excluded.children,
        child_ages = excluded.child_ages, room_type = excluded.room_type, room_number = excluded.room_number,
        rate_code = excluded.rate_code, total_amount = excluded.total_amount, base_amount = excluded.base_amount,
        taxes = excluded.taxes, fees = excluded.fees, paid_amount = excluded.paid_amount,
        balance_due = excluded.balance_due, checked_in_at = excluded.checked_in_at,
        assigned_room = excluded.assigned_room, assigned_at = excluded.assigned_at,
        cancellation_policy = excluded.cancellation_policy, hold_expires_at = excluded.hold_expires_at,
        special_requests = excluded.special_requests,
        room_wishes = coalesce(excluded.room_wishes, reservations.room_wishes), sharer_id = excluded.sharer_id,
        sharer = excluded.sharer, details = excluded.details, version = excluded.version,
        updated_at = excluded.updated_at, email_key = excluded.email_key, status_key = excluded.status_key;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'reservations')::int then
      perform system.raise_fewer_v3(changed, counts, 'reservations');
    end if;
  end if;

  if history is not null then
    insert into reservation_status_history (tenant_id, reservation_id, old_status, new_status, changed_at, changed_by,
      reason, notes)
    select r.* from json_to_recordset(history) as r (t text, "reservationId" uuid, "from" reservation_status,
      "to" reservation_status, at timestamptz(3), by varchar(100), reason text, notes text);
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'history')::int then
      perform system.raise_fewer_v3(changed, counts, 'history');
    end if;
  end if;

  if payments is not null then
    insert into payments (tenant_id, property_id, id, reservation_id, amount, currency, method, status,
      transaction_id, transaction_type, processed_at, created_at, charge_id, paid_out_by, paid_out_reference, details,
      gateway_name, gateway_response)
    select r.* from json_to_recordset(payments) as r (t text, p varchar(50), "paymentId" uuid, "reservationId" uuid,
      amount numeric(10, 2), currency char(3), method payment_method, status payment_status,
      "transactionId" varchar(100), type transaction_type, "processedAt" timestamptz(3), "createdAt" timestamptz(3),
      "chargeId" uuid, "paidOutBy" varchar(100), "paidOutReference" varchar(100), details jsonb,
      "gatewayName" varchar(100), "gatewayResponse" jsonb)
    on conflict (tenant_id, id) do update
      set amount = excluded.amount, method = excluded.method, status = excluded.status,
        transaction_id = excluded.transaction_id, processed_at = excluded.processed_at,
        paid_out_by = excluded.paid_out_by, paid_out_reference = excluded.paid_out_reference,
        details = coalesce(excluded.details, payments.details),
        gateway_name = coalesce(excluded.gateway_name, payments.gateway_name),
        gateway_response = coalesce(excluded.gateway_response, payments.gateway_response);
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'payments')::int then
      perform system.raise_fewer_v3(changed, counts, 'payments');
    end if;
  end if;

  if holds is not null then
    insert into holds (tenant_id, property_id, id, kind, room_type, check_in, check_out, rooms, expires_at,
      reservation_id, doc, created_at)
    select r.* from json_to_recordset(holds) as r (t text, p varchar(50), id uuid, kind hold_kind,
      "roomType" varchar(50), "checkIn" date, "checkOut" date, rooms int, "expiresAt" timestamptz(3),
      "reservationId" uuid, doc json, "createdAt" timestamptz(3))
    on conflict (tenant_id, property_id, id) do update
      set kind = excluded.kind, room_type = excluded.room_type, check_in = excluded.check_in,
        check_out = excluded.check_out, rooms = excluded.rooms, expires_at = excluded.expires_at, doc = excluded.doc;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'holds')::int then
      perform system.raise_fewer_v3(changed, counts, 'holds');
    end if;
  end if;
  -- end of generated

  -- One after the other, each by its key: the planner takes the table for small, whatever is in it, and a join would read
  -- all holds of the tenant, and all that were removed since the last vacuum. May be fewer: a hold that came and went in
  -- one batch never was a row.
  for removed in select * from json_to_recordset(holds_removed) as r (t text, p varchar(50), id uuid)
  loop
    delete from holds as d where d.tenant_id = removed.t and d.property_id = removed.p and d.id = removed.id;
  end loop;
end
$$;
