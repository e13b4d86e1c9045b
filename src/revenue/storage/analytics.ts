import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { daySql, ms, presentSql } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import type {
  Analytics,
  MetricFilter,
  MetricPosition,
  PushAttempt,
  Report,
  ReportFilter,
  UnpushedReport,
} from '../ports.ts';
import type { Metric } from '../rules/night-audit.ts';

const REPORT = `${presentSql(`json_build_object('id', id, 'propertyId', property_id, 'type', report_type,
  'completedAt', ${ms('completed_at')}, 'pushedAt', ${ms('pushed_at')}, 'attempts', push_attempts, 'covers', parameters -> 'covers')`)} as head, content`;

/**
 * Storing the same content again changes nothing: it is not pushed twice. A report with `covers` is final: later
 * postings belong to later reports.
 */
const KEEP = `
  insert into analytics_reports as r (tenant_id, id, property_id, report_type, name, status, granularity, period_start,
    period_end, content, parameters, completed_at)
  values (?, ?, ?, 'NIGHT_AUDIT', ?, 'COMPLETED', 'DAY', ?::date, ?::date, ?::jsonb, ?::jsonb, app_now())
  on conflict (tenant_id, property_id, report_type, granularity, period_start) do update
    set content = excluded.content, parameters = excluded.parameters, completed_at = excluded.completed_at,
      updated_at = app_now(),
      pushed_at = null, push_due_at = app_now(), push_attempts = 0
    where r.content is distinct from excluded.content and r.parameters -> 'covers' is null`;

/** Two at once would insert the same rows: a job that runs on two nodes, or beside the first audits of a sandbox. */
const TAKE_TURN = `select pg_advisory_xact_lock(hashtextextended(?, 3))`;

const KEEP_METRICS = `
  with given as (
    select type::metric_type as type, coalesce(value, 0) / 100.0 as value, dimensions
    from json_to_recordset(?::json) as g (type text, value numeric, dimensions jsonb)
  ), gone as (
    delete from analytics_metrics m where m.tenant_id = ? and m.property_id = ? and m.granularity = 'DAY'
      and m.date = ?::date and not exists (
        select from given g where g.type = m.metric_type and g.dimensions = m.dimensions)
  )
  insert into analytics_metrics as m (tenant_id, property_id, metric_type, metric_value, date, dimensions)
  select ?, ?, type, value, ?::date, dimensions from given
  on conflict (tenant_id, property_id, metric_type, granularity, date, dimensions) do update
    set metric_value = excluded.metric_value, updated_at = app_now()
    where m.metric_value <> excluded.metric_value`;

/**
 * In hundredths. The column has no null: an ADR of 0 beside an occupancy of 0, or beside complimentary rooms, stands for
 * a day on which nobody paid for a room.
 */
const METRIC_VALUE = `case when metric_type = 'ADR' and metric_value = 0 and exists (
    select from analytics_metrics o where o.tenant_id = analytics_metrics.tenant_id
      and o.property_id = analytics_metrics.property_id
      and o.granularity = analytics_metrics.granularity and o.date = analytics_metrics.date
      and o.dimensions = analytics_metrics.dimensions
      and (o.metric_type = 'OCCUPANCY' and o.metric_value = 0 or o.metric_type = 'COMP_ROOMS')
  ) then null else round(metric_value * 100)::float8 end`;

const ROOM_TYPE = `coalesce(dimensions ->> 'roomType', '')`;

/** Figures of invented guests stay here. */
const UNPUSHED = `pushed_at is null and push_due_at <= ?::timestamptz and not system.is_sandbox(property_id)
  order by period_start, id limit ?`;

type ReportRow = { head: Omit<UnpushedReport, 'content'>; content: UnpushedReport['content'] };
type MetricRow = { type: Metric['type']; date: Day; value: number | null; roomType: string };

