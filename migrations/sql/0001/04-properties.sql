-- Properties with their room types, rooms and rate plans: written by the commit function only.

create table properties (
  tenant_id text not null,
  property_id varchar(50) not null,
  name varchar(200) not null,
  property_code varchar(50),
  brand varchar(100),
  property_type varchar(50) not null default 'HOTEL',
  -- Amounts inside `policies` are minor units.
  metadata jsonb not null default '{}',
  address jsonb,
  contact jsonb,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, property_id)
);
-- What was deleted keeps its code, and can come back while nobody else has it.
create unique index properties_tenant_id_property_code_key on properties (tenant_id, property_code)
  where deleted_at is null;
create index properties_newest on properties (tenant_id, created_at desc, property_id desc);

create table room_types (
  tenant_id text not null,
  property_id varchar(50) not null,
  room_type varchar(50) not null,
  name varchar(100) not null,
  max_adults int not null check (max_adults >= 0),
  max_children int not null default 0 check (max_children >= 0),
  max_guests int not null check (max_guests >= 0),
  total_rooms int not null check (total_rooms >= 0),
  amenities jsonb not null default '[]',
  rolling_rates jsonb,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, property_id, room_type)
);

create table rooms (
  tenant_id text not null,
  property_id varchar(50) not null,
  room_number varchar(10) not null,
  room_type varchar(50) not null,
  floor int not null default 0,
  status room_status not null default 'AVAILABLE',
  features jsonb not null default '[]',
  notes text,
  -- Whose guest is in it.
  reservation_id uuid,
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, property_id, room_number)
);

-- Rate plans (docs/reference/rates.md#rate-plans). `rules` adds to its defaults adjustmentPercent, minRatePercent,
-- maxRatePercent.
create table rates (
  tenant_id text not null,
  id uuid not null,
  property_id varchar(50) not null,
  code varchar(50) not null,
  name varchar(100) not null,
  strategy rate_strategy not null default 'FIXED',
  status rate_status not null default 'ACTIVE',
  base_rate numeric(10, 2),
  currency char(3) not null default 'USD',
  valid_from date,
  valid_to date,
  rules jsonb not null default
    '{"minLengthOfStay": 1, "maxLengthOfStay": 30, "minAdvanceBooking": 0, "maxAdvanceBooking": 365}',
  cancellation_policy varchar(50) not null default 'STANDARD',
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, id),
  check (valid_to >= valid_from)
);
create unique index rates_code on rates (tenant_id, property_id, code) where deleted_at is null;
