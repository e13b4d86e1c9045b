-- Cursors of subscriptions (docs/concepts/subscriptions.md#position). Owned by innkeeper_writer, which is under row
-- security itself.

-- Leases cursors to a node: those of active subscriptions whose time has come, that no other living node has, at
-- properties that no other living node owns. Answers their numbers in the lists, with what the node then sends from.
create or replace function system.claim_cursors_v1(node text, tenants text[], ids uuid[], properties text[])
  returns table (n int, epoch int, seq bigint, part int, snapshot boolean, attempts int)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  set lock_timeout = '1s'
as $$
#variable_conflict use_column
begin
  perform set_config('innkeeper.batch_tenants', array_to_string(array(select distinct unnest(tenants)), ','), true);
  return query
    with asked as (
      select w.* from unnest(tenants, ids, properties) with ordinality as w (tenant_id, id, property_id, n)
      join subscriptions s using (tenant_id, id)
      join property_actor a on a.tenant_id = w.tenant_id and a.property_id = w.property_id
      where s.status = 'ACTIVE' and (s.property_ids is null or w.property_id = any (s.property_ids))
        and (a.owner_node is null or a.owner_node = node or not system.node_lives_v1(a.owner_node))
      order by w.tenant_id, w.id, w.property_id),
    taken as (
      insert into subscription_cursors as c (tenant_id, subscription_id, property_id, leased_by)
      select tenant_id, id, property_id, node from asked
      on conflict (tenant_id, subscription_id, property_id) do update set
        leased_by = excluded.leased_by,
        epoch = c.epoch + case when c.leased_by is distinct from excluded.leased_by then 1 else 0 end
        where (c.leased_by is null or c.leased_by = excluded.leased_by or not system.node_lives_v1(c.leased_by))
          and (c.retry_at is null or c.retry_at <= app_now())
      returning c.*)
    select a.n::int, t.epoch, t.seq, t.part, t.snapshot, t.attempts
    from asked a
    join taken t on t.tenant_id = a.tenant_id and t.subscription_id = a.id and t.property_id = a.property_id;
end
$$;
grant execute on function system.claim_cursors_v1(text, text[], uuid[], text[]) to innkeeper_system;

-- Moves cursors after the effect, each only from where its node found it, and gives up their leases. Given as
-- [{"t": tenant, "id": subscription, "p": property, "epoch", "seq", "part": as found, "toSeq", "toPart",
--   "snapshot": whether it was sent, "failure": text or null, "pauseMs"}].
-- Answers the numbers in the list of those that moved, with the time in seconds since which each fails.
create or replace function system.move_cursors_v1(moves json)
  returns table (n int, failing_seconds float8)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  set lock_timeout = '1s'
as $$
#variable_conflict use_column
begin
  perform set_config('innkeeper.batch_tenants', (
    select string_agg(distinct m ->> 't', ',') from json_array_elements(moves) as m), true);
  return query
    with asked as (
      select (m.one ->> 't') as t, (m.one ->> 'id')::uuid as id, (m.one ->> 'p') as p,
        (m.one ->> 'epoch')::int as epoch, (m.one ->> 'seq')::bigint as seq, (m.one ->> 'part')::int as part,
        (m.one ->> 'toSeq')::bigint as to_seq, (m.one ->> 'toPart')::int as to_part,
        coalesce((m.one ->> 'snapshot')::boolean, false) as snapshot, m.one ->> 'failure' as failure,
        coalesce((m.one ->> 'pauseMs')::float8, 0) as pause_ms, m.n
      from json_array_elements(moves) with ordinality as m (one, n)),
    ordered as (
      select c.tenant_id, c.subscription_id, c.property_id, a.*
      from subscription_cursors c
      join asked a on a.t = c.tenant_id and a.id = c.subscription_id and a.p = c.property_id
      where c.epoch = a.epoch and c.seq = a.seq and c.part = a.part
      order by c.tenant_id, c.subscription_id, c.property_id
      for update of c),
    moved as (
      update subscription_cursors c set
        seq = o.to_seq, part = o.to_part, snapshot = c.snapshot and not o.snapshot, leased_by = null,
        attempts = case
          when o.failure is null then 0
          when (o.to_seq, o.to_part) <> (o.seq, o.part) or o.snapshot then 1
          else c.attempts + 1 end,
        failing_since = case
          when o.failure is null then null
          when (o.to_seq, o.to_part) <> (o.seq, o.part) or o.snapshot then app_now()
          else coalesce(c.failing_since, app_now()) end,
        retry_at = case when o.pause_ms > 0 then app_now() + o.pause_ms * interval '1 millisecond' end,
        failure = o.failure, moved_at = app_now()
      from ordered o
      where c.tenant_id = o.tenant_id and c.subscription_id = o.subscription_id and c.property_id = o.property_id
      returning o.n, c.failing_since)
    -- The column is rounded to milliseconds, and may be ahead of now.
    select m.n::int,
      case when m.failing_since <= app_now() then extract(epoch from app_now() - m.failing_since)::float8
        when m.failing_since is not null then 0 end
    from moved m;
end
$$;
grant execute on function system.move_cursors_v1(json) to innkeeper_system;
