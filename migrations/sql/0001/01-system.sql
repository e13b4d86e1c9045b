-- Schemas, the database's clock, and the two functions that every row policy asks for its tenants.

-- Nothing is executable by everybody: each function names its callers in 13-grants.sql.
alter default privileges for role innkeeper_owner revoke execute on functions from public;

create schema if not exists system;
create schema availability;

-- One row: how far the development clock was put forward (docs/reference/set-up.md#development-only). 0 in production.
create table system.clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null default 0 check (offset_ms >= 0)
);
insert into system.clock default values;

-- Every default of a timestamp comes through here. Resolved when created, so no search_path can mislead it.
create function public.app_now() returns timestamptz
  language sql stable parallel safe
  return clock_timestamp() + (select offset_ms from system.clock) * interval '1 millisecond';

-- A setting that was made local to a transaction leaves '' behind on a pooled connection, so empty is as wrong as
-- absent: both raise. Without this, tenant_id = '' would quietly match nothing, or a row written without a tenant.
create function system.current_tenant() returns text
  language plpgsql stable parallel safe
as $$
declare
  tenant text := current_setting('innkeeper.tenant', true);
begin
  if tenant is null or tenant = '' then
    raise exception 'no tenant is set for this transaction' using errcode = 'insufficient_privilege';
  end if;
  return tenant;
end
$$;

-- Tenants of one commit batch, comma separated (the check on tenants.tenant_id forbids commas). Only policies of
-- innkeeper_writer look here, so setting it gives innkeeper_app nothing.
create function system.batch_tenants() returns text[]
  language plpgsql stable parallel safe
as $$
declare
  tenants text := current_setting('innkeeper.batch_tenants', true);
begin
  if tenants is null or tenants = '' then
    raise exception 'no tenants are set for this batch' using errcode = 'insufficient_privilege';
  end if;
  return string_to_array(tenants, ',');
end
$$;
