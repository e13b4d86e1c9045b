-- Which room a stay has on which nights, while it is not over. Its own table and not columns of the reservation: most
-- reservations have no room yet, and the constraint below would make each of them dearer.

-- In a schema of its own: what it brings is executable by everybody.
create schema if not exists extensions;
create extension if not exists btree_gist schema extensions;

create table room_assignments (
  tenant_id text not null,
  reservation_id uuid not null,
  property_id varchar(50) not null,
  room_number varchar(10) not null,
  room_type varchar(50) not null,
  -- From the first night that it has the room, which is the arrival or later, until the morning it leaves.
  check_in date not null,
  check_out date not null,
  in_house boolean not null,
  -- Given by hand: no rearrangement moves it.
  fixed boolean not null,
  primary key (tenant_id, reservation_id),
  -- The same day for a guest who moved on his last one: he is in the room, and has no night there.
  check (check_in <= check_out),
  -- Behind the room plan of the actor, which never lets it come so far. Deferred, so that two stays can swap rooms.
  constraint room_assignments_one_guest exclude using gist
    (tenant_id with =, property_id with =, room_number with =, daterange(check_in, check_out) with &&)
    deferrable initially deferred
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.2);
create index room_assignments_property on room_assignments (tenant_id, property_id);

select system.protect_tenant_table('room_assignments');
grant select on room_assignments to innkeeper_app;
grant select, insert, update, delete on room_assignments to innkeeper_writer;
