-- After history was rewound, by a restore or by point-in-time recovery of a server, and before the first command: every
-- property goes on in a generation that nobody has seen. (generation, seq) of what was rewound never comes again, so
-- that clients who hold such a position get a snapshot, and events get ids of their own.

-- The tenants of one call, comma separated. Owned by innkeeper_writer, under row security; the next epoch as well, so
-- that an owner from before can commit nothing.
create or replace function system.rewind_tenants_v1(tenants text, above int)
  returns table (changed int, next int)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  update system.generation set current = greatest(current, above) + 1 returning current into next;
  changed := 0;
  if tenants <> '' then
    perform set_config('innkeeper.batch_tenants', tenants, true);
    insert into property_generations (tenant_id, property_id, generation, last_seq)
    select tenant_id, property_id, generation, seq from property_actor where seq > 0;
    update property_actor set generation = next, epoch = epoch + 1;
    get diagnostics changed = row_count;
    -- Channels have what was rewound: they are asked at once, or sent everything.
    update channels set audited_day = null;
    update subscription_cursors c set snapshot = true
    from subscriptions s where s.tenant_id = c.tenant_id and s.id = c.subscription_id and s.kind = 'CHANNEL';
  end if;
  return next;
end
$$;

-- What an operator calls, as innkeeper_system or as superuser, while no node runs. A server that was recovered to a
-- point in time counts such recoveries as timelines: a second one from the same backup leads on, not to the same number
-- again. `above` is the highest generation that is known from elsewhere.
create or replace function system.rewind_generations_v1(above int default 0)
  returns table (properties int, generation int)
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  node text := (select node_id from system.cluster_node where lease_until > clock_timestamp() limit 1);
  timeline int := ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int;
  changed int;
  highest int;
  tenants text;
begin
  if node is not null then
    raise exception 'node % runs on this database: stop all nodes, then run this again', node using errcode = 'IK005';
  end if;
  select count(*), coalesce(max(a.generation), 1), coalesce(string_agg(distinct a.tenant_id, ','), '')
    into properties, highest, tenants from property_actor a;
  select r.changed, r.next into changed, generation
    from system.rewind_tenants_v1(tenants, greatest(highest, above, timeline - 1)) r;
  if changed <> properties then
    raise exception '% of % properties have a new generation', changed, properties using errcode = 'IK004';
  end if;
  return next;
end
$$;

grant execute on function system.rewind_tenants_v1(text, int), system.rewind_generations_v1(int) to innkeeper_system;

-- What a node has seen committed, as [{"t": tenant, "p": property, "g": generation, "seq": n, "head": hash}], beside what
-- this server has: a standby that was promoted without the last commits, or a recovery under running nodes, has rewound
-- history. Such a property goes on in a generation that nobody has seen, under the next epoch. A property that this server
-- has never had begins in it. So does one that has an earlier generation than was seen: a second fail-over has lost the
-- first rewind, and the counter of generations with it, so the new one is above all that were seen, and above the
-- timelines of this server as in rewind_generations_v1. Whoever calls proves by a hash what is missing.
create or replace function public.rewind_lost_v1(tenants text, seen json)
  returns table (t text, p text, stored bigint, generation int)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  set lock_timeout = '1s'
as $$
#variable_conflict use_column
declare
  one record;
  newer int;
  above int := greatest(
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int - 1,
    (select max((s ->> 'g')::int) from json_array_elements(seen) s));
begin
  perform set_config('innkeeper.batch_tenants', tenants, true);
  for one in
    select s.*, a.seq as newest, a.generation as had
    from json_to_recordset(seen) as s (t text, p text, g int, seq bigint, head text)
    left join property_actor a on a.tenant_id = s.t and a.property_id = s.p
    -- Older rows may have been removed by retention and a sandbox by its user, which is no sign of anything.
    where a.seq is null and not system.is_sandbox(s.p) or a.generation < s.g or a.generation = s.g and (
      a.seq < s.seq or a.seq = s.seq and a.head_hash is distinct from s.head
      or exists (
        select from journal j where j.tenant_id = s.t and j.property_id = s.p and j.seq = s.seq and j.hash <> s.head))
    order by s.t, s.p
  loop
    if newer is null then
      update system.generation set current = greatest(current, above) + 1 returning current into newer;
    end if;
    update property_actor a set generation = newer, epoch = a.epoch + 1
    where a.tenant_id = one.t and a.property_id = one.p and a.generation = one.had
    returning a.seq into stored;
    if found then
      insert into property_generations (tenant_id, property_id, generation, last_seq)
      values (one.t, one.p, one.had, stored);
      -- As after a restore: channels have what was rewound.
      update channels c set audited_day = null where c.tenant_id = one.t and c.property_id = one.p;
      update subscription_cursors c set snapshot = true
      from subscriptions s
      where s.tenant_id = c.tenant_id and s.id = c.subscription_id and s.kind = 'CHANNEL'
        and c.tenant_id = one.t and c.property_id = one.p;
    elsif one.newest is not null then
      -- Another node has done it meanwhile.
      continue;
    end if;
    t := one.t;
    p := one.p;
    stored := coalesce(stored, 0);
    generation := newer;
    return next;
  end loop;
end
$$;
grant execute on function public.rewind_lost_v1(text, json) to innkeeper_app;
