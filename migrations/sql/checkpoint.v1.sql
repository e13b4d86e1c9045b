-- Checkpoints of the journal (docs/concepts/storage.md#history). Owned by innkeeper_writer, which is under row security
-- itself.

-- Keeps the grid of a property as it was after `seq`. Time and hash are those of the journal row, so what no commit has
-- written cannot be kept; a second one at the same place changes nothing. Answers whether one stands there now.
create or replace function public.write_checkpoint_v1(tenant text, property text, at_seq bigint, grid json)
  returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  insert into journal_checkpoints (tenant_id, property_id, seq, at, hash, generation, grid)
  select j.tenant_id, j.property_id, j.seq, j.at, j.hash, a.generation, write_checkpoint_v1.grid
  from journal j join property_actor a on a.tenant_id = j.tenant_id and a.property_id = j.property_id
  where j.tenant_id = tenant and j.property_id = property and j.seq = at_seq
  on conflict do nothing;
  return exists (
    select from journal_checkpoints c where c.tenant_id = tenant and c.property_id = property and c.seq = at_seq);
end
$$;
grant execute on function public.write_checkpoint_v1(text, text, bigint, json) to innkeeper_app;
