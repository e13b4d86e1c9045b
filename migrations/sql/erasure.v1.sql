-- A guest who is to be forgotten (docs/concepts/guests-and-erasure.md#erasure). Reservations change by their property's
-- own commits; this is the rest. Owned by innkeeper_writer, under row security, with exactly this tenant.

-- Empties a profile and destroys its key, unless a stay is not over, a booking is being paid or money is open (of houses
-- that are there: nobody could settle that of others). From the lock on a booking
-- with this profile is refused (IK003 of the commit function), so what is seen here is all there is. Answers {"stays": [...]}
-- when nothing was done, {"at": when, "first": true} else, null without such a guest; again, it changes nothing.
create or replace function public.begin_erasure_v1(tenant text, guest uuid) returns jsonb
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  begun timestamptz;
  stays jsonb;
  newly boolean;
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  select coalesce(g.deleted_at, app_now()) into begun from guests g
  where g.tenant_id = tenant and g.id = guest for update;
  if not found then
    return null;
  end if;
  select jsonb_agg(x.id) into stays from (
    select r.id from reservations r
    where r.tenant_id = tenant and r.guest_id = guest and r.status in ('PENDING', 'CONFIRMED', 'CHECKED_IN')
    union
    select h.reservation_id from holds h
    where h.tenant_id = tenant and h.doc #>> '{booking,reservation,guest,guestId}' = guest::text
    union
    -- Money between the two: a payment without an end, a refund that has not reached him.
    select r.id from reservations r join properties o
      on o.tenant_id = r.tenant_id and o.property_id = r.property_id and o.deleted_at is null
    where r.tenant_id = tenant and r.guest_id = guest and exists (
      select from payments m where m.tenant_id = tenant and m.reservation_id = r.id
        and (m.status = 'PROCESSING' or (m.status = 'PENDING' and m.transaction_type = 'REFUND')))
    limit 100) as x;
  if stays is not null then
    return jsonb_build_object('stays', stays);
  end if;
  update guests g
  set email = null, email_key = null, first_name = null, last_name = null, last_name_key = null, phone = null,
    language = null, preferences = null, updated_at = begun, deleted_at = begun
  where g.tenant_id = tenant and g.id = guest and g.deleted_at is null;
  newly := found;
  update guest_keys k set wrapped = null, destroyed_at = begun
  where k.tenant_id = tenant and k.guest_id = guest and k.destroyed_at is null;
  return jsonb_build_object('at', (extract(epoch from begun) * 1000)::bigint, 'first', newly);
end
$$;
grant execute on function public.begin_erasure_v1(text, uuid) to innkeeper_app;

-- Writes what no property has in memory: kept answers, status histories, texts of invoices. Reservations only of properties that were
-- deleted, and so have no owner who could.
create or replace function public.rewrite_kept_v1(tenant text, answers json, history json, items json, orphans json)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  update idempotency i set answer = a.answer
  from json_to_recordset(answers) as a (subject text, key text, answer json)
  where i.tenant_id = tenant and i.subject = a.subject and i.key = a.key;
  update reservation_status_history h set changed_by = n.changed_by, reason = n.reason, notes = null
  from json_to_recordset(history) as n (reservation_id uuid, id bigint, changed_by text, reason text)
  where h.tenant_id = tenant and h.reservation_id = n.reservation_id and h.id = n.id;
  update invoice_items l set description = n.description
  from json_to_recordset(items) as n (id uuid, description text)
  where l.tenant_id = tenant and l.id = n.id;
  update reservations r
  set special_requests = n.special_requests, details = n.details, email_key = n.email_key, version = n.version,
    updated_at = n.updated_at
  from json_populate_recordset(null::public.reservations, orphans) as n
  where r.tenant_id = tenant and r.id = n.id and r.version = n.version - 1
    and not exists (
      select from properties p where p.tenant_id = tenant and p.property_id = r.property_id and p.deleted_at is null);
  -- Nobody of such a house is left to ask whether a reference names the guest.
  update payments m set paid_out_by = null, paid_out_reference = null
  from json_populate_recordset(null::public.reservations, orphans) as n
  where m.tenant_id = tenant and m.reservation_id = n.id and m.paid_out_by is not null
    and not exists (
      select from properties p where p.tenant_id = tenant and p.property_id = m.property_id and p.deleted_at is null);
end
$$;
grant execute on function public.rewrite_kept_v1(text, json, json, json, json) to innkeeper_app;

-- Nothing is left to do.
create or replace function public.end_erasure_v1(tenant text, guest uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  update stay_surveys s set comment = null
  from reservations r
  where r.tenant_id = tenant and r.guest_id = guest and s.tenant_id = tenant and s.reservation_id = r.id;
  update guests g set erased_at = app_now(), preferences = null
  where g.tenant_id = tenant and g.id = guest and g.deleted_at is not null and g.erased_at is null;
end
$$;
grant execute on function public.end_erasure_v1(text, uuid) to innkeeper_app;
