-- As begin_erasure_v2, which builds before this one call: stays that the guest shares keep the guest from being erased,
-- too. The lock is the same one, so a booking with this guest is seen, or comes too late.
create or replace function public.begin_erasure_v3(tenant text, guest uuid, names text) returns jsonb
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  stays jsonb;
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  perform from guests g where g.tenant_id = tenant and g.id = guest for update;
  select jsonb_agg(x.id) into stays from (
    select r.id from reservations r
    where r.tenant_id = tenant and r.sharer_id = guest and r.status in ('PENDING', 'CONFIRMED', 'CHECKED_IN')
    union
    select h.reservation_id from holds h
    where h.tenant_id = tenant and h.doc #>> '{booking,reservation,sharer,guestId}' = guest::text
    union
    select r.id from reservations r join properties o
      on o.tenant_id = r.tenant_id and o.property_id = r.property_id and o.deleted_at is null
    where r.tenant_id = tenant and r.sharer_id = guest and exists (
      select from payments m where m.tenant_id = tenant and m.reservation_id = r.id
        and (m.status = 'PROCESSING' or (m.status = 'PENDING' and m.transaction_type = 'REFUND')))
    limit 100) as x;
  if stays is not null then
    return jsonb_build_object('stays', stays);
  end if;
  return public.begin_erasure_v2(tenant, guest, names);
end
$$;
grant execute on function public.begin_erasure_v3(text, uuid, text) to innkeeper_app;

-- Of reservations whose property is gone, name and contact of the sharer. Properties that are there do this themselves
-- (src/guests/rules/erasure.ts).
create or replace function public.forget_sharer_v1(tenant text, guest uuid, reservations json) returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  update public.reservations r set sharer = jsonb_build_object('firstName', '', 'lastName', '', 'email', '')
  where r.tenant_id = tenant and r.sharer_id = guest
    and r.id in (select value::uuid from json_array_elements_text(forget_sharer_v1.reservations))
    and not exists (
      select from properties p where p.tenant_id = tenant and p.property_id = r.property_id and p.deleted_at is null);
end
$$;
grant execute on function public.forget_sharer_v1(text, uuid, json) to innkeeper_app;
