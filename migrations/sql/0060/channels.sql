-- Channels: other sellers of a property's rooms, each a subscription to its journal (docs/reference/channels.md#channels).
-- Their room types stand in channel_mappings, under the same code.
create table channels (
  tenant_id text not null,
  id uuid not null,
  property_id varchar(50) not null,
  channel_code varchar(100) not null,
  name varchar(100) not null,
  -- Protocol: generic-json or ota-2003b.
  adapter varchar(20) not null,
  url varchar(2000) not null,
  -- Header of requests, sealed under the secret keys.
  authorization_header text,
  availability_sync boolean not null,
  rate_sync_enabled boolean not null,
  -- Minor units, as in the mappings.
  min_rate bigint,
  max_rate bigint,
  commission numeric(5, 2),
  stop_sell_on_failure boolean not null,
  -- Why it is paused: REQUESTED, UNDELIVERABLE or GONE.
  paused_because varchar(20),
  paused_at timestamptz(3),
  -- Messages that may be sent at once, at a moment of the real clock.
  pace_free real,
  pace_at timestamptz(3),
  last_taken_at timestamptz(3),
  last_error varchar(200),
  last_error_at timestamptz(3),
  -- Nights on which it may sell more than there is.
  at_risk int not null default 0,
  -- Nights that differed at the last audit; null where the channel cannot say what it has.
  drift int,
  audited_at timestamptz(3),
  -- The business date of the last audit.
  audited_day date,
  created_at timestamptz(3) not null default app_now(),
  changed_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, id) references subscriptions (tenant_id, id) on delete cascade,
  foreign key (tenant_id, property_id) references properties
);
create unique index channels_code on channels (tenant_id, property_id, channel_code);
select system.protect_tenant_table('channels');
grant select, insert, update, delete on channels to innkeeper_app;

-- What each channel has: values that it has taken, and values that it did not take, as runs of nights.
create table channel_lines (
  tenant_id text not null,
  channel_id uuid not null,
  room_type varchar(50) not null,
  rate_plan varchar(50) not null,
  external_room varchar(100) not null,
  external_rate varchar(100) not null,
  taken json not null,
  rejected json not null,
  primary key (tenant_id, channel_id, room_type, rate_plan, external_room, external_rate),
  foreign key (tenant_id, channel_id) references channels (tenant_id, id) on delete cascade
);
select system.protect_tenant_table('channel_lines');
grant select, insert, update, delete on channel_lines to innkeeper_app;
