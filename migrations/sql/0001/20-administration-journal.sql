-- Who did what beside the properties' own journals: guests, extras, tenant, users. One row per write, in its transaction,
-- one chain per tenant: `hash` covers the row before. The key makes a fork of the chain impossible.

create table administration_journal (
  tenant_id text not null,
  seq bigint not null,
  at timestamptz(3) not null,
  subject varchar(100) not null,
  request_id varchar(100) not null,
  -- What kind of thing, which one, and what was done with it.
  entity varchar(50) not null,
  entity_id varchar(255) not null,
  action varchar(50) not null,
  -- Personal fields only as ciphertext under the guest's key; null where there was or is nothing.
  before json,
  after json,
  hash text not null,
  primary key (tenant_id, seq)
)
with (autovacuum_vacuum_insert_scale_factor = 1, autovacuum_analyze_scale_factor = 0.5);
alter table administration_journal alter before set statistics 0, alter after set statistics 0,
  alter hash set statistics 0;
create index administration_journal_at on administration_journal (tenant_id, at, seq);

select system.protect_tenant_table('administration_journal');
create policy across_tenants on administration_journal for select to innkeeper_system using (true);
-- Append-only: nobody but the retention, which is a function, ever changes or removes a row.
grant select, insert on administration_journal to innkeeper_app;
grant select on administration_journal to innkeeper_system;

-- Heads of chains as they were at an hour, signed under SECRET_KEYS: whoever cuts rows off the end of a journal, or writes
-- a chain anew, would have to have a key. One row per chain that has grown; each signature covers the one before.
create table audit_heads (
  tenant_id text not null,
  -- The property, or '' for administration.
  source varchar(50) not null,
  seq bigint not null,
  hash text not null,
  hour timestamptz(3) not null,
  signature text not null,
  primary key (tenant_id, source, seq)
)
with (autovacuum_vacuum_insert_scale_factor = 1, autovacuum_analyze_scale_factor = 0.5);
create index audit_heads_hour on audit_heads (tenant_id, hour);

select system.protect_tenant_table('audit_heads');
create policy across_tenants on audit_heads for select to innkeeper_system using (true);
grant select, insert on audit_heads to innkeeper_app;
grant select on audit_heads to innkeeper_system;

-- Removes what is older than the journal is kept, some of it; answers how many rows. The newest row of a chain that is
-- past its time stays: what comes behind it hangs on its hash.
create function system.forget_old_audit(most int) returns int
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '250ms'
as $$
declare
  past timestamptz := public.app_now() - interval '400 days';
  rows_gone int;
  heads_gone int;
begin
  -- The owner is under row security like everybody; for this transaction and under lock it looks past it.
  alter table public.administration_journal no force row level security;
  alter table public.audit_heads no force row level security;
  delete from public.administration_journal where ctid = any (array(
    select j.ctid from public.administration_journal j
    where j.at <= past and exists (
      select from public.administration_journal k
      where k.tenant_id = j.tenant_id and k.seq = j.seq + 1 and k.at <= past)
    limit most));
  get diagnostics rows_gone = row_count;
  delete from public.audit_heads where ctid = any (array(
    select h.ctid from public.audit_heads h
    where h.hour <= past and exists (
      select from public.audit_heads k
      where k.tenant_id = h.tenant_id and k.source = h.source and k.seq > h.seq and k.hour <= past)
    limit most));
  get diagnostics heads_gone = row_count;
  alter table public.administration_journal force row level security;
  alter table public.audit_heads force row level security;
  return rows_gone + heads_gone;
end
$$;
grant execute on function system.forget_old_audit(int) to innkeeper_system;
