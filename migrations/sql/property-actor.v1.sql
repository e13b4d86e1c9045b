-- Taking a property (architecture.md 3, fence). Owned by innkeeper_writer, which is under row security itself.

-- The next epoch of a property, for this node: whatever an earlier owner still has under way can commit no more.
create or replace function public.take_property_v1(tenant text, property text, node text)
  returns table (epoch bigint, seq bigint, generation int, head text)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  return query
    insert into property_actor as a (tenant_id, property_id, epoch, generation, owner_node, taken_at)
    values (tenant, property, 1, (select g.current from system.generation g), node, app_now())
    on conflict (tenant_id, property_id) do update
      set epoch = a.epoch + 1, owner_node = excluded.owner_node, taken_at = excluded.taken_at
    returning a.epoch, a.seq, a.generation, a.head_hash;
end
$$;
grant execute on function public.take_property_v1(text, text, text) to innkeeper_app;
