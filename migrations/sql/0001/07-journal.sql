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
-- The audit trail goes back in time over all properties of a tenant. Rows come in that order, so ranges of pages are
-- enough to know, which costs a booking next to nothing.
create index journal_at on journal using brin (tenant_id, at) with (autosummarize = on);

-- Takes what no month takes, such as a commit after the development clock was put years ahead.
create table journal_default partition of journal default;
-- Partitions have row security without a policy and no grants: rows are reached through `journal` or not at all.
alter table journal_default enable row level security;
alter table journal_default force row level security;

-- The grid of a property as it was after `seq` (docs/concepts/storage.md#history): the past is rebuilt from the newest
-- one at or before it and the rows behind. `hash` is that of the journal row: the audit chain goes on from it when the
-- rows before are dropped. Added by write_checkpoint_v1, never changed.
create table journal_checkpoints (
  tenant_id text not null,
  property_id varchar(50) not null,
  seq bigint not null,
  at timestamptz(3) not null,
  hash text not null,
  generation int not null,
  grid json not null,
  primary key (tenant_id, property_id, seq)
);
alter table journal_checkpoints alter grid set statistics 0, alter hash set statistics 0;

-- Makes the current and the coming months, by app_now(), and those of rows that the default partition has taken, such as
-- before the development clock was put further ahead; such rows move into them. Returns how many were missing. Commits
-- wait while that happens, 2 s at most for the lock.
create function system.ensure_journal_partitions(months_ahead int) returns int
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '2s'
as $$
declare
  this_month timestamp := date_trunc('month', public.app_now() at time zone 'UTC');
  months timestamp[] := array(
    select this_month + i * interval '1 month' from generate_series(0, least(greatest(months_ahead, 0), 120)) as i);
  month timestamp;
  first_day timestamptz;
  next_day timestamptz;
  part text;
  locked boolean := false;
  made int := 0;
begin
  if pg_relation_size('public.journal_default') > 0 then
    lock table public.journal_default in access exclusive mode;
    locked := true;
    alter table public.journal_default no force row level security;
    months := months || array(select distinct date_trunc('month', at at time zone 'UTC') from public.journal_default);
  end if;
  foreach month in array months loop
    first_day := month at time zone 'UTC';
    next_day := (month + interval '1 month') at time zone 'UTC';
    part := to_char(month, '"journal_"YYYY_MM');
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
  if locked then
    alter table public.journal_default force row level security;
  end if;
  return made;
end
$$;

-- Months that lie wholly more than 400 days back (docs/concepts/storage.md#retention), by app_now(), oldest first.
create function system.expired_journal_months() returns setof date
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select month from (
    select to_date(right(c.relname, 7), 'YYYY_MM') as month
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.journal'::regclass and c.relname ~ '^journal_\d{4}_\d{2}$') as months
  where (month + interval '1 month') at time zone 'UTC' <= public.app_now() - interval '400 days'
  order by month
$$;

-- Drops an expired month. Refuses (IK005) a month that has not expired, and one with a property whose newest row in it
-- has no checkpoint: the past after it could not be rebuilt, and its audit chain would hang in the air. Older
-- checkpoints go along, and rows of a clock that went backwards over the end of the month. Commits wait 250 ms at most.
create function system.drop_journal_month(month date) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '250ms'
as $$
declare
  part text := to_char(month, '"journal_"YYYY_MM');
  next_day timestamptz := (month + interval '1 month') at time zone 'UTC';
  newest text := format('(select tenant_id, property_id, max(seq) as seq from public.%I group by 1, 2) as newest', part);
  uncovered bigint;
begin
  if month not in (select expired from system.expired_journal_months() as expired) then
    raise exception 'the month % has not expired', month using errcode = 'IK005';
  end if;
  -- The owner is under row security like everybody; for this transaction and under lock it looks past it.
  execute format('alter table public.%I no force row level security', part);
  alter table public.journal_checkpoints no force row level security;
  execute format('select count(*) from %s where not exists (
      select from public.journal_checkpoints c
      where c.tenant_id = newest.tenant_id and c.property_id = newest.property_id and c.seq = newest.seq)', newest)
    into uncovered;
  if uncovered > 0 then
    raise exception '% properties have no checkpoint at the end of %', uncovered, part using errcode = 'IK005';
  end if;
  execute format('delete from public.journal_checkpoints c using %s
    where c.tenant_id = newest.tenant_id and c.property_id = newest.property_id and c.seq < newest.seq', newest);
  alter table public.journal no force row level security;
  execute format('delete from public.journal j using %s
    where j.tenant_id = newest.tenant_id and j.property_id = newest.property_id and j.seq < newest.seq
      and j.at >= %L and j.at < %L', newest, next_day, next_day + interval '1 day');
  execute format('drop table public.%I', part);
  alter table public.journal force row level security;
  alter table public.journal_checkpoints force row level security;
end
$$;
