-- Rates that somebody else than the commit function changed: a data fix, a restore
-- (docs/concepts/actor.md#rate-freshness). Each such change raises the version of exactly the properties it touched, in
-- its own transaction, so that whoever sees the version sees the rows. Actors hold it against the version they have
-- loaded.

-- A table of its own and not a column of property_actor: that row is the fence, and a data fix that stays open would
-- keep every booking of the house, and the lane behind it, waiting. A property that nobody touched has no row here.
create table rate_version (
  tenant_id text not null,
  property_id varchar(50) not null,
  version bigint not null default 0,
  primary key (tenant_id, property_id)
);
select system.protect_tenant_table('rate_version');
grant select on rate_version to innkeeper_app;
grant select, insert, update on rate_version to innkeeper_writer;

-- Once a statement, whatever its rows: those before it and those after it, for a row may move between properties. Runs
-- as the owner, who sees no row of any table; the rows of the statement itself are no table.
create function system.rates_changed() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  touched json;
begin
  if tg_op = 'INSERT' then
    select json_agg(x) into touched from (select distinct tenant_id as t, property_id as p from after_rows) as x;
  elsif tg_op = 'DELETE' then
    select json_agg(x) into touched from (select distinct tenant_id as t, property_id as p from before_rows) as x;
  else
    select json_agg(x) into touched from (
      select tenant_id as t, property_id as p from before_rows
      union
      select tenant_id, property_id from after_rows
    ) as x;
  end if;
  if touched is not null then
    perform system.raise_rate_versions_v1(touched);
  end if;
  return null;
end
$$;

create function system.refuse_truncate() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'rows of % are deleted, not truncated: property actors would not learn of it', tg_table_name
    using errcode = 'feature_not_supported';
end
$$;

-- A migration that adds a table of rates calls this for it. The commit function is innkeeper_writer: what it writes is
-- no foreign change and costs it nothing but the question who it is. Always: a fix that switches triggers off for its
-- session (session_replication_role) is noticed all the same.
create function system.watch_rate_table(target regclass) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  event text;
  seen text;
begin
  foreach event in array array['insert', 'update', 'delete'] loop
    seen := case event when 'insert' then 'new table as after_rows' when 'delete' then 'old table as before_rows'
      else 'old table as before_rows new table as after_rows' end;
    execute format(
      'create trigger foreign_%s after %s on %s referencing %s for each statement
         when (current_user <> ''innkeeper_writer'') execute function system.rates_changed()',
      event, event, target, seen);
    execute format('alter table %s enable always trigger foreign_%s', target, event);
  end loop;
  execute format(
    'create trigger no_truncate before truncate on %s for each statement execute function system.refuse_truncate()',
    target);
  execute format('alter table %s enable always trigger no_truncate', target);
end
$$;

select system.watch_rate_table(name::regclass) from unnest(array['base_rates', 'rates']) as t (name);
