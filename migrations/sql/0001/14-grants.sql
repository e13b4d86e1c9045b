-- Who may touch what (docs/concepts/storage.md#schemas-and-roles). The tests hold this list against the catalogue.

grant usage on schema public, availability, system to innkeeper_app, innkeeper_writer, innkeeper_system;

grant execute on function app_now() to innkeeper_app, innkeeper_writer, innkeeper_system, innkeeper_jobs;
grant execute on function system.current_tenant() to innkeeper_app;
grant execute on function system.batch_tenants() to innkeeper_writer;
grant execute on function system.ensure_journal_partitions(int), system.expired_journal_months(),
  system.drop_journal_month(date) to innkeeper_system;

grant usage on schema system to innkeeper_jobs;
grant select on system.clock to innkeeper_app, innkeeper_writer, innkeeper_system, innkeeper_jobs;
grant update (offset_ms) on system.clock to innkeeper_system;
grant select, insert, update, delete on system.cluster_node, system.registry_ids, system.registry_subjects,
  system.registry_versions to innkeeper_system;
-- Whoever takes a property looks whether its owner lives.
grant select on system.cluster_node to innkeeper_writer;

-- innkeeper_app reads everything of its tenant; it writes only what no property actor owns.
grant select on
  tenants, users, user_tenant_associations,
  properties, room_types, rooms, rates,
  availability.room_availability, night_books, base_rates, rate_restrictions, rate_signals, rate_changes, promotions, promotion_nights,
  property_actor, relay_cursor, holds, idempotency, journal, journal_checkpoints,
  guests, guest_keys, reservations, reservation_status_history, payments,
  reservation_groups, group_blocks, channel_mappings, services, housekeeping_tasks, invoices, invoice_items,
  analytics_metrics, analytics_reports, optimization_history, optimizations
  to innkeeper_app;
grant insert, update, delete on
  tenants, users, user_tenant_associations,
  channel_mappings, services,
  analytics_metrics, analytics_reports, optimization_history, optimizations
  to innkeeper_app;

-- innkeeper_writer owns the commit function: what actors own is written under this role only.
grant select, insert, update on
  properties, room_types, rooms, rates,
  availability.room_availability, night_books, base_rates, rate_restrictions, rate_signals, rate_changes, promotions, promotion_nights,
  property_actor, relay_cursor, holds, idempotency,
  guests, guest_keys, reservations, reservation_status_history, payments,
  reservation_groups, group_blocks, housekeeping_tasks, invoices, invoice_items
  to innkeeper_writer;
grant select, insert on journal, journal_checkpoints to innkeeper_writer;
-- Nights that have not come go with a room type that is removed.
grant delete on holds, idempotency, room_types, rooms, availability.room_availability, base_rates,
  rate_restrictions, rate_signals to innkeeper_writer;

grant select on property_actor, relay_cursor, journal, user_tenant_associations to innkeeper_system;
grant select (tenant_id, property_id, seq, at, hash, generation) on journal_checkpoints to innkeeper_system;
grant select (tenant_id, name, type, status, created_at, updated_at) on tenants to innkeeper_system;
grant select (tenant_id, id, iss, sub, deleted_at) on users to innkeeper_system;
grant select (tenant_id, property_id, id, kind, expires_at, reservation_id, created_at) on holds to innkeeper_system;

select system.ensure_journal_partitions(3);
