import type { Address } from '../../kernel/rules/caller.ts';
import type { Database } from '../../platform/database/database.ts';
import type { SandboxStore, StoredSandbox } from '../ports.ts';

/** A run says every 5 s that it lives. */
const STALE = `touched_at < now() - interval '20 seconds'`;

const FIND = `
  select sandbox_id as "sandboxId", number, state, run, percent, ${STALE} as "isStale", exists (
    select from properties p
    where p.tenant_id = sandboxes.tenant_id and p.property_id = sandboxes.sandbox_id and p.deleted_at is null
  ) as "isThere"
  from sandboxes where tenant_id = ? and property_id = ?`;

/** Parameters: tenant, property, sandbox, number, run, replaced. */
const BEGIN = `
  insert into sandboxes as s (tenant_id, property_id, sandbox_id, number, state, run, touched_at)
  values (?, ?, ?, ?, 'PLAYING', ?, now())
  on conflict (tenant_id, property_id) do update
    set sandbox_id = excluded.sandbox_id, number = excluded.number, state = 'PLAYING', run = excluded.run, percent = 0,
      touched_at = now()
    where s.number < excluded.number
      and (s.state in ('NONE', 'FAILED') or s.state in ('PLAYING', 'ENDING') and s.${STALE} or s.state = 'READY' and ?)
  returning 1`;

const END = `
  update sandboxes set state = 'ENDING', run = ?, percent = 0, touched_at = now()
  where tenant_id = ? and property_id = ? and (state in ('PLAYING', 'READY', 'FAILED') or state = 'ENDING' and ${STALE})
  returning 1`;

const TOUCH = `
  update sandboxes set touched_at = now(), percent = greatest(percent, ?)
  where tenant_id = ? and property_id = ? and run = ? returning 1`;

const FINISH = `
  update sandboxes set state = ?, touched_at = now(), percent = case ? when 'READY' then 100 else 0 end
  where tenant_id = ? and property_id = ? and run = ?`;

const USED = 'select 1 from property_actor where tenant_id = ? and property_id = ?';

/** What beside the actors is stored of a property, those that name another row first. */
const OWN_TABLES = [
  'channel_mappings',
  'services',
  'analytics_metrics',
  'analytics_reports',
  'optimization_history',
  'optimizations',
  'accepted_rates',
  'price_experiments',
  'competitor_rates',
  'competitor_sources',
  'daily_jobs',
  'demo_states',
  'desk_notes',
  'property_photos',
  'stay_mails',
  'stay_pages',
  'letter_templates',
  'notifications',
  'notification_positions',
  'exchange_rates',
  'quote_counts',
  'demand_summaries',
  'subscription_cursors',
  'webhook_deliveries',
  'channels',
  'imports',
  'import_records',
] as const;

const REMOVE = 'select remove_sandbox_v1(?, ?)';
const FORGET_GUESTS = 'delete from sandbox_guests where tenant_id = ? and property_id = ?';

/** Sandboxes in PostgreSQL. */
export function databaseSandboxes(database: Database): SandboxStore {
  const some = async (tenantId: string, sql: string, values: unknown[]): Promise<boolean> =>
    database.inTenant(tenantId, async (em) => (await em.execute<unknown[]>(sql, values)).length > 0);
  return {
    async of({ tenantId, propertyId }) {
      const values = [tenantId, propertyId];
      const [row] = await database.readTenant(tenantId, (em) => em.execute<StoredSandbox[]>(FIND, values));
      return row;
    },
    beginRun: ({ tenantId, propertyId }, { sandboxId, number, run }, replaced) =>
      some(tenantId, BEGIN, [tenantId, propertyId, sandboxId, number, run, replaced]),
    endRun: ({ tenantId, propertyId }, run) => some(tenantId, END, [run, tenantId, propertyId]),
    touch: ({ tenantId, propertyId }, run, percent) =>
      some(tenantId, TOUCH, [Math.round(percent), tenantId, propertyId, run]),
    async finish({ tenantId, propertyId }, run, state) {
      await database.inTenant(tenantId, (em) => em.execute(FINISH, [state, state, tenantId, propertyId, run]));
    },
    async remove({ tenantId, propertyId }: Address) {
      const values = [tenantId, propertyId];
      await database.inTenant(tenantId, async (em) => {
        for (const table of OWN_TABLES)
          await em.execute(`delete from ${table} where tenant_id = ? and property_id = ?`, values);
        await em.execute(REMOVE, values);
        await em.execute(FORGET_GUESTS, values);
      });
    },
    isUsed: ({ tenantId, propertyId }) => some(tenantId, USED, [tenantId, propertyId]),
  };
}
