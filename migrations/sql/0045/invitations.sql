-- Invitations of colleagues by mail address (docs/reference/set-up.md#invitations). Who signs in with the address becomes
-- a user of the tenant; then, and when it is revoked, the row is marked as deleted.
create table invitations (
  tenant_id text not null references tenants,
  id uuid not null,
  -- In lower case.
  email varchar(254) not null,
  name varchar(200),
  role tenant_role not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, id)
);
create index invitations_open on invitations (tenant_id, email) where deleted_at is null;

select system.protect_tenant_table('invitations');
grant select, insert, update, delete on invitations to innkeeper_app;
