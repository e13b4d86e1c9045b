-- What a guest says of a stay that is over, once (docs/concepts/rooms.md#housekeeping). His words go when he is
-- forgotten.
create table stay_surveys (
  tenant_id text not null,
  reservation_id uuid not null,
  rating smallint not null check (rating between 1 and 5),
  comment varchar(1000),
  answered_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, reservation_id)
);

select system.protect_tenant_table('stay_surveys');
grant select, insert on stay_surveys to innkeeper_app;
grant select, update (comment) on stay_surveys to innkeeper_writer;
