-- The rows behind a property actor (docs/concepts/commit-and-fence.md#fence): fence, holds, kept answers, position of
-- the relay.

create table property_actor (
  tenant_id text not null,
  property_id varchar(50) not null,
  epoch bigint not null default 0,
  seq bigint not null default 0,
  generation int not null default 1,
  owner_node text,
  head_hash text not null default '',
  -- When `seq` was committed: a house that wakes need not look for it in the journal.
  committed_at timestamptz(3),
  -- First night of the window that the newest roll or the creation set.
  business_date date,
  -- Version of foreign rates (rate_version) up to which the journal tells of them.
  rate_version bigint not null default 0,
  taken_at timestamptz(3),
  primary key (tenant_id, property_id)
)
-- One update a commit on very few rows: mostly empty pages, swept after some hundred dead versions.
with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 200,
  autovacuum_analyze_scale_factor = 0.2, autovacuum_analyze_threshold = 5000
);

create table relay_cursor (
  tenant_id text not null,
  property_id varchar(50) not null,
  seq bigint not null default 0,
  updated_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, property_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 200);

create table holds (
  tenant_id text not null,
  property_id varchar(50) not null,
  id uuid not null,
  kind hold_kind not null,
  room_type varchar(50) not null,
  check_in date not null,
  check_out date not null,
  rooms int not null default 1,
  expires_at timestamptz(3) not null,
  reservation_id uuid,
  doc json not null default '{}',
  created_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, property_id, id),
  -- A client's hold has none any more when all are booked, or when it has run out.
  check (check_out > check_in and rooms >= 0)
)
-- Rows come and go: swept often, but counted seldom, for there are never many.
with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 20000
);
-- Documents are never searched: gathering statistics of them is a third of what a booking costs in a young database.
alter table holds alter doc set statistics 0;
-- The sweeper asks for all tenants at once, so this index does not begin with the tenant.
create index holds_expiry on holds (expires_at);

create table idempotency (
  tenant_id text not null,
  subject varchar(100) not null,
  key varchar(255) not null,
  fingerprint text not null,
  state key_state not null,
  property_id varchar(50),
  ref text,
  answer json,
  created_at timestamptz(3) not null default app_now(),
  expires_at timestamptz(3) not null,
  primary key (tenant_id, subject, key)
)
with (
  fillfactor = 85,
  autovacuum_vacuum_scale_factor = 0.2, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0.5
);
alter table idempotency alter answer set statistics 0;
create index idempotency_expiry on idempotency (tenant_id, expires_at);
