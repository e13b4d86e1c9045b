-- Files of other systems that become reservations (docs/reference/import.md#import).
create table imports (
  tenant_id text not null,
  id uuid not null,
  property_id varchar(50) not null,
  -- RUNNING, COMPLETED or FAILED.
  status varchar(10) not null default 'RUNNING',
  dry_run boolean not null,
  mapping json not null,
  -- SHA-256 of what was sent, so that the same body is the same import while it runs.
  body_hash varchar(64) not null,
  requested_by varchar(100) not null,
  -- Lines that were read when it began, and those with an outcome.
  lines int not null,
  done int not null default 0,
  -- Fence: another number whenever a node takes it; a write with an older one changes nothing.
  epoch int not null default 0,
  leased_until timestamptz(3),
  -- Failures in a row without progress.
  attempts int not null default 0,
  failure varchar(200),
  created_at timestamptz(3) not null default app_now(),
  finished_at timestamptz(3),
  primary key (tenant_id, id)
);
create unique index imports_one_runs on imports (tenant_id, property_id) where status = 'RUNNING';
create index imports_of_property on imports (tenant_id, property_id, created_at desc);
select system.protect_tenant_table('imports');
grant select, insert, update, delete on imports to innkeeper_app;
grant select on imports to innkeeper_system;
create policy across_tenants on imports for select to innkeeper_system using (true);

-- What was sent, sealed under the secret keys, in parts. Removed when the import ends.
create table import_uploads (
  tenant_id text not null,
  import_id uuid not null,
  part int not null,
  sealed text not null,
  primary key (tenant_id, import_id, part),
  foreign key (tenant_id, import_id) references imports (tenant_id, id) on delete cascade
);
select system.protect_tenant_table('import_uploads');
grant select, insert, delete on import_uploads to innkeeper_app;

-- What became of each line: no text of a line but its external id.
create table import_lines (
  tenant_id text not null,
  import_id uuid not null,
  n int not null,
  file varchar(200) not null,
  line int not null,
  kind varchar(20) not null,
  external_id varchar(100),
  -- CREATED, UNCHANGED, CHANGED or REFUSED.
  outcome varchar(10) not null,
  code varchar(50),
  reason varchar(300),
  -- The stored record, and of a reservation what the line says in minor units.
  record_id text,
  charges bigint,
  paid bigint,
  primary key (tenant_id, import_id, n),
  foreign key (tenant_id, import_id) references imports (tenant_id, id) on delete cascade
);
select system.protect_tenant_table('import_lines');
grant select, insert, delete on import_lines to innkeeper_app;

-- Reservations that were imported, by what another system calls them.
create table import_records (
  tenant_id text not null,
  property_id varchar(50) not null,
  external_id varchar(100) not null,
  record_id uuid not null,
  -- Hash of what the line said, without names and addresses.
  fingerprint varchar(64) not null,
  version int not null,
  primary key (tenant_id, property_id, external_id)
);
select system.protect_tenant_table('import_records');
grant select, insert, update, delete on import_records to innkeeper_app;