export function databaseAnalytics(database: Database): Analytics {
  const read = async <T>(tenantId: TenantId, sql: string, values: unknown[]): Promise<T[]> =>
    (await database.readTenant(tenantId, (em) => em.execute(sql, values))) as unknown as T[];
  const reports = async (tenantId: TenantId, rest: string, values: unknown[]): Promise<UnpushedReport[]> => {
    const rows = await read<ReportRow>(
      tenantId,
      `select ${REPORT} from analytics_reports where tenant_id = ? and deleted_at is null and ${rest}`,
      [tenantId, ...values],
    );
    return rows.map(({ head, content }) => ({ ...head, content }));
  };
  return {
    async store({ tenantId, propertyId }, ...all) {
      const here = [tenantId, propertyId];
      await database.inTenant(tenantId, async (em) => {
        await em.execute(TAKE_TURN, [`night audits ${tenantId} ${propertyId}`]);
        for (const { id, content, covers, metrics } of all) {
          const date = formatDay(content.date);
          const made = [JSON.stringify(content), JSON.stringify({ covers })];
          await em.execute(KEEP, [tenantId, id, propertyId, `Night audit ${date}`, date, date, ...made]);
          await em.execute(KEEP_METRICS, [JSON.stringify(metrics.map(given)), ...here, date, ...here, date]);
        }
      });
    },
    async find(tenantId, id) {
      if (!isUuid(id)) return undefined;
      return withoutTries((await reports(tenantId, 'id = ?', [id]))[0]);
    },
    async list(tenantId, filter, limit, before) {
      const { sql, values } = within(filter, 'period_start');
      const older = before === undefined ? '' : 'and period_start < ?::date';
      const position = before === undefined ? [] : [formatDay(before)];
      const rest = `${sql} ${older} order by period_start desc limit ?`;
      const found = await reports(tenantId, rest, [...values, ...position, limit + 1]);
      const items = found.slice(0, limit).map((report) => withoutTries(report)!);
      return found.length > limit ? { items, next: items.at(-1)!.content.date } : { items };
    },
    async metrics(tenantId, filter, limit, after) {
      const rows = await read<MetricRow>(tenantId, ...metricsQuery(tenantId, filter, limit, after));
      const items = rows.slice(0, limit).map(metricOf);
      return rows.length > limit ? { items, next: items.at(-1)! } : { items };
    },
    unpushed: (tenantId, now, limit) => reports(tenantId, UNPUSHED, [formatInstant(now), limit]),
    async attempted(tenantId, attempt) {
      await database.inTenant(tenantId, (em) => em.execute(...attemptQuery(tenantId, attempt)));
    },
  };
}

function given({ type, value, roomType }: Metric): object {
  return { type, value, dimensions: roomType === undefined ? {} : { roomType } };
}

function metricOf({ type, date, value, roomType }: MetricRow): Metric {
  return { type, date, value, ...(roomType !== '' && { roomType }) };
}

/** The report without push attempts. */
function withoutTries(report: UnpushedReport | undefined): Report | undefined {
  if (!report) return undefined;
  const { attempts: _attempts, ...rest } = report;
  return rest;
}

function within({ propertyId, from, to }: ReportFilter, column: string): { sql: string; values: unknown[] } {
  const days = [
    { sql: `and ${column} >= ?::date`, value: from },
    { sql: `and ${column} <= ?::date`, value: to },
  ].filter(({ value }) => value !== undefined);
  return {
    sql: ['property_id = ?', ...days.map(({ sql }) => sql)].join(' '),
    values: [propertyId, ...days.map(({ value }) => formatDay(value!))],
  };
}

function metricsQuery(
  tenantId: TenantId,
  filter: MetricFilter,
  limit: number,
  after: MetricPosition | undefined,
): [sql: string, values: unknown[]] {
  const { sql, values } = within(filter, 'date');
  const ofType = filter.type === undefined ? '' : 'and metric_type = ?::metric_type';
  // Newest date first; within a date by type, the property before its room types.
  const behind = after
    ? `and (date < ?::date or (date = ?::date and (metric_type, ${ROOM_TYPE}) > (?::metric_type, ?)))`
    : '';
  const position = after ? [formatDay(after.date), formatDay(after.date), after.type, after.roomType ?? ''] : [];
  return [
    `select metric_type as type, ${daySql('date')} as date, ${METRIC_VALUE} as value,
       ${ROOM_TYPE} as "roomType"
     from analytics_metrics where tenant_id = ? and granularity = 'DAY' and ${sql} ${ofType} ${behind}
     order by analytics_metrics.date desc, metric_type, ${ROOM_TYPE} limit ?`,
    [tenantId, ...values, ...(filter.type === undefined ? [] : [filter.type]), ...position, limit + 1],
  ];
}

function attemptQuery(tenantId: TenantId, attempt: PushAttempt): [sql: string, values: unknown[]] {
  const [set, values] =
    'pushedAt' in attempt
      ? ['pushed_at = ?::timestamptz', [formatInstant(attempt.pushedAt)]]
      : ['push_attempts = ?, push_due_at = ?::timestamptz', [attempt.attempts, formatInstant(attempt.dueAt)]];
  return [
    `update analytics_reports set ${set} where tenant_id = ? and id = ? and completed_at = ?::timestamptz`,
    [...values, tenantId, attempt.id, formatInstant(attempt.completedAt)],
  ];
}
