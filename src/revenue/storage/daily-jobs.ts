import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import type { TenantId, PropertyId } from '../../kernel/rules/ids.ts';
import { endOfBusinessDay } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { HAS_DYNAMIC_PLAN } from '../../platform/database/load-sql.ts';
import { DEFAULT_POLICIES } from '../../properties/rules/property.ts';
import { type DailyClock, type DailyJob, type DailyJobs, DATES_RETAINED, type ReadableClock } from '../ports.ts';

/** Properties of one page. */
const PAGE = 100;

/** Properties of a clock that are named in the log. */
const MAX_NAMED = 5;

/** Due hour of a job: a policy of the property, or its default. */
const HOURS: Record<DailyJob, 'nightAuditHour' | 'autoAssignHour'> = {
  NO_SHOWS: 'nightAuditHour',
  NIGHT_AUDIT: 'nightAuditHour',
  LEARN_DEMAND: 'nightAuditHour',
  OPTIMIZE_RATES: 'nightAuditHour',
  SWITCH_RATES: 'nightAuditHour',
  ASSIGN_ROOMS: 'autoAssignHour',
  CHARGE_DUES: 'autoAssignHour',
};

/** Properties that have the job at all. */
const WHO: Record<DailyJob, string> = {
  // In some time zone it is tomorrow already; the property's own date decides which arrivals are over.
  NO_SHOWS: `exists (
    select from reservations r where r.tenant_id = p.tenant_id and r.property_id = p.property_id
      and r.deleted_at is null and (
        r.status in ('PENDING', 'CONFIRMED') and r.check_in <= (app_now() at time zone 'UTC')::date
        or r.status = 'CHECKED_IN' and r.check_out <= (app_now() at time zone 'UTC')::date))`,
  NIGHT_AUDIT: 'true',
  LEARN_DEMAND: `exists (
    select from reservations r where r.tenant_id = p.tenant_id and r.property_id = p.property_id
    union all select from quote_counts q where q.tenant_id = p.tenant_id and q.property_id = p.property_id)`,
  OPTIMIZE_RATES: HAS_DYNAMIC_PLAN,
  SWITCH_RATES: `exists (
    select from price_experiments e
    where e.tenant_id = p.tenant_id and e.property_id = p.property_id and e.status = 'RUNNING')`,
  ASSIGN_ROOMS: `coalesce(p.metadata -> 'policies' ->> 'autoAssign', 'true') <> 'false' and exists (
    select from rooms o where o.tenant_id = p.tenant_id and o.property_id = p.property_id and o.deleted_at is null)`,
  CHARGE_DUES: 'true',
};

/** Jobs about the day before the date: a property created later has none of it. */
const ABOUT_THE_DAY_BEFORE: ReadonlySet<DailyJob> = new Set<DailyJob>(['NIGHT_AUDIT']);

/** Latest creation of a property for a job of a date. */
function bornBefore(job: DailyJob, { timezone, hour: nightAuditHour }: ReadableClock, date: Day): string {
  if (!ABOUT_THE_DAY_BEFORE.has(job)) return 'infinity';
  return new Date(endOfBusinessDay(date - 1, { timezone, nightAuditHour })).toISOString();
}

/** Null for an invalid hour: a failing cast would end the statement for all properties of the tenant. */
function hour(job: DailyJob): string {
  const given = `p.metadata -> 'policies' ->> '${HOURS[job]}'`;
  return `case when ${given} is null then ${DEFAULT_POLICIES[HOURS[job]]}
    when ${given} ~ '^([0-9]|[01][0-9]|2[0-3])$' then (${given})::int end`;
}

const those = (job: DailyJob): string => `
  from properties p where p.tenant_id = ? and p.deleted_at is null and ${WHO[job]}`;

export function databaseDailyJobs(database: Database): DailyJobs {
  const read = async <T>(tenantId: TenantId, sql: string, values: unknown[]): Promise<T[]> =>
    (await database.readTenant(tenantId, (em) => em.execute(sql, values))) as unknown as T[];
  const write = async (tenantId: TenantId, sql: string, values: unknown[]): Promise<void> => {
    await database.inTenant(tenantId, (em) => em.execute(sql, values));
  };
  return {
    clocks: (tenantId, job) =>
      read<DailyClock>(
        tenantId,
        `select p.metadata ->> 'timezone' as timezone, ${hour(job)} as hour,
           (array_agg(p.property_id::text order by p.property_id))[1:${MAX_NAMED}] as properties
         ${those(job)} group by 1, 2`,
        [tenantId],
      ),
    async due(tenantId, job, clock, date: Day, after = '') {
      const rows = await read<{ propertyId: PropertyId }>(
        tenantId,
        `select p.property_id as "propertyId" ${those(job)}
           and p.metadata ->> 'timezone' = ? and ${hour(job)} = ? and p.property_id > ?
           and p.created_at < ?::timestamptz and not exists (
             select from daily_jobs d where d.tenant_id = p.tenant_id and d.property_id = p.property_id
               and d.job = ? and d.date = ?::date)
         order by 1 limit ${PAGE}`,
        [tenantId, clock.timezone, clock.hour, after, bornBefore(job, clock, date), job, formatDay(date)],
      );
      return rows.map(({ propertyId }) => propertyId);
    },
    missed(tenantId, job, clock, date) {
      const dates = Array.from({ length: (DATES_RETAINED[job] ?? 1) - 1 }, (_, n) => date - 1 - n);
      const births = dates.map((of) => bornBefore(job, clock, of));
      return read<{ propertyId: PropertyId; date: Day }>(
        tenantId,
        `select p.property_id as "propertyId", of.date - date '1970-01-01' as date
         from properties p, unnest(?::date[], ?::timestamptz[]) as of (date, born)
         where p.tenant_id = ? and p.deleted_at is null and ${WHO[job]}
           and p.metadata ->> 'timezone' = ? and ${hour(job)} = ? and p.created_at < of.born and not exists (
             select from daily_jobs d where d.tenant_id = p.tenant_id and d.property_id = p.property_id
               and d.job = ? and d.date = of.date)
         order by of.date desc, 1 limit ${PAGE}`,
        [arrayOf(dates.map(formatDay)), arrayOf(births), tenantId, clock.timezone, clock.hour, job],
      );
    },
    async isDone({ tenantId, propertyId }, job, date) {
      const sql = `select 1 from daily_jobs where tenant_id = ? and property_id = ? and job = ? and date = ?::date`;
      return (await read(tenantId, sql, [tenantId, propertyId, job, formatDay(date)])).length > 0;
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

const arrayOf = (values: readonly string[]): string => `{${values.join(',')}}`;
