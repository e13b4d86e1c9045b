-- How far the demo has come (docs/concepts/demo.md#how-the-past-is-written): development only, and empty elsewhere.
create table demo_states (
  tenant_id text not null,
  property_id varchar(50) not null,
  seed int not null,
  -- When the property began to live: its past lies before, and is the same whenever it is played again.
  began_at timestamptz(3) not null,
  -- Parts of the past that are written, of how many; with all of them the past is complete.
  parts_done int not null default 0,
  parts int not null,
  -- The guests' clock: everything planned until then was booked.
  booked_until timestamptz(3) not null,
  -- OFF, REAL or FAST: the same for all properties of a tenant.
  pace varchar(10) not null,
  primary key (tenant_id, property_id)
);

select system.protect_tenant_table('demo_states');
grant select, insert, update, delete on demo_states to innkeeper_app;

-- Makes the months of the journal from a day on until the current one, all of them empty: a past that is written at once
-- would otherwise wait in the default partition, and move into them under a lock. Returns how many were missing.
create function system.make_journal_months_v1(first_day date) returns int
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '2s'
as $$
declare
  this_month timestamp := date_trunc('month', public.app_now() at time zone 'UTC');
  month timestamp := greatest(date_trunc('month', first_day::timestamp), this_month - interval '36 months');
  part text;
  made int := 0;
begin
  while month < this_month loop
    part := to_char(month, '"journal_"YYYY_MM');
    if to_regclass('public.' || part) is null then
      execute format(
        'create table public.%I (like public.journal including defaults including constraints)
         with (autovacuum_analyze_scale_factor = 0.5, autovacuum_vacuum_insert_scale_factor = 1)', part);
      execute format('alter table public.%I alter facts set statistics 0, alter hash set statistics 0', part);
      execute format(
        'alter table public.journal attach partition public.%I for values from (%L) to (%L)',
        part, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
      execute format('alter table public.%I enable row level security', part);
      execute format('alter table public.%I force row level security', part);
      made := made + 1;
    end if;
    month := month + interval '1 month';
  end loop;
  return made;
end
$$;
revoke execute on function system.make_journal_months_v1(date) from public;
grant execute on function system.make_journal_months_v1(date) to innkeeper_system;
