-- A guest profile is found by tenant, e-mail and last name, both case-folded (contracts.md 7). Erasure empties the
-- personal columns, so they are nullable, and destroys the key.

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
  loyalty_tier varchar(10) not null default 'NONE' check (loyalty_tier in ('NONE', 'SILVER', 'GOLD', 'PLATINUM')),
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, id),
  unique (tenant_id, email_key, last_name_key)
);

-- The key under which a guest's personal fields stand in the journal, itself wrapped by one of SECRET_KEYS.
create table guest_keys (
  tenant_id text not null,
  guest_id uuid not null,
  wrapped text,
  created_at timestamptz(3) not null default app_now(),
  destroyed_at timestamptz(3),
  primary key (tenant_id, guest_id)
);
