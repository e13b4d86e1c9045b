-- Companies that stays are invoiced to, and what they have paid. What they owe are payments of reservations (method
-- INVOICE), which the properties' actors write.

create table companies (
  tenant_id text not null,
  id uuid not null,
  name varchar(200) not null,
  vat_id varchar(50),
  -- {name, addressLine1, city, state, zipCode, country}, {email, phone}
  billing_address jsonb,
  contact jsonb,
  payment_terms_days int not null default 30 check (payment_terms_days between 0 and 365),
  -- The channel of sale that the company stands behind: it owes what that channel has collected from guests.
  channel varchar(50),
  active boolean not null default true,
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, id)
);
create unique index companies_channel on companies (tenant_id, channel)
  where deleted_at is null and channel is not null;
create index companies_newest on companies (tenant_id, created_at desc, id desc) where deleted_at is null;

-- Money received from a company, beside all reservations. Nobody changes a row.
create table company_payments (
  tenant_id text not null,
  id uuid not null,
  company_id uuid not null,
  property_id varchar(50) not null,
  amount numeric(10, 2) not null check (amount > 0),
  currency char(3) not null,
  method payment_method not null,
  reference varchar(100),
  received_at timestamptz(3) not null,
  received_by varchar(100) not null,
  created_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, company_id) references companies,
  foreign key (tenant_id, property_id) references properties
);
create index company_payments_company on company_payments (tenant_id, company_id, received_at);

select system.protect_tenant_table('companies');
select system.protect_tenant_table('company_payments');
grant select, insert, update, delete on companies to innkeeper_app;
grant select, insert on company_payments to innkeeper_app;
