-- Of a reservation whose property is gone, what was typed about its chargebacks: that they were, and their amounts,
-- stay. Properties that are there do this themselves (src/guests/rules/erasure.ts).
create or replace function public.forget_chargeback_texts_v1(tenant text, reservations json) returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  update payments m set details = jsonb_set(m.details, '{chargeback}',
    jsonb_build_object('reason', '', 'by', 'guest') || case when m.details #> '{chargeback,closed}' is null then '{}'
      else jsonb_build_object('closed',
        (m.details #> '{chargeback,closed}') || jsonb_build_object('reason', '', 'by', 'guest')) end)
  where m.tenant_id = tenant and m.details -> 'chargeback' is not null
    and m.reservation_id in (select value::uuid from json_array_elements_text(reservations))
    and not exists (
      select from properties p where p.tenant_id = tenant and p.property_id = m.property_id and p.deleted_at is null);
end
$$;
grant execute on function public.forget_chargeback_texts_v1(text, json) to innkeeper_app;
