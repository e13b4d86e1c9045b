-- Versions of rates that others changed (0001/15-rate-version.sql). Owned by innkeeper_writer, under row security, with
-- exactly the tenants asked for.

-- Raises the version of each property given as [{"t": tenant, "p": property}]; called by the triggers of rate tables. In
-- the order of the keys: two data fixes never wait for each other crosswise.
create or replace function system.raise_rate_versions_v1(touched json) returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform set_config('innkeeper.batch_tenants',
    (select string_agg(distinct k.t, ',') from json_to_recordset(touched) as k (t text)), true);
  insert into rate_version as v (tenant_id, property_id, version)
  select k.t, k.p, 1 from json_to_recordset(touched) as k (t text, p text) order by k.t, k.p
  on conflict (tenant_id, property_id) do update set version = v.version + 1;
end
$$;
grant execute on function system.raise_rate_versions_v1(json) to innkeeper_owner;

-- The versions of many properties at once, by the number of the question, and under whose epoch each property is.
create or replace function public.rate_versions_v1(tenants text, wanted json)
  returns table (n int, version bigint, epoch bigint)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenants, true);
  return query
    select w.n, coalesce(v.version, 0), a.epoch
    from json_to_recordset(wanted) as w (n int, t text, p text)
    join property_actor a on a.tenant_id = w.t and a.property_id = w.p
    left join rate_version v on v.tenant_id = w.t and v.property_id = w.p;
end
$$;
grant execute on function public.rate_versions_v1(text, json) to innkeeper_app;
