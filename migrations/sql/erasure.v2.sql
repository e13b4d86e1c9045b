-- As begin_erasure_v1, which builds before this one call. Keeps `names`, all names of the guest sealed under the keys of
-- the service, until end_erasure_v1: an erasure that is cut off goes on after the guest's own key is gone.
create or replace function public.begin_erasure_v2(tenant text, guest uuid, names text) returns jsonb
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  begun jsonb := public.begin_erasure_v1(tenant, guest);
begin
  if (begun ->> 'first')::boolean then
    update guests g set preferences = jsonb_build_object('erasing', names)
    where g.tenant_id = tenant and g.id = guest;
  end if;
  return begun;
end
$$;
grant execute on function public.begin_erasure_v2(text, uuid, text) to innkeeper_app;

-- To whom issued invoices were issued, {"name", "address"}: tax law wants it kept when the guest is erased. Written once.
create or replace function public.keep_invoice_names_v1(tenant text, named json) returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  update invoices v set billing = n.billing
  from json_to_recordset(named) as n (reservation_id uuid, billing jsonb)
  where v.tenant_id = tenant and v.reservation_id = n.reservation_id and v.billing is null;
end
$$;
grant execute on function public.keep_invoice_names_v1(text, json) to innkeeper_app;
