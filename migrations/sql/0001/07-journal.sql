-- One row per accepted command, never changed; partitioned by month so that old months are dropped whole.

create table journal (
  tenant_id text not null,
  property_id varchar(50) not null,
  seq bigint not null,
  at timestamptz(3) not null,
  type varchar(40) not null,
  subject varchar(100) not null,
  request_id varchar(100) not null,
  entity varchar(100) not null,
  -- json: as it was written, a third smaller than jsonb, and nothing to sort on the way in.
  facts json not null,
  hash text not null,
  primary key (tenant_id, property_id, seq, at)
) partition by range (at);

alter table journal alter facts set statistics 0, alter hash set statistics 0;

-- Takes what no month takes, such as a commit after the development clock was put years ahead.
create table journal_default partition of journal default;
-- Partitions have row security without a policy and no grants: rows are reached through `journal` or not at all.
alter table journal_default enable row level security;
alter table journal_default force row level security;

-- Makes the current and the coming months, by app_now(); returns how many were missing. Rows that the default
-- partition holds for such a month move into it. Commits wait while that happens, 2 s at most for the lock.
create function system.ensure_journal_partitions(months_ahead int) returns int
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '2s'
as $$
declare
  this_month timestamp := date_trunc('month', public.app_now() at time zone 'UTC');
  first_day timestamptz;
  next_day timestamptz;
  part text;
  locked boolean := false;
  made int := 0;
begin
  for i in 0 .. least(greatest(months_ahead, 0), 120) loop
    first_day := (this_month + i * interval '1 month') at time zone 'UTC';
    next_day := (this_month + (i + 1) * interval '1 month') at time zone 'UTC';
    part := to_char(this_month + i * interval '1 month', '"journal_"YYYY_MM');
    continue when to_regclass('public.' || part) is not null;
    if not locked then
      -- Two callers at once: the second waits here, then finds the month made.
      lock table public.journal_default in access exclusive mode;
      locked := true;
      continue when to_regclass('public.' || part) is not null;
    end if;
    if made = 0 then
      alter table public.journal_default no force row level security;
    end if;
    made := made + 1;
    -- Rows are added and never changed: nothing to sweep, and little that statistics could tell.
    execute format(
      'create table public.%I (like public.journal including defaults including constraints)
       with (autovacuum_analyze_scale_factor = 0.5, autovacuum_vacuum_insert_scale_factor = 1)', part);
    execute format('alter table public.%I alter facts set statistics 0, alter hash set statistics 0', part);
    execute format(
      'with moved as (delete from public.journal_default where at >= %L and at < %L returning *)
       insert into public.%I select * from moved', first_day, next_day, part);
    execute format(
      'alter table public.journal attach partition public.%I for values from (%L) to (%L)',
      part, first_day, next_day);
    execute format('alter table public.%I enable row level security', part);
    execute format('alter table public.%I force row level security', part);
  end loop;
  if made > 0 then
    alter table public.journal_default force row level security;
  end if;
  return made;
end
$$;
