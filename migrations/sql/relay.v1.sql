-- The relay's position in the journals of properties (docs/concepts/events.md#relay). Owned by innkeeper_writer, which
-- is under row security itself.

-- Moves positions, each only from where the caller found it: of two relays that tell the same rows one moves it, and a
-- statement that comes late moves nothing. Answers the numbers, in the lists, of those that moved.
create or replace function system.advance_relay_v1(tenants text[], properties text[], olds bigint[], news bigint[])
  returns int[]
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  moved int[];
begin
  perform set_config('innkeeper.batch_tenants', array_to_string(array(select distinct unnest(tenants)), ','), true);
  with asked as (
    select * from unnest(tenants, properties, olds, news) with ordinality as m (tenant_id, property_id, old, new, n)
    where m.new > m.old
    order by m.tenant_id, m.property_id),
  written as (
    insert into relay_cursor as c (tenant_id, property_id, seq)
    select a.tenant_id, a.property_id, a.new from asked a
    on conflict (tenant_id, property_id) do update set seq = excluded.seq, updated_at = app_now()
      where c.seq = (select b.old from asked b where b.tenant_id = c.tenant_id and b.property_id = c.property_id)
    returning c.tenant_id, c.property_id)
  select coalesce(array_agg(a.n::int), '{}') into moved from asked a join written w using (tenant_id, property_id);
  return moved;
end
$$;
grant execute on function system.advance_relay_v1(text[], text[], bigint[], bigint[]) to innkeeper_system;
