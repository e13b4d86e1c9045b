-- What other systems are sent of the journals (docs/concepts/subscriptions.md#subscriptions).
create table subscriptions (
  tenant_id text not null,
  id uuid not null,
  -- WEBHOOK; who sends it.
  kind varchar(20) not null,
  -- Only an active one is sent anything: ACTIVE or PAUSED.
  status varchar(10) not null default 'ACTIVE',
  -- Null for every property of the tenant, also for those that come later.
  property_ids text[],
  primary key (tenant_id, id)
);
select system.protect_tenant_table('subscriptions');
grant select, insert, update, delete on subscriptions to innkeeper_app;
grant select on subscriptions to innkeeper_writer, innkeeper_system;
create policy across_tenants on subscriptions for select to innkeeper_system using (true);

-- The position of a subscription in the journal of a property. A missing row is position 0.
create table subscription_cursors (
  tenant_id text not null,
  subscription_id uuid not null,
  property_id varchar(50) not null,
  -- The last commit that was sent whole, and how many events of the next one were sent too.
  seq bigint not null default 0,
  part int not null default 0,
  -- Whether the state of the property is to be sent before anything else.
  snapshot boolean not null default false,
  -- Fence: another number whenever the cursor was taken over or set; a write with an older one changes nothing.
  epoch int not null default 1,
  -- The node that sends from here; null when none does.
  leased_by text,
  -- Failures in a row, since when, and until when nothing is tried.
  attempts int not null default 0,
  failing_since timestamptz(3),
  retry_at timestamptz(3),
  failure varchar(200),
  moved_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, subscription_id, property_id),
  foreign key (tenant_id, subscription_id) references subscriptions (tenant_id, id) on delete cascade
) with (fillfactor = 70);
select system.protect_tenant_table('subscription_cursors');
grant select, insert, update, delete on subscription_cursors to innkeeper_app;
grant select, insert, update on subscription_cursors to innkeeper_writer;
grant select on subscription_cursors to innkeeper_system;
create policy across_tenants on subscription_cursors for select to innkeeper_system using (true);

-- Addresses that get events (docs/reference/webhooks.md#webhooks).
create table webhooks (
  tenant_id text not null,
  id uuid not null,
  url varchar(2000) not null,
  description varchar(200),
  topics text[] not null,
  -- Sealed under the secret keys. The former one signs too, until its time.
  secret text not null,
  former_secret text,
  former_until timestamptz(3),
  -- Why it is paused: REQUESTED, UNDELIVERABLE or GONE.
  paused_because varchar(20),
  paused_at timestamptz(3),
  created_at timestamptz(3) not null default app_now(),
  changed_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, id) references subscriptions (tenant_id, id) on delete cascade
);
select system.protect_tenant_table('webhooks');
grant select, insert, update, delete on webhooks to innkeeper_app;

-- The last requests to each webhook, without their bodies. Older ones are removed.
create table webhook_deliveries (
  tenant_id text not null,
  webhook_id uuid not null,
  id bigint generated always as identity,
  property_id varchar(50) not null,
  seq bigint not null,
  message_id varchar(60) not null,
  topic varchar(50) not null,
  attempt int not null,
  at timestamptz(3) not null,
  duration_ms int not null,
  -- Of the answer; null when there was none.
  http_status int,
  -- Null for a delivered one.
  failure varchar(200),
  primary key (tenant_id, webhook_id, id),
  foreign key (tenant_id, webhook_id) references webhooks (tenant_id, id) on delete cascade
);
select system.protect_tenant_table('webhook_deliveries');
grant select, insert, update, delete on webhook_deliveries to innkeeper_app;
