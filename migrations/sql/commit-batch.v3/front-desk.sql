-- Which stay has which room, and what follows from the states of rooms and from guests who have left.
-- Frozen once it was in a release: a later change is a new version of the whole folder (CONTRIBUTING.md#add-a-column).
-- Parts between "generated" and "end of generated" are written by `npm run sql:generate`.

-- generated: function front-desk
create or replace function system.write_front_desk_v3(counts jsonb, maintenances json, maintenances_removed json,
  waitlist json, inquiries json, extra_stays_removed json, extra_stays json, room_stays_removed json, room_stays json,
  housekeeping json, invoice_documents json)
  returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  changed int;
-- end of generated
begin
  -- generated: list maintenances
  if maintenances is not null then
    insert into maintenances (tenant_id, property_id, id, room_number, kind, first_night, last_night, reason,
      created_at, updated_at)
    select r.* from json_to_recordset(maintenances) as r (t text, p varchar(50), "maintenanceId" uuid,
      "roomNumber" varchar(10), kind maintenance_kind, "firstNight" date, "lastNight" date, reason varchar(500),
      "createdAt" timestamptz(3), "updatedAt" timestamptz(3))
    on conflict (tenant_id, id) do update
      set room_number = excluded.room_number, kind = excluded.kind, first_night = excluded.first_night,
        last_night = excluded.last_night, reason = excluded.reason, updated_at = excluded.updated_at;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'maintenances')::int then
      perform system.raise_fewer_v3(changed, counts, 'maintenances');
    end if;
  end if;
  -- end of generated

  if maintenances_removed is not null then
    update maintenances o set deleted_at = r.at, updated_at = r.at
    from json_to_recordset(maintenances_removed) as r (t text, "maintenanceId" uuid, at timestamptz(3))
    where o.tenant_id = r.t and o.id = r."maintenanceId";
  end if;

  -- generated: list waitlist inquiries extraStaysRemoved extraStays
  if waitlist is not null then
    insert into waitlist (tenant_id, property_id, id, number, status, room_type, check_in, check_out, details,
      created_at, updated_at)
    select r.* from json_to_recordset(waitlist) as r (t text, p varchar(50), "waitlistId" uuid, number int,
      status waitlist_status, "roomType" varchar(50), "checkIn" date, "checkOut" date, details json,
      "createdAt" timestamptz(3), "updatedAt" timestamptz(3))
    on conflict (tenant_id, id) do update
      set status = excluded.status, details = excluded.details, updated_at = excluded.updated_at;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'waitlist')::int then
      perform system.raise_fewer_v3(changed, counts, 'waitlist');
    end if;
  end if;

  if inquiries is not null then
    insert into inquiries (tenant_id, property_id, id, status, room_type, check_in, check_out, total_amount,
      expires_at, details, created_at, updated_at)
    select r.* from json_to_recordset(inquiries) as r (t text, p varchar(50), "inquiryId" uuid, status inquiry_status,
      "roomType" varchar(50), "checkIn" date, "checkOut" date, total numeric(10, 2), "expiresAt" timestamptz(3),
      details json, "createdAt" timestamptz(3), "updatedAt" timestamptz(3))
    on conflict (tenant_id, id) do update
      set status = excluded.status, details = excluded.details, updated_at = excluded.updated_at;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'inquiries')::int then
      perform system.raise_fewer_v3(changed, counts, 'inquiries');
    end if;
  end if;

  if extra_stays_removed is not null then
    delete from extra_stays as d
    using json_to_recordset(extra_stays_removed) as r (t text, "postingId" uuid)
    where d.tenant_id = r.t
      and d.posting_id = r."postingId";
    -- May be fewer: pieces that were taken and given back in one batch never had a row.
  end if;

  if extra_stays is not null then
    insert into extra_stays (tenant_id, property_id, posting_id, reservation_id, code, quantity, first_night,
      last_night)
    select r.* from json_to_recordset(extra_stays) as r (t text, p varchar(50), "postingId" uuid,
      "reservationId" uuid, code varchar(50), quantity int, "firstNight" date, "lastNight" date)
    on conflict (tenant_id, posting_id) do update
      set first_night = excluded.first_night, last_night = excluded.last_night;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'extraStays')::int then
      perform system.raise_fewer_v3(changed, counts, 'extraStays');
    end if;
  end if;
  -- end of generated

  -- What is gone goes first: a stay may leave a room that another gets.
  -- generated: list roomStaysRemoved roomStays
  if room_stays_removed is not null then
    delete from room_assignments as d
    using json_to_recordset(room_stays_removed) as r (t text, "reservationId" uuid)
    where d.tenant_id = r.t
      and d.reservation_id = r."reservationId";
    -- May be fewer: a stay that got a room and lost it in one batch never had a row.
  end if;

  if room_stays is not null then
    insert into room_assignments (tenant_id, property_id, reservation_id, room_number, room_type, check_in, check_out,
      in_house, fixed)
    select r.* from json_to_recordset(room_stays) as r (t text, p varchar(50), "reservationId" uuid,
      "roomNumber" varchar(10), "roomType" varchar(50), "checkIn" date, "checkOut" date, "inHouse" boolean,
      fixed boolean)
    on conflict (tenant_id, reservation_id) do update
      set room_number = excluded.room_number, room_type = excluded.room_type, check_in = excluded.check_in,
        check_out = excluded.check_out, in_house = excluded.in_house, fixed = excluded.fixed;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'roomStays')::int then
      perform system.raise_fewer_v3(changed, counts, 'roomStays');
    end if;
  end if;
  -- end of generated
  if room_stays is not null then
    -- Now that all have moved, and not at the end of the transaction: the batch that is wrong must be told from others.
    set constraints public.room_assignments_one_guest immediate;
  end if;

  -- generated: list housekeeping
  if housekeeping is not null then
    insert into housekeeping_tasks (tenant_id, property_id, id, room_number, task_type, status, assigned_to, notes,
      created_at, started_at, completed_at, completed_on, inspected_at, minutes, is_open, updated_at)
    select r.* from json_to_recordset(housekeeping) as r (t text, p varchar(50), "taskId" uuid,
      "roomNumber" varchar(10), "taskType" varchar(30), status varchar(20), attendant varchar(100), notes text,
      "createdAt" timestamptz(3), "startedAt" timestamptz(3), "completedAt" timestamptz(3), "completedOn" date,
      "inspectedAt" timestamptz(3), minutes int, "isOpen" boolean, at timestamptz(3))
    order by r."isOpen", r.t, r."taskId"
    on conflict (tenant_id, id) do update
      set status = excluded.status, assigned_to = excluded.assigned_to, notes = excluded.notes,
        started_at = excluded.started_at, completed_at = excluded.completed_at, completed_on = excluded.completed_on,
        inspected_at = excluded.inspected_at, minutes = excluded.minutes, is_open = excluded.is_open,
        updated_at = excluded.updated_at;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'housekeeping')::int then
      perform system.raise_fewer_v3(changed, counts, 'housekeeping');
    end if;
  end if;
  -- end of generated

  -- generated: list invoiceDocuments
  if invoice_documents is not null then
    insert into invoice_documents (tenant_id, property_id, number, kind, year, serial, reservation_id,
      confirmation_number, corrects, issued_at, issued_by, issued_to, currency, subtotal, taxes, fees, total, lines)
    select r.* from json_to_recordset(invoice_documents) as r (t text, p varchar(50), number varchar(50),
      kind varchar(20), year int, serial int, "reservationId" uuid, "confirmationNumber" varchar(20),
      corrects varchar(50), "issuedAt" timestamptz(3), "issuedBy" json, "issuedTo" json, currency char(3),
      subtotal numeric(12, 2), taxes numeric(12, 2), fees numeric(12, 2), total numeric(12, 2), lines json);
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'invoiceDocuments')::int then
      perform system.raise_fewer_v3(changed, counts, 'invoiceDocuments');
    end if;
  end if;
  -- end of generated
end
$$;
