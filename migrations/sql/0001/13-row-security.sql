-- Row-level security of every tenant table, forced: the owner has no policy, so even it sees nothing.

-- A later migration that adds a tenant table calls this for it.
create function system.protect_tenant_table(target regclass) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  -- The sub-select is evaluated once a query, not once a row, and still serves as an index condition.
  execute format(
    'create policy tenant on %s to innkeeper_app
       using (tenant_id = (select system.current_tenant()))
       with check (tenant_id = (select system.current_tenant()))', target);
  execute format(
    'create policy batch on %s to innkeeper_writer
       using (tenant_id = any ((select system.batch_tenants())::text[]))
       with check (tenant_id = any ((select system.batch_tenants())::text[]))', target);
end
$$;

select system.protect_tenant_table(name::regclass) from unnest(array[
  'tenants', 'users', 'user_tenant_associations',
  'properties', 'room_types', 'rooms', 'rates',
  'availability.room_availability', 'night_books', 'base_rates', 'rate_restrictions', 'rate_signals', 'rate_changes', 'promotions', 'promotion_nights',
  'property_actor', 'relay_cursor', 'holds', 'idempotency', 'journal', 'journal_checkpoints',
  'guests', 'guest_keys', 'reservations', 'reservation_status_history', 'payments',
  'reservation_groups', 'group_blocks',
  'channel_mappings', 'services', 'housekeeping_tasks', 'invoices', 'invoice_items',
  'analytics_metrics', 'analytics_reports', 'optimization_history', 'optimizations'
]) as t (name);

-- Across tenants, reading only (docs/concepts/storage.md#schemas-and-roles): the relay, the sweeper of holds, the
-- directory, the login, and the retention of the journal.
create policy across_tenants on property_actor for select to innkeeper_system using (true);
create policy across_tenants on relay_cursor for select to innkeeper_system using (true);
create policy across_tenants on journal for select to innkeeper_system using (true);
create policy across_tenants on journal_checkpoints for select to innkeeper_system using (true);
create policy across_tenants on holds for select to innkeeper_system using (true);
create policy across_tenants on tenants for select to innkeeper_system using (true);
create policy across_tenants on users for select to innkeeper_system using (true);
create policy across_tenants on user_tenant_associations for select to innkeeper_system using (true);
