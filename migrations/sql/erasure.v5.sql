-- Of a reservation whose property is gone, what was wished of its room. Properties that are there do this themselves
-- (src/guests/rules/erasure.ts).
create or replace function public.forget_room_wishes_v1(tenant text, reservations json) returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  update public.reservations r set room_wishes = null
  where r.tenant_id = tenant and r.room_wishes is not null
    and r.id in (select value::uuid from json_array_elements_text(forget_room_wishes_v1.reservations))
    and not exists (
      select from properties p where p.tenant_id = tenant and p.property_id = r.property_id and p.deleted_at is null);
end
$$;
grant execute on function public.forget_room_wishes_v1(text, json) to innkeeper_app;
