-- What can be sold and at which price, night by night. Rows appear at the first change of a night.

create table availability.room_availability (
  tenant_id text not null,
  property_id varchar(50) not null,
  room_type varchar(50) not null,
  date date not null,
  total_rooms int not null,
  available_rooms int not null,
  booked_rooms int not null default 0,
  held_rooms int not null default 0,
  blocked_rooms int not null default 0,
  group_blocked int not null default 0,
  out_of_order int not null default 0,
  external_blocked int not null default 0,
  -- Null: the limit of the property's policies.
  overbooking_limit int,
  shortfall int not null default 0,
  -- When others have told these counts (milliseconds of their clock), and their number of it: older ones change nothing.
  told_at bigint,
  told_seq bigint,
  status availability_status not null default 'OPEN',
  updated_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, property_id, room_type, date),
  -- One check for all of them: each is read and compiled anew by every commit, and ten cost it a tenth (I1).
  constraint room_availability_counts check (least(
    total_rooms, available_rooms, booked_rooms, held_rooms, blocked_rooms, group_blocked, out_of_order, external_blocked,
    overbooking_limit, shortfall
  ) >= 0)
)
-- Each booking rewrites its nights in place: room on the page keeps updates off the index.
with (
  fillfactor = 75,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
  autovacuum_analyze_scale_factor = 0.2, autovacuum_analyze_threshold = 5000
);

-- What the books of a house say of a night over all its room types; a night without a row has nothing on them.
create table night_books (
  tenant_id text not null,
  property_id varchar(50) not null,
  date date not null,
  -- In minor units: rates of the stays that are on the books, without taxes and fees.
  revenue bigint not null,
  -- The business date that the two below are of: on another one nothing has moved yet.
  moved_on date not null,
  pickup int not null,
  cancelled int not null,
  primary key (tenant_id, property_id, date)
) with (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

create table base_rates (
  tenant_id text not null,
  property_id varchar(50) not null,
  room_type varchar(50) not null,
  rate_date date not null,
  rate numeric(10, 2) not null,
  currency char(3) not null,
  day_of_week int check (day_of_week between 0 and 6),
  weekend boolean not null default false,
  seasonal_multiplier numeric(4, 2) not null default 1.00,
  seasonal_amount numeric(10, 2) not null default 0,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, property_id, room_type, rate_date)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- Where in the journal a change of base rates is told (`previewUrl` of its answer).
create table rate_changes (
  tenant_id text not null,
  id uuid not null,
  property_id varchar(50) not null,
  seq bigint not null,
  at timestamptz(3) not null,
  primary key (tenant_id, id)
);

-- What the forecast and the competitors say of a night; DYNAMIC plans price by it (docs/concepts/forecast.md#signals).
create table rate_signals (
  tenant_id text not null,
  property_id varchar(50) not null,
  room_type varchar(50) not null,
  date date not null,
  demand_percent smallint not null default 0,
  market_rate numeric(10, 2),
  updated_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, property_id, room_type, date),
  check (demand_percent between -100 and 127)
);

-- What limits the sale of a night under one plan; a night without a row has no limits of its own
-- (docs/reference/rates.md#restrictions).
create table rate_restrictions (
  tenant_id text not null,
  property_id varchar(50) not null,
  rate_code varchar(50) not null,
  room_type varchar(50) not null,
  date date not null,
  min_stay_arrival int,
  max_stay_arrival int,
  min_stay_through int,
  max_stay_through int,
  min_advance int,
  max_advance int,
  closed_to_arrival boolean not null default false,
  closed_to_departure boolean not null default false,
  stop_sell boolean not null default false,
  -- No limit of sale: no optimization moves the price.
  rate_locked boolean not null default false,
  updated_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, property_id, rate_code, room_type, date),
  check (least(min_stay_arrival, max_stay_arrival, min_stay_through, max_stay_through, min_advance, max_advance) >= 0)
);

-- The code is unique within its tenant, deleted ones included: bookings made with it keep their meaning.
create table promotions (
  tenant_id text not null,
  id uuid not null,
  property_id varchar(50) not null,
  promotion_name varchar(100) not null,
  description text,
  promo_code varchar(20) not null,
  discount_type varchar(20) not null,
  discount_value numeric(10, 2) not null,
  start_date date not null,
  end_date date not null,
  stay_start_date date,
  stay_end_date date,
  room_types jsonb,
  conditions jsonb not null default '{}',
  inventory_limit int check (inventory_limit >= 0),
  max_per_day int check (max_per_day >= 0),
  used_inventory int not null default 0 check (used_inventory >= 0),
  status varchar(20) not null default 'ACTIVE',
  paused boolean not null default false,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, id),
  unique (tenant_id, promo_code),
  check (end_date >= start_date),
  check (stay_end_date >= stay_start_date)
);
create index promotions_property on promotions (tenant_id, property_id);

-- Units of a promotion in use, by night of the stay.
create table promotion_nights (
  tenant_id text not null,
  promotion_id uuid not null,
  date date not null,
  used int not null check (used >= 0),
  primary key (tenant_id, promotion_id, date)
) with (fillfactor = 80);
