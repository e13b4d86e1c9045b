-- Instants are kept in milliseconds, as src/domain/property-time.ts counts them: what is read back equals what was
-- written, and the position of a page can be compared for equality.

-- Tenants, their users, and who may do what (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
-- A person who works for two tenants has two rows.

create table tenants (
  -- A colon would break Kafka keys (addressKey), a comma the list of a batch's tenants.
  tenant_id text primary key check (tenant_id ~ '^[^:,[:space:]]{1,100}$'),
  name varchar(200) not null,
  type tenant_type not null default 'INDEPENDENT',
  status tenant_status not null default 'ACTIVE',
  config jsonb not null default '{}',
  subscription jsonb not null default '{}',
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3)
);

create table users (
  tenant_id text not null references tenants,
  id uuid not null default gen_random_uuid(),
  iss varchar(500) not null,
  sub varchar(255) not null,
  name varchar(200),
  email varchar(254),
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, id),
  unique (tenant_id, iss, sub)
);
create index users_newest on users (tenant_id, created_at desc, id desc);

create table user_tenant_associations (
  tenant_id text not null references tenants,
  user_id uuid not null,
  role tenant_role not null,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users
);
create index associations_newest on user_tenant_associations (tenant_id, created_at desc, user_id desc);
