-- Requests that wait for a room (docs/reference/waitlist.md#waitlist).
create type waitlist_status as enum ('WAITING', 'OFFERED', 'BOOKED', 'LAPSED', 'EXPIRED', 'REMOVED');

create table waitlist (
  tenant_id text not null,
  property_id varchar(50) not null,
  id uuid not null,
  -- Order of arrival among the requests of the property that are not over.
  number int not null,
  status waitlist_status not null,
  room_type varchar(50) not null,
  check_in date not null,
  check_out date not null,
  -- With the guest until the request is over.
  details json not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index waitlist_property on waitlist (tenant_id, property_id, created_at, id);

select system.protect_tenant_table('waitlist');
grant select on waitlist to innkeeper_app;
grant select, insert, update on waitlist to innkeeper_writer;

-- A room that is offered is a notification of its own kind; its reservation is the request on the waitlist.
alter type notification_kind add value if not exists 'WAITLIST_OFFER';
