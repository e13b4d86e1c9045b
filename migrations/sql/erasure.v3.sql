-- Words of the lines of issued invoices and credit notes, in their order: those that named an erased guest name nobody
-- any more. Whatever is an amount, a day or a number stays as it was issued.
create or replace function public.reword_invoice_lines_v1(tenant text, documents json) returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  update invoice_documents d set lines = (
    select json_agg((l.line::jsonb || jsonb_build_object('description', w.words)) order by l.n)
    from json_array_elements(d.lines) with ordinality as l (line, n)
    join json_array_elements_text(r.descriptions) with ordinality as w (words, n) on w.n = l.n)
  from json_to_recordset(documents) as r (property_id text, number text, descriptions json)
  where d.tenant_id = tenant and d.property_id = r.property_id and d.number = r.number
    and json_array_length(r.descriptions) = json_array_length(d.lines);
end
$$;
grant execute on function public.reword_invoice_lines_v1(text, json) to innkeeper_app;
