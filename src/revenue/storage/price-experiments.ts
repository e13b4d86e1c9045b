import type { EntityManager } from '@mikro-orm/postgresql';

import type { By, RequestKey } from '../../kernel/rules/administration.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { onceUnderKey } from '../../platform/database/idempotency-records.ts';
import { ms } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import { appendAdministration } from '../../tenants/storage/administration-journal.ts';
import type { BookedOfDay, PriceExperiments } from '../ports.ts';
import type { Arm, PriceExperiment, SwitchedDay } from '../rules/price-experiments/price-experiment.ts';

const COLUMNS = `id, property_id as "propertyId", name, rate_code as "rateCode", treatment, control,
  (first_day - date '1970-01-01') as first, block_days as "blockDays", settle_days as "settleDays", arms, status,
  stop_reason as "stopReason", days, ${ms('created_at')} as "createdAt", created_by as "createdBy"`;
const CREATE = `
  insert into price_experiments (tenant_id, id, property_id, name, rate_code, treatment, control, first_day, block_days,
    settle_days, arms, status, created_at, created_by)
  values (?, ?, ?, ?, ?, ?::json, ?::json, ?::date, ?, ?, ?, 'RUNNING', to_timestamp(? / 1000.0), ?)
  on conflict do nothing returning 1`;
const END = `
  update price_experiments set status = ?, stop_reason = ?
  where tenant_id = ? and id = ? and status = 'RUNNING' returning 1`;
const SWITCHED = `
  update price_experiments set days = (days::jsonb || ?::jsonb)::json
  where tenant_id = ? and id = ? and status = 'RUNNING'`;
/** More than anybody compares. */
const MOST = 100;

/**
 * What guests booked on days of sale in one currency and have not cancelled; groups agree on their rates. Parameters:
 * starts, tenant, property, currency, first and last start.
 */
const BOOKED = `
  select width_bucket(created_at, ?::timestamptz[]) - 1 as index, sum(nights)::int as rooms,
    (sum(base_amount) * 100)::float8 as revenue
  from reservations
  where tenant_id = ? and property_id = ? and currency = ? and deleted_at is null and group_id is null
    and status in ('PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT') and created_at >= ?::timestamptz
    and created_at < ?::timestamptz
  group by 1`;

type Row = Omit<PriceExperiment, 'arms' | 'days' | 'stopReason'> & {
  arms: string;
  days: [number, string, Instant][];
  stopReason: PriceExperiment['stopReason'] | null;
};

const letterOf = (arm: Arm): string => arm.slice(0, 1);
const armOf = (letter: string): Arm => (letter === 'T' ? 'TREATMENT' : 'CONTROL');

/** Experiments in PostgreSQL. */
export function databasePriceExperiments(database: Database): PriceExperiments {
  const read = async ({ tenantId }: Pick<Address, 'tenantId'>, where: string, values: unknown[]) => {
    const sql = `select ${COLUMNS} from price_experiments where tenant_id = ? and ${where} order by created_at desc limit ${MOST}`;
    const rows = await database.readTenant(tenantId, (em) => em.execute(sql, [tenantId, ...values]));
    return (rows as unknown as Row[]).map(experimentOf);
  };
  return {
    create: (by, one, key) =>
      once(database, by, key, async (em) => {
        const made = await em.execute<unknown[]>(CREATE, valuesOf(by.tenantId, one));
        if (made.length === 0) throw new DomainError('ALREADY_EXISTS', 'The property has an experiment that runs.');
        const { days: _, status: __, ...after } = { ...one, first: formatDay(one.first) };
        await appendAdministration(em, by, { entity: ENTITY, entityId: one.id, action: 'CREATED', after });
        return { id: one.id };
      }),
    end: (by, id, { status, reason = null }, key) =>
      once(database, by, key, async (em) => {
        const ended = await em.execute<unknown[]>(END, [status, reason, by.tenantId, id]);
        if (ended.length === 0) throw new DomainError('INVALID_STATE', 'The experiment has ended.');
        await appendAdministration(em, by, { entity: ENTITY, entityId: id, action: status, after: { reason } });
        return { id };
      }),
    async switched({ tenantId }, id, { day, arm, at }) {
      const days = JSON.stringify([[day, letterOf(arm), at]]);
      await database.inTenant(tenantId, (em) => em.execute(SWITCHED, [days, tenantId, id]));
    },
    find: async (tenantId, id) => (isUuid(id) ? (await read({ tenantId }, 'id = ?', [id]))[0] : undefined),
    list: (to) => read(to, 'property_id = ?', [to.propertyId]),
    running: async (to) => (await read(to, `property_id = ? and status = 'RUNNING'`, [to.propertyId]))[0],
    async booked({ tenantId, propertyId }, starts, currency) {
      const times = starts.map((at) => new Date(at).toISOString());
      const values = [`{${times.slice(0, -1).join(',')}}`, tenantId, propertyId, currency, times[0], times.at(-1)];
      const rows = await database.readTenant(tenantId, (em) => em.execute(BOOKED, values));
      return rows as unknown as BookedOfDay[];
    },
  };
}

const ENTITY = 'priceExperiment';

function once<T>(
  database: Database,
  by: By,
  key: RequestKey | undefined,
  work: (em: EntityManager) => Promise<T>,
): Promise<{ result: T; replayed: boolean }> {
  return database.inTenant(by.tenantId, (em) => onceUnderKey(em, by, key, () => work(em)));
}

function valuesOf(tenantId: string, one: PriceExperiment): unknown[] {
  const { id, propertyId, name, rateCode, treatment, control, first, blockDays, settleDays, arms } = one;
  const names = Object.keys(treatment) as (keyof typeof control)[];
  const before = Object.fromEntries(names.map((member) => [member, control[member] ?? null]));
  const plan = [name, rateCode, JSON.stringify(treatment), JSON.stringify(before)];
  const days = [formatDay(first), blockDays, settleDays, arms.map(letterOf).join('')];
  return [tenantId, id, propertyId, ...plan, ...days, one.createdAt, one.createdBy];
}

function experimentOf({ arms, days, stopReason, control, ...row }: Row): PriceExperiment {
  const before = Object.entries(control).map(([name, value]) => [name, value ?? undefined]);
  return {
    ...row,
    control: Object.fromEntries(before),
    arms: Array.from(arms, armOf),
    days: days.map(([day, letter, at]): SwitchedDay => ({ day, arm: armOf(letter), at })),
    ...(stopReason !== null && { stopReason }),
  };
}
