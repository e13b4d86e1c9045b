-- What the application writes itself, within one tenant's transaction.

create table channel_mappings (
  tenant_id text not null,
  id uuid not null default gen_random_uuid(),
  property_id varchar(50) not null,
  room_type varchar(50) not null,
  channel_name varchar(100) not null,
  channel_code varchar(100) not null,
  external_room_id varchar(100) not null,
  -- Amounts inside are minor units.
  mapping_config jsonb not null default '{}',
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, property_id) references properties
);
create unique index channel_mappings_external on channel_mappings
  (tenant_id, property_id, channel_code, external_room_id) where deleted_at is null;
create index channel_mappings_newest on channel_mappings (tenant_id, property_id, created_at desc, id desc);

-- Extras that a house sells: breakfast, parking, late check-out.
create table services (
  tenant_id text not null,
  id uuid not null default gen_random_uuid(),
  property_id varchar(50) not null,
  code varchar(50) not null,
  name varchar(100) not null,
  description text,
  category varchar(50),
  price numeric(10, 2) not null,
  currency char(3) not null default 'USD',
  tax_percent numeric(5, 2) not null default 0,
  active boolean not null default true,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, property_id) references properties
);
create unique index services_code on services (tenant_id, property_id, code) where deleted_at is null;

create table housekeeping_tasks (
  tenant_id text not null,
  id uuid not null default gen_random_uuid(),
  property_id varchar(50) not null,
  room_number varchar(10) not null,
  task_type varchar(30) not null default 'CLEANING',
  status varchar(20) not null default 'PENDING',
  priority int not null default 0,
  assigned_to varchar(100),
  reservation_id uuid,
  due_at timestamptz(3),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  notes text,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, id)
);
create index housekeeping_tasks_room on housekeeping_tasks (tenant_id, property_id, room_number);
-- A room is cleaned once, however often it is called dirty before.
create unique index housekeeping_tasks_open on housekeeping_tasks (tenant_id, property_id, room_number)
  where status = 'PENDING';

create table invoices (
  tenant_id text not null,
  id uuid not null default gen_random_uuid(),
  property_id varchar(50) not null,
  reservation_id uuid,
  invoice_number varchar(50) not null,
  status varchar(20) not null default 'ISSUED',
  currency char(3) not null default 'USD',
  subtotal numeric(12, 2) not null default 0,
  taxes numeric(12, 2) not null default 0,
  fees numeric(12, 2) not null default 0,
  total_amount numeric(12, 2) not null default 0,
  paid_amount numeric(12, 2) not null default 0,
  billing jsonb,
  notes text,
  issued_at timestamptz(3),
  due_date date,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, id),
  unique (tenant_id, invoice_number),
  check (total_amount = subtotal + taxes + fees)
);
create index invoices_reservation on invoices (tenant_id, reservation_id);

create table invoice_items (
  tenant_id text not null,
  id uuid not null default gen_random_uuid(),
  invoice_id uuid not null,
  service_id uuid,
  item_date date,
  description varchar(500) not null,
  quantity int not null default 1,
  unit_price numeric(10, 2) not null,
  amount numeric(12, 2) not null,
  taxes numeric(12, 2) not null default 0,
  created_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices,
  foreign key (tenant_id, service_id) references services
);
create index invoice_items_invoice on invoice_items (tenant_id, invoice_id);
