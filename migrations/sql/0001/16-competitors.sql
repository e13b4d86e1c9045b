-- What competitors ask, and how the sources stand that tell it. No actor owns this: operations write it.

create table competitor_rates (
  tenant_id text not null,
  property_id varchar(50) not null,
  room_type varchar(50) not null,
  date date not null,
  competitor_id varchar(100) not null,
  rate numeric(10, 2) not null check (rate > 0),
  currency char(3) not null,
  observed_at timestamptz(3) not null,
  -- Who told it: what a source does not tell any more goes with its next answer.
  source varchar(100) not null,
  primary key (tenant_id, property_id, room_type, date, competitor_id)
)
-- Every refresh rewrites its rows in place.
with (fillfactor = 85);

create table competitor_sources (
  tenant_id text not null,
  property_id varchar(50) not null,
  source varchar(100) not null,
  last_attempt timestamptz(3) not null,
  last_success timestamptz(3),
  -- On the application's clock, as everything here: the schedule.
  next_sync timestamptz(3) not null,
  -- Null: the last attempt was a success.
  error varchar(500),
  rates int not null default 0,
  left_out jsonb not null default '{}',
  primary key (tenant_id, property_id, source)
);

select system.protect_tenant_table(name::regclass)
from unnest(array['competitor_rates', 'competitor_sources']) as t (name);
grant select, insert, update, delete on competitor_rates, competitor_sources to innkeeper_app;
