-- Figures, reports, and what each optimization run expected and brought.

create table analytics_metrics (
  tenant_id text not null,
  id uuid not null default gen_random_uuid(),
  property_id varchar(50),
  metric_type metric_type not null,
  metric_value numeric(15, 2) not null,
  date date not null,
  granularity time_granularity not null default 'DAY',
  -- {roomType, rateCode, marketSegment, channel}
  dimensions jsonb not null default '{}',
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, id),
  -- A recomputed figure replaces the earlier one; without a property it is the whole tenant's.
  unique nulls not distinct (tenant_id, property_id, metric_type, granularity, date, dimensions)
);

create table analytics_reports (
  tenant_id text not null,
  id uuid not null default gen_random_uuid(),
  property_id varchar(50),
  report_type varchar(50) not null,
  name varchar(200) not null,
  status varchar(20) not null default 'PENDING',
  granularity time_granularity not null default 'DAY',
  period_start date not null,
  period_end date not null,
  parameters jsonb not null default '{}',
  content jsonb,
  requested_by varchar(100),
  completed_at timestamptz(3),
  -- When the analytics service took it; until then when it is offered again, and how often it was.
  pushed_at timestamptz(3),
  push_due_at timestamptz(3) not null default app_now(),
  push_attempts int not null default 0,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, id),
  -- A report that is made again replaces the earlier one.
  unique nulls not distinct (tenant_id, property_id, report_type, granularity, period_start),
  check (period_end >= period_start)
);
create index analytics_reports_unpushed on analytics_reports (tenant_id, period_start) where pushed_at is null;

-- Yield optimizations (docs/concepts/forecast.md#yield-optimization): what was asked, how far it is, and what came of
-- it.
create table optimizations (
  tenant_id text not null,
  id uuid not null,
  property_id varchar(50) not null,
  status varchar(20) not null,
  progress int not null default 0,
  request jsonb not null,
  plan jsonb,
  error text,
  created_at timestamptz(3) not null default app_now(),
  completed_at timestamptz(3),
  primary key (tenant_id, id)
);
create index optimizations_newest on optimizations (tenant_id, property_id, created_at desc, id desc);
-- Few at any time: those whose jobs may have been lost.
create index optimizations_running on optimizations (tenant_id, created_at) where status = 'RUNNING';

create table optimization_history (
  tenant_id text not null,
  id uuid not null default gen_random_uuid(),
  property_id varchar(50) not null,
  optimization_date date not null,
  algorithm_used varchar(50) not null,
  revenue_before numeric(12, 2) not null,
  revenue_after numeric(12, 2) not null,
  performance_metrics jsonb not null default '{}',
  created_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, id)
);
create index optimization_history_newest on optimization_history (tenant_id, property_id, created_at desc);
