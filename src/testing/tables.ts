/**
 * Every table of the product with its class (docs/concepts/storage.md#schemas-and-roles). A table that is not here
 * fails schema.test.ts.
 */

/** Tables that the application itself writes, in a transaction of one tenant. */
export const ADMINISTRATION_TABLES = [
  'public.tenants',
  'public.users',
  'public.user_tenant_associations',
  'public.channel_mappings',
  'public.services',
  'public.analytics_metrics',
  'public.analytics_reports',
  'public.optimization_history',
  'public.competitor_rates',
  'public.competitor_sources',
  'public.optimizations',
  'public.accepted_rates',
  'public.price_experiments',
  'public.daily_jobs',
  'public.demo_states',
  'public.sandboxes',
  'public.sandbox_guests',
  'public.desk_notes',
  'public.property_photos',
  'public.invitations',
  'public.stay_mails',
  'public.stay_pages',
  'public.letter_templates',
  'public.browser_sessions',
  'public.notifications',
  'public.notification_positions',
  'public.companies',
  'public.exchange_rates',
  'public.quote_counts',
  'public.demand_summaries',
  'public.subscriptions',
  'public.subscription_cursors',
  'public.webhooks',
  'public.webhook_deliveries',
  'public.channels',
  'public.channel_lines',
  'public.channel_notices',
  'public.imports',
  'public.import_uploads',
  'public.import_lines',
  'public.import_records',
] as const;

/** Tables that property actors own: innkeeper_app reads them, the commit function writes them. */
export const ACTOR_TABLES = [
  'public.properties',
  'public.room_types',
  'public.rooms',
  'public.rate_version',
  'public.rates',
  'availability.room_availability',
  'public.night_books',
  'public.base_rates',
  'public.rate_restrictions',
  'public.rate_signals',
  'public.rate_changes',
  'public.promotions',
  'public.promotion_nights',
  'public.property_actor',
  'public.property_generations',
  'public.relay_cursor',
  'public.holds',
  'public.idempotency',
  'public.journal',
  'public.journal_checkpoints',
  'public.guests',
  'public.guest_keys',
  'public.reservations',
  'public.reservation_status_history',
  'public.payments',
  'public.reservation_groups',
  'public.group_blocks',
  'public.maintenances',
  'public.waitlist',
  'public.inquiries',
  'public.calendar_events',
  'public.extra_stays',
  'public.room_assignments',
  'public.housekeeping_tasks',
  'public.invoices',
  'public.invoice_items',
  'public.invoice_documents',
] as const;

/** To which innkeeper_app adds rows, in a transaction of one tenant, and which nobody changes. */
export const APPEND_ONLY_TABLES = [
  'public.administration_journal',
  'public.audit_heads',
  'public.stay_surveys',
  'public.company_payments',
] as const;

/** Of people, above tenants: forced row-level security by person. */
export const PERSON_TABLES = ['public.ended_tokens', 'public.person_preferences'] as const;

/** Tenant data: tenant_id not null, forced row-level security. */
export const TENANT_TABLES = [...ADMINISTRATION_TABLES, ...ACTOR_TABLES, ...APPEND_ONLY_TABLES] as const;

/** No tenant data, no row-level security. */
export const SYSTEM_TABLES = [
  'system.clock',
  'system.cluster_node',
  'system.function_file',
  'system.generation',
  'system.job_round',
  'system.migration',
  'system.node_figures',
  'system.registry_ids',
  'system.registry_subjects',
  'system.registry_versions',
  'system.secret_key',
] as const;

/** What innkeeper_system may read over all tenants. */
export const SYSTEM_READABLE = [
  'public.property_actor',
  'public.property_generations',
  'public.relay_cursor',
  'public.journal',
  'public.journal_checkpoints',
  'public.holds',
  'public.tenants',
  'public.users',
  'public.user_tenant_associations',
  'public.administration_journal',
  'public.audit_heads',
  'public.subscriptions',
  'public.subscription_cursors',
  'public.imports',
] as const;
