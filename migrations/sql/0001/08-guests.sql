-- A guest profile is found by tenant, e-mail and last name, both case-folded
-- (docs/concepts/guests-and-erasure.md#profiles). Erasure empties the personal columns, so they are nullable, and
-- destroys the key.

create table guests (
  tenant_id text not null,
  id uuid not null,
  email varchar(254),
  email_key varchar(254),
  first_name varchar(100),
  last_name varchar(100),
  last_name_key varchar(100),
  phone varchar(30),
  preferences jsonb,
  loyalty_tier loyalty_tier not null default 'NONE',
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  -- Erasure: when it began and nobody could find or book with the profile any more, and when nothing was left to do.
  deleted_at timestamptz(3),
  erased_at timestamptz(3),
  primary key (tenant_id, id),
  unique (tenant_id, email_key, last_name_key)
)
with (autovacuum_vacuum_insert_scale_factor = 1, autovacuum_analyze_scale_factor = 0.5);
-- Erasures that were cut off: hardly ever one.
create index guests_erasing on guests (tenant_id) where deleted_at is not null and erased_at is null;

-- The key under which a guest's personal fields stand in the journal, itself wrapped by one of SECRET_KEYS.
create table guest_keys (
  tenant_id text not null,
  guest_id uuid not null,
  wrapped text,
  created_at timestamptz(3) not null default app_now(),
  destroyed_at timestamptz(3),
  primary key (tenant_id, guest_id)
)
with (autovacuum_vacuum_insert_scale_factor = 1, autovacuum_analyze_scale_factor = 0.5);
