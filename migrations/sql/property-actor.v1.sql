-- Taking and releasing properties (docs/concepts/cluster.md#ownership). Owned by innkeeper_writer, which is under row
-- security itself. A lease table that somebody has locked is waited for a second, not for ever.

-- Whether a node may own properties: its lease has not run out, on this clock. Volatile, so that it looks anew each time
-- and not as of the statement around it, which may have waited for a row meanwhile.
create or replace function system.node_lives_v1(node text) returns boolean
  language plpgsql volatile
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  return exists (
    select 1 from system.cluster_node n where n.node_id = node and n.lease_until > clock_timestamp());
end
$$;

-- The next epoch of a property, for this node: whatever an earlier owner still has under way can commit no more. A
-- property whose owner lives is left as it is, and `held_by` says whose it is; all else is null then.
create or replace function public.take_property_v1(tenant text, property text, node text)
  returns table (epoch bigint, seq bigint, generation int, head text, held_by text)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  set lock_timeout = '1s'
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  loop
    return query
      insert into property_actor as a (tenant_id, property_id, epoch, generation, owner_node, taken_at)
      values (tenant, property, 1, (select g.current from system.generation g), node, app_now())
      on conflict (tenant_id, property_id) do update
        set epoch = a.epoch + 1, owner_node = excluded.owner_node, taken_at = excluded.taken_at
        where a.owner_node is null or a.owner_node = node or not system.node_lives_v1(a.owner_node)
      returning a.epoch, a.seq, a.generation, a.head_hash, null::text;
    exit when found;
    select a.owner_node into held_by from property_actor a where a.tenant_id = tenant and a.property_id = property;
    -- Whoever had it may have gone since: then it is free after all.
    if held_by <> node and system.node_lives_v1(held_by) then
      return next;
      exit;
    end if;
  end loop;
end
$$;
grant execute on function public.take_property_v1(text, text, text) to innkeeper_app;

-- Gives up many properties, given as [{"t": tenant, "p": property, "epoch": n}]: only those that this node still owns
-- under the epoch it knows. The next owner need not wait for the lease to run out.
create or replace function public.release_properties_v1(tenants text, node text, released json) returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  set lock_timeout = '1s'
as $$
declare
  one record;
begin
  perform set_config('innkeeper.batch_tenants', tenants, true);
  -- One row after the other in the order of the keys, as commits have it: two calls never wait crosswise.
  for one in
    select * from json_to_recordset(released) as r (t text, p text, epoch bigint) order by r.t, r.p
  loop
    update property_actor a set owner_node = null
    where a.tenant_id = one.t and a.property_id = one.p and a.epoch = one.epoch and a.owner_node = node;
  end loop;
end
$$;
grant execute on function public.release_properties_v1(text, text, json) to innkeeper_app;
