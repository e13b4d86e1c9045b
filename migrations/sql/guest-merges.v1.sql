-- Ids of a guest: of the surviving profile first, then of those that were merged into it; of an unknown one itself. Under
-- row security of the caller.
create or replace function public.guest_ids_v1(tenant text, guest uuid) returns uuid[]
  language sql stable
  set search_path = pg_catalog, public, pg_temp
as $$
  select coalesce(
    (select array[root.id] || array(
        select m.id from guests m where m.tenant_id = tenant and m.merged_into = root.id order by m.merged_at, m.id)
      from (
        select case when g.merged_into is null then g.id else g.merged_into end as id
        from guests g where g.tenant_id = tenant and g.id = guest) as root),
    array[guest])
$$;
grant execute on function public.guest_ids_v1(text, uuid) to innkeeper_app;

-- Locks profiles and all that were merged with them until the end of the transaction, in the order of their ids, so that
-- two merges, or a merge and an erasure, see each other. The lock of the tenant keeps the groups as they are; the rows
-- are locked against bookings and changes of profiles. Answers with the surviving id of each.
create or replace function public.lock_guests_v1(tenant text, wanted uuid[]) returns uuid[]
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  roots uuid[];
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  perform pg_advisory_xact_lock(6779764, hashtext(tenant));
  select array_agg((public.guest_ids_v1(tenant, w.id))[1] order by w.n) into roots
  from unnest(wanted) with ordinality as w (id, n);
  perform from guests g where g.tenant_id = tenant and (g.id = any (roots) or g.merged_into = any (roots))
  order by g.id for update;
  return roots;
end
$$;
grant execute on function public.lock_guests_v1(text, uuid[]) to innkeeper_app;

-- Merges a profile, and what was merged into it, into another. Both are locked and alive (lock_guests_v1). `taken` are
-- members that the surviving one takes from it.
create or replace function public.merge_guests_v1(tenant text, survivor uuid, merged uuid, taken jsonb) returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  update guests g set merged_into = survivor, merged_at = coalesce(g.merged_at, app_now())
  where g.tenant_id = tenant and (g.id = merged or g.merged_into = merged);
  update guests g
  set phone = coalesce(taken ->> 'phone', g.phone), preferences = coalesce(taken -> 'preferences', g.preferences),
    language = coalesce(taken ->> 'language', g.language), consent = coalesce(taken -> 'consent', g.consent), version = g.version + 1, updated_at = app_now()
  where g.tenant_id = tenant and g.id = survivor;
end
$$;
grant execute on function public.merge_guests_v1(text, uuid, uuid, jsonb) to innkeeper_app;
