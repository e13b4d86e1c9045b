-- {"chargeback": {"reason", "reference", "by", "closed"}} of what a card issuer has taken back, {"tendered": {"amount",
-- "currency", "rate", "rateDate", "change"}} of what was paid in another currency. Release 0.1.0 leaves it as it is.
alter table payments add column details jsonb;
-- Chargebacks are few: the desk looks for those that nobody has closed, and open balances have all of them.
create index payments_charged_back on payments (tenant_id, property_id) where details -> 'chargeback' is not null;

-- What the desk counts the money of another currency at. History is in administration_journal.
create table exchange_rates (
  tenant_id text not null,
  property_id varchar(50) not null,
  currency char(3) not null,
  -- Of the property when the rate was set: a rate of another one does not count.
  base_currency char(3) not null,
  -- Units of base_currency for one of currency.
  rate numeric(16, 6) not null check (rate > 0),
  -- The business date on which it was set.
  rate_date date not null,
  set_by varchar(100) not null,
  updated_at timestamptz(3) not null default app_now(),
  primary key (tenant_id, property_id, currency),
  foreign key (tenant_id, property_id) references properties
);

select system.protect_tenant_table('exchange_rates');
grant select, insert, update, delete on exchange_rates to innkeeper_app;
