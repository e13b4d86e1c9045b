-- The figures of each minute of each node, for a day (docs/operations/health.md#figures-over-time): a ring, a row for each node and
-- minute of the day, which the next day writes over. Nothing of a tenant. Names of figures are members of a document, so that a node
-- of another release reads what it knows and leaves the rest.
create table system.node_figures (
  node_id text not null check (char_length(node_id) between 1 and 100),
  slot smallint not null check (slot between 0 and 1439),
  -- Of the server's clock, cut to the minute.
  minute timestamptz not null,
  figures jsonb not null check (octet_length(figures::text) <= 8192),
  primary key (node_id, slot)
);
create index node_figures_minute on system.node_figures (minute);

grant select, insert, update, delete on system.node_figures to innkeeper_system;
