-- Pieces of an extra on each night; null is not counted (docs/reference/set-up.md#extras).
alter table services add column stock_per_night int check (stock_per_night between 1 and 999);

-- Pieces that reservations have, by posting of the folio (docs/reference/folio.md#extras-by-night).
create table extra_stays (
  tenant_id text not null,
  property_id varchar(50) not null,
  posting_id uuid not null,
  reservation_id uuid not null,
  code varchar(50) not null,
  quantity int not null check (quantity > 0),
  first_night date not null,
  last_night date not null,
  primary key (tenant_id, posting_id),
  check (last_night >= first_night)
);
create index extra_stays_property on extra_stays (tenant_id, property_id, reservation_id);

select system.protect_tenant_table('extra_stays');
grant select on extra_stays to innkeeper_app;
grant select, insert, update, delete on extra_stays to innkeeper_writer;
