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
