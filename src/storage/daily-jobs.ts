import { type Day, formatDay } from '../domain/dates.ts';
import { DEFAULT_POLICIES } from '../domain/property.ts';
import type { DailyClock, DailyJob, DailyJobs } from '../ports/daily-jobs.ts';
import type { Database } from './database.ts';
import { HAS_DYNAMIC_PLAN } from './load-sql.ts';

/** Properties of one page. */
const PAGE = 100;

/** At which hour a job is due: a policy of the property, or what it defaults to. */
const HOURS: Record<DailyJob, keyof typeof DEFAULT_POLICIES> = {
  NO_SHOWS: 'nightAuditHour',
  OPTIMIZE_RATES: 'nightAuditHour',
  ASSIGN_ROOMS: 'autoAssignHour',
};

/** Which properties have the job at all. */
const WHO: Record<DailyJob, string> = {
  // In some zone it is tomorrow already; whose arrival is really over is seen by the property's own date.
  NO_SHOWS: `exists (
    select from reservations r where r.tenant_id = p.tenant_id and r.property_id = p.property_id
      and r.status = 'CONFIRMED' and r.deleted_at is null and r.check_in <= (app_now() at time zone 'UTC')::date)`,
  OPTIMIZE_RATES: HAS_DYNAMIC_PLAN,
  ASSIGN_ROOMS: `coalesce((p.metadata -> 'policies' ->> 'autoAssign')::boolean, true) and exists (
    select from rooms o where o.tenant_id = p.tenant_id and o.property_id = p.property_id and o.deleted_at is null)`,
};

const hour = (job: DailyJob): string =>
  `coalesce((p.metadata -> 'policies' ->> '${HOURS[job]}')::int, ${DEFAULT_POLICIES[HOURS[job]]})`;

const those = (job: DailyJob): string => `
  from properties p where p.tenant_id = ? and p.deleted_at is null and ${WHO[job]}`;

/** Daily jobs in the tables, within the tenant. */
export function databaseDailyJobs(database: Database): DailyJobs {
  const read = async <T>(tenantId: string, sql: string, values: unknown[]): Promise<T[]> =>
    (await database.readTenant(tenantId, (em) => em.execute(sql, values))) as unknown as T[];
  const write = async (tenantId: string, sql: string, values: unknown[]): Promise<void> => {
    await database.inTenant(tenantId, (em) => em.execute(sql, values));
  };
  return {
    clocks: (tenantId, job) =>
      read<DailyClock>(
        tenantId,
        `select distinct p.metadata ->> 'timezone' as timezone, ${hour(job)} as hour ${those(job)}`,
        [tenantId],
      ),
    async due(tenantId, job, clock, date: Day, after = '') {
      const rows = await read<{ propertyId: string }>(
        tenantId,
        `select p.property_id as "propertyId" ${those(job)}
           and p.metadata ->> 'timezone' = ? and ${hour(job)} = ? and p.property_id > ? and not exists (
             select from daily_jobs d where d.tenant_id = p.tenant_id and d.property_id = p.property_id
               and d.job = ? and d.date = ?::date)
         order by 1 limit ${PAGE}`,
        [tenantId, clock.timezone, clock.hour, after, job, formatDay(date)],
      );
      return rows.map(({ propertyId }) => propertyId);
    },
    done: ({ tenantId, propertyId }, job, date) =>
      write(
        tenantId,
        `insert into daily_jobs (tenant_id, property_id, job, date) values (?, ?, ?, ?::date) on conflict do nothing`,
        [tenantId, propertyId, job, formatDay(date)],
      ),
    forget: (tenantId, before) =>
      write(tenantId, `delete from daily_jobs where tenant_id = ? and date < ?::date`, [tenantId, formatDay(before)]),
  };
}
