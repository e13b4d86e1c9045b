import type { Address } from '../../kernel/rules/caller.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import type { AcceptedRates } from '../ports.ts';
import type { AcceptedRate } from '../rules/accepted-rate.ts';

const COLUMNS = `optimization_id as "optimizationId", room_type as "roomType", (date - date '1970-01-01') as day,
  ${ms('accepted_at')} as "acceptedAt", accepted_by as "acceptedBy", by_rule as "byRule",
  (rate_before * 100)::int as "from", (rate_after * 100)::int as "to", rooms_expected::float8 as "roomsExpected",
  (revenue_before * 100)::float8 as "revenueBefore", (revenue_expected * 100)::float8 as "revenueExpected",
  rooms_booked as "roomsBooked", (revenue_booked * 100)::float8 as "revenueBooked"`;

const INSERT = `
  insert into accepted_rates (tenant_id, property_id, date, room_type, optimization_id, accepted_at, accepted_by, by_rule,
    rate_before, rate_after, rooms_expected, revenue_before, revenue_expected, rooms_booked, revenue_booked)
  select ?, ?, (r ->> 'date')::date, r ->> 'roomType', (r ->> 'optimizationId')::uuid,
    to_timestamp((r ->> 'acceptedAt')::float8 / 1000), r ->> 'acceptedBy', (r ->> 'byRule')::boolean,
    (r ->> 'from')::numeric / 100, (r ->> 'to')::numeric / 100, (r ->> 'roomsExpected')::numeric,
    (r ->> 'revenueBefore')::numeric / 100, (r ->> 'revenueExpected')::numeric / 100, (r ->> 'roomsBooked')::int,
    (r ->> 'revenueBooked')::numeric / 100
  from json_array_elements(?::json) r
  on conflict do nothing`;

/** Nights that ended so many days ago are forgotten. */
const DAYS_RETAINED = 800;

const FORGET = `
  delete from accepted_rates where tenant_id = ? and property_id = ? and date < current_date - ${DAYS_RETAINED}`;

/** More than a year of a large property has. */
const MOST = 5_000;

/** Accepted recommendations in PostgreSQL. */
export function databaseAcceptedRates(database: Database): AcceptedRates {
  const read = async (
    { tenantId, propertyId }: Address,
    where: string,
    values: string[],
  ): Promise<AcceptedRate[]> => {
    const sql = `select ${COLUMNS} from accepted_rates where tenant_id = ? and property_id = ? and ${where}
      order by accepted_at desc, date, room_type limit ${MOST}`;
    const rows = await database.readTenant(tenantId, (em) => em.execute(sql, [tenantId, propertyId, ...values]));
    return rows as unknown as AcceptedRate[];
  };
  return {
    async record({ tenantId, propertyId }: Address, accepted: readonly AcceptedRate[]): Promise<void> {
      const rows = accepted.map(({ day, ...one }) => ({ ...one, date: formatDay(day) }));
      await database.inTenant(tenantId, async (em) => {
        await em.execute(FORGET, [tenantId, propertyId]);
        await em.execute(INSERT, [tenantId, propertyId, JSON.stringify(rows)]);
      });
    },
    ofNights: (to: Address, start: Day, end: Day) =>
      read(to, 'date between ?::date and ?::date', [formatDay(start), formatDay(end)]),
    since: (to: Address, instant: Instant) =>
      read(to, 'accepted_at >= ?::timestamptz', [new Date(instant).toISOString()]),
  };
}
