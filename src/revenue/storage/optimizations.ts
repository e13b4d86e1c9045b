import { type Page, pageOfRead, type PagePosition } from '../../kernel/ports.ts';
import type { By } from '../../kernel/rules/administration.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import type { TenantId, PropertyId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms, presentSql } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import { appendAdministration } from '../../tenants/storage/administration-journal.ts';
import type { Optimization, Optimizations } from '../ports.ts';

/** As stored in `optimization_history`. */
const ALGORITHM = 'genetic';

const SELECT = `
  select ${presentSql(`json_build_object('id', id, 'propertyId', property_id, 'status', status, 'progress', progress,
    'request', request, 'plan', plan, 'error', error, 'createdAt', ${ms('created_at')})`)} as one
  from optimizations where tenant_id = ?`;

const INSERT = `
  insert into optimizations
    (tenant_id, id, property_id, status, progress, request, plan, created_at, completed_at)
  values (?, ?, ?, ?, ?, ?, ?, ?::timestamptz, case when ? = 'RUNNING' then null else app_now() end)
  on conflict (tenant_id, id) do update set status = excluded.status, progress = excluded.progress,
    request = excluded.request, plan = excluded.plan, error = null,
    created_at = excluded.created_at, completed_at = excluded.completed_at`;

/** The largest value of `numeric(12, 2)`. */
const MAX_REVENUE = 9_999_999_999.99;

export class StoredOptimizations implements Optimizations {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(tenantId: TenantId, one: Optimization, by?: By): Promise<void> {
    const { id, propertyId, status, progress, request, plan, createdAt } = one;
    const { start, end, ...how } = request;
    const after = { propertyId, startDate: formatDay(start), endDate: formatDay(end), ...how };
    await this.#database.inTenant(tenantId, async (em) => {
      await em.execute(INSERT, [
        tenantId,
        id,
        propertyId,
        status,
        progress,
        JSON.stringify(request),
        plan === undefined ? null : JSON.stringify(plan),
        new Date(createdAt).toISOString(),
        status,
      ]);
      if (by) await appendAdministration(em, by, { entity: 'optimization', entityId: id, action: 'CREATED', after });
    });
  }

  async update(tenantId: TenantId, id: string, change: Parameters<Optimizations['update']>[2]): Promise<void> {
    const { status = null, progress = null, plan, error = null } = change;
    await this.#run(
      tenantId,
      `update optimizations set status = coalesce(?, status), progress = coalesce(?, progress),
         plan = coalesce(?::jsonb, plan), error = coalesce(?, error),
         completed_at = case when ? in ('COMPLETED', 'FAILED') then app_now() else completed_at end
       where tenant_id = ? and id = ?`,
      [status, progress, plan === undefined ? null : JSON.stringify(plan), error, status, tenantId, id],
    );
  }

  async find(tenantId: TenantId, id: string): Promise<Optimization | undefined> {
    if (!isUuid(id)) return undefined;
    return (await this.#read(tenantId, `${SELECT} and id = ?`, [tenantId, id]))[0];
  }

  async running(tenantId: TenantId, before: Instant, limit: number): Promise<string[]> {
    const sql = `select id from optimizations
      where tenant_id = ? and status = 'RUNNING' and created_at < ?::timestamptz order by created_at limit ?`;
    const values = [tenantId, new Date(before).toISOString(), limit];
    const rows = await this.#database.readTenant(tenantId, (em) => em.execute<{ id: string }[]>(sql, values));
    return rows.map(({ id }) => id);
  }

  async list(
    tenantId: TenantId,
    propertyId: PropertyId,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<Optimization>> {
    const behind = after ? 'and (created_at, id) < (?::timestamptz, ?::uuid)' : '';
    const position = after ? [new Date(after.createdAt).toISOString(), after.id] : [];
    const sql = `${SELECT} and property_id = ? ${behind} order by created_at desc, id desc limit ?`;
    const found = await this.#read(tenantId, sql, [tenantId, propertyId, ...position, limit + 1]);
    return pageOfRead(found, limit, ({ id }) => id);
  }

  async note(tenantId: TenantId, { id, propertyId, plan }: Optimization, what: string, on: Day): Promise<void> {
    const { currentRevenue, projectedRevenue, recommendations, ...metrics } = plan!;
    await this.#run(
      tenantId,
      `insert into optimization_history
         (tenant_id, property_id, optimization_date, algorithm_used, revenue_before, revenue_after, performance_metrics)
       values (?, ?, ?, ?, ?, ?, ?)`,
      [
        tenantId,
        propertyId,
        formatDay(on),
        ALGORITHM,
        Math.min(currentRevenue / 100, MAX_REVENUE),
        Math.min(projectedRevenue / 100, MAX_REVENUE),
        JSON.stringify({
          ...metrics,
          optimizationId: id,
          event: what,
          changes: recommendations.length,
          // Whole, where the columns are too small for a currency of small units.
          ...(Math.max(currentRevenue, projectedRevenue) / 100 > MAX_REVENUE && { currentRevenue, projectedRevenue }),
        }),
      ],
    );
  }

  async #run(tenantId: TenantId, sql: string, values: unknown[]): Promise<void> {
    await this.#database.inTenant(tenantId, (em) => em.execute(sql, values));
  }

  async #read(tenantId: TenantId, sql: string, values: unknown[]): Promise<Optimization[]> {
    const rows = await this.#database.readTenant(tenantId, (em) => em.execute(sql, values));
    return (rows as unknown as { one: Optimization }[]).map(({ one }) => one);
  }
}
