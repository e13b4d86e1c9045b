-- Quotes that were shown and booked, counted (docs/concepts/forecast.md#counted-quotes): a row for each arrival, room type, lead,
-- length of stay and step of the price. Nothing of a guest, a party or a plan. Nodes add to them about once a minute.
create table quote_counts (
  tenant_id text not null,
  property_id varchar(50) not null,
  arrival date not null,
  room_type varchar(50) not null,
  -- Rows of the table of lead times, 0 to 10.
  lead smallint not null,
  -- 7 stands for all longer stays.
  nights smallint not null,
  -- Steps of 5 % of the usual price, the first from half of it; of the competitors' price from 1, and 0 where none is known.
  ratio smallint not null,
  market smallint not null,
  shown int not null,
  booked int not null,
  primary key (tenant_id, property_id, arrival, room_type, lead, nights, ratio, market)
);
select system.protect_tenant_table('quote_counts');
grant select, insert, update, delete on quote_counts to innkeeper_app;

-- What the counts of a property say about its guests, for the other properties of its tenant.
create table demand_summaries (
  tenant_id text not null,
  property_id varchar(50) not null,
  learned_on date not null,
  summary json not null,
  primary key (tenant_id, property_id)
);
select system.protect_tenant_table('demand_summaries');
grant select, insert, update, delete on demand_summaries to innkeeper_app;
