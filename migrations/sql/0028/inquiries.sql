-- Quotes kept with a name, without a room (docs/reference/inquiries.md#inquiries).
create type inquiry_status as enum ('OPEN', 'BOOKED', 'EXPIRED', 'CLOSED');

create table inquiries (
  tenant_id text not null,
  property_id varchar(50) not null,
  id uuid not null,
  status inquiry_status not null,
  room_type varchar(50) not null,
  check_in date not null,
  check_out date not null,
  total_amount numeric(10, 2) not null,
  expires_at timestamptz(3) not null,
  -- With the guest and the notes until the inquiry is over.
  details json not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index inquiries_property on inquiries (tenant_id, property_id, created_at, id);

select system.protect_tenant_table('inquiries');
grant select on inquiries to innkeeper_app;
grant select, insert, update on inquiries to innkeeper_writer;
