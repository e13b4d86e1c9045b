-- Recommended rates that were accepted (docs/reference/rates.md#what-came-of-it): what was expected of the rooms that were
-- still to be sold, and what was on the books then, to be compared with what the night has ended with.
create table accepted_rates (
  tenant_id text not null,
  property_id varchar(50) not null,
  date date not null,
  room_type varchar(50) not null,
  -- Of the optimization that recommended it.
  optimization_id uuid not null,
  accepted_at timestamptz(3) not null,
  -- The user, or of a rule who has set it.
  accepted_by varchar(100) not null,
  by_rule boolean not null,
  rate_before numeric(10, 2) not null,
  rate_after numeric(10, 2) not null,
  rooms_expected numeric(8, 2) not null,
  revenue_before numeric(14, 2) not null,
  revenue_expected numeric(14, 2) not null,
  rooms_booked int not null,
  revenue_booked numeric(14, 2) not null,
  primary key (tenant_id, property_id, date, room_type, optimization_id)
);
create index accepted_rates_newest on accepted_rates (tenant_id, property_id, accepted_at desc);
select system.protect_tenant_table('accepted_rates');
grant select, insert, update, delete on accepted_rates to innkeeper_app;
