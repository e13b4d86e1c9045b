-- As begin_erasure_v3, which builds before this one call: consent goes with the profile.
create or replace function public.begin_erasure_v4(tenant text, guest uuid, names text) returns jsonb
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  begun jsonb := public.begin_erasure_v3(tenant, guest, names);
begin
  if (begun ->> 'first')::boolean then
    update guests g set consent = null where g.tenant_id = tenant and g.id = guest;
  end if;
  return begun;
end
$$;
grant execute on function public.begin_erasure_v4(text, uuid, text) to innkeeper_app;
