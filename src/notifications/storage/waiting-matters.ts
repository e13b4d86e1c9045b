import { formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { statusKey } from '../../platform/database/row-values.ts';
import type { WaitingMatters } from '../ports.ts';
import type { WaitingMatter } from '../rules/waiting-matter.ts';

const here = (table: string): string =>
  `${table}.tenant_id = current_setting('innkeeper.tenant') and ${table}.property_id = t.property_id`;

/**
 * Each part goes through an index to few rows. A task that nobody has begun is overdue once its business day is over, a
 * maintenance without an end after a week, and recommendations wait for a day while none of them was accepted.
 * Parameters: property; now (3 times).
 */
const MATTERS = `
  with t as (
    select a.property_id, a.business_date, coalesce(p.metadata ->> 'timezone', 'UTC') as zone
    from property_actor a join properties p using (tenant_id, property_id)
    where a.tenant_id = current_setting('innkeeper.tenant') and a.property_id = ?)
  select 'ROOMS_MISSING' as kind, count(*)::int as count, null as name, null as of
  from t join reservations r on ${here('r')} and r.check_in = t.business_date
  where r.status_key = ${statusKey('CONFIRMED')} and r.room_number is null and r.deleted_at is null
  union all
  select 'TASKS_OVERDUE', count(*)::int, null, null
  from t join housekeeping_tasks h on ${here('h')} and h.status = 'PENDING' and h.deleted_at is null
  where (h.created_at at time zone t.zone)::date < t.business_date
  union all
  select 'MAINTENANCE_OVERDUE', count(*)::int, null, null
  from t join maintenances m on ${here('m')} and m.last_night is null and m.deleted_at is null
  where m.first_night <= t.business_date - 7
  union all
  select 'RECOMMENDATIONS', count, null, null
  from t cross join lateral (
    select o.id, coalesce(jsonb_array_length(o.plan -> 'recommendations'), 0)::int as count from optimizations o
    where ${here('o')} and o.status = 'COMPLETED' and o.created_at > ?::timestamptz - interval '1 day'
    order by o.created_at desc, o.id desc limit 1) newest
  where not exists (
    select from optimization_history k
    where ${here('k')} and k.created_at > ?::timestamptz - interval '1 day'
      and k.performance_metrics ->> 'event' = 'IMPLEMENT'
      and k.performance_metrics ->> 'optimizationId' = newest.id::text)
  union all
  select 'MESSAGES_FAILED', count(*)::int, null, null
  from t join notifications n on ${here('n')} and n.state in ('FAILED', 'UNKNOWN')
  union all
  select 'INVITATIONS_FAILED', count(*)::int, null, null
  from invitations i
  where i.tenant_id = current_setting('innkeeper.tenant') and i.deleted_at is null
    and i.letter_state in ('FAILED', 'UNKNOWN')
  union all
  select 'INVITATION_ACCEPTED', count(*)::int, (array_agg(coalesce(i.name, i.email) order by i.accepted_at desc))[1],
    i.invited_by
  from invitations i
  where i.tenant_id = current_setting('innkeeper.tenant') and i.accepted_at > ?::timestamptz - interval '3 days'
  group by i.invited_by`;

type Row = Pick<WaitingMatter, 'kind' | 'count'> & { name: string | null; of: string | null };

/** What waits at a property, counted in PostgreSQL. */
export function databaseWaitingMatters(database: Database): WaitingMatters {
  return async ({ tenantId, propertyId }, at) => {
    const now = formatInstant(at);
    const rows = await database.readTenant(tenantId, (em) => em.execute<Row[]>(MATTERS, [propertyId, now, now, now]));
    return rows.flatMap(({ kind, count, name, of }) =>
      count > 0 ? [{ kind, count, ...(name !== null && { name }), ...(of !== null && { of }) }] : [],
    );
  };
}
