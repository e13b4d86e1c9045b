-- Rates that are tried on days that were drawn (docs/concepts/forecast.md#price-experiments).
create table price_experiments (
  tenant_id text not null,
  id uuid not null,
  property_id varchar(50) not null,
  name varchar(100) not null,
  rate_code varchar(50) not null,
  -- Members of the plan: what is tried, and what it had before. Absent ones of the latter are null.
  treatment json not null,
  control json not null,
  first_day date not null,
  block_days smallint not null check (block_days between 1 and 14),
  settle_days smallint not null,
  -- Of each block, T or C.
  arms varchar(365) not null,
  status varchar(20) not null,
  stop_reason varchar(20),
  -- [day, T or C, instant] of each day on which the rates were switched, or would have been.
  days json not null default '[]',
  created_at timestamptz(3) not null,
  created_by varchar(255) not null,
  primary key (tenant_id, id)
);
create index price_experiments_property on price_experiments (tenant_id, property_id, created_at desc);
-- Two at once would each be the other's noise.
create unique index price_experiments_running on price_experiments (tenant_id, property_id) where status = 'RUNNING';
select system.protect_tenant_table('price_experiments');
grant select, insert, update, delete on price_experiments to innkeeper_app;
