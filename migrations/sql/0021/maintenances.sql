-- Nights in which a room is repaired or kept out of use (docs/concepts/rooms.md#maintenance).
create type maintenance_kind as enum ('OUT_OF_ORDER', 'OUT_OF_SERVICE');

create table maintenances (
  tenant_id text not null,
  property_id varchar(50) not null,
  id uuid not null,
  room_number varchar(10) not null,
  kind maintenance_kind not null,
  -- Both are nights; null: nobody knows yet when it ends.
  first_night date not null,
  last_night date,
  reason varchar(500) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, id),
  check (last_night >= first_night)
);
create index maintenances_property on maintenances (tenant_id, property_id, first_night desc, id desc);

select system.protect_tenant_table('maintenances');
grant select on maintenances to innkeeper_app;
grant select, insert, update on maintenances to innkeeper_writer;
