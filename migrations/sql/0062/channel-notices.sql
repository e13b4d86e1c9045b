-- What a channel has said of a booking that the property does not have as said: a cancellation that came before its
-- booking, or what could not be taken and waits for the desk (docs/reference/channels.md#what-cannot-be-taken).
-- Nothing of the guest is stored.
create table channel_notices (
  tenant_id text not null,
  channel_id uuid not null,
  external_id varchar(100) not null,
  -- CANCELLED or NOT_TAKEN.
  kind varchar(20) not null,
  -- The channel's own time.
  said_at timestamptz(3),
  check_in date,
  check_out date,
  external_room varchar(100),
  -- The code of the error.
  reason varchar(50),
  -- The reservation that could not be changed.
  reservation_id uuid,
  recorded_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, channel_id, external_id, kind),
  foreign key (tenant_id, channel_id) references channels (tenant_id, id) on delete cascade
);
select system.protect_tenant_table('channel_notices');
grant select, insert, update, delete on channel_notices to innkeeper_app;
