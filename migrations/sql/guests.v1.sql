-- Guest profiles of one tenant, many at once and in one round trip: this is on the path of every booking. Owned by
-- innkeeper_writer, which is under row security, with exactly this tenant.
create or replace function public.find_guests_v1(tenant text, wanted jsonb)
  returns table (n int, id uuid, wrapped text)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  return query
    select w.n, g.id, k.wrapped
    from jsonb_to_recordset(wanted) as w (n int, email_key text, last_name_key text)
    join guests g on g.tenant_id = tenant and g.email_key = w.email_key and g.last_name_key = w.last_name_key
      and g.deleted_at is null
    left join guest_keys k on k.tenant_id = g.tenant_id and k.guest_id = g.id;
end
$$;
grant execute on function public.find_guests_v1(text, jsonb) to innkeeper_app;
