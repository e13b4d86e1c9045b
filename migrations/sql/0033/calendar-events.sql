-- Fairs, concerts and holidays (docs/reference/rates.md#calendar-events).
create type event_effect as enum ('LOW', 'MEDIUM', 'HIGH');

create table calendar_events (
  tenant_id text not null,
  property_id varchar(50) not null,
  id uuid not null,
  name varchar(100) not null,
  -- Both are nights.
  first_night date not null,
  last_night date not null,
  effect event_effect not null,
  note varchar(500),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  check (last_night >= first_night)
);
create index calendar_events_property on calendar_events (tenant_id, property_id);

select system.protect_tenant_table('calendar_events');
grant select on calendar_events to innkeeper_app;
grant select, insert, update, delete on calendar_events to innkeeper_writer;
