import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import type { Database } from '../../platform/database/database.ts';
import type { SalesFigures } from '../ports.ts';
import {
  type BooksMoved,
  type DayClass,
  LEAD_TIMES,
  type SoldThrough,
  STAY_LENGTHS,
} from '../rules/sales-figures.ts';

/**
 * Stays that may have a night of the period, by their arrival (index `reservations_arrival`). Parameters: tenant,
 * property, first night twice, last night, first night, first night and last night as numbers.
 */
const STAYS = `
  from reservations r, json_array_elements(r.details -> 'nights') n
  where r.tenant_id = ? and r.property_id = ? and r.deleted_at is null
    and r.check_in > ?::date - ${MAX_NIGHTS} and r.check_in <= ?::date and r.check_out > ?::date
    and (n ->> 0)::int between ? and ?`;

const SOLD = `('CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT')`;
const isSold = (column: string): string => `coalesce(${column} in ${SOLD}, false)::int`;

/** Parameters: those of the stays, tenant, starts of the business dates. */
const MOVES = `
  with stays as materialized (select r.id, count(*)::int as nights ${STAYS} group by r.id),
  moved as (
    select h.changed_at, s.nights * (${isSold('h.new_status')} - ${isSold('h.old_status')}) as rooms
    from stays s join reservation_status_history h on h.tenant_id = ? and h.reservation_id = s.id
  )
  select width_bucket(changed_at, ?::timestamptz[]) - 1 as index,
    coalesce(sum(rooms) filter (where rooms > 0), 0)::int as booked,
    coalesce(-sum(rooms) filter (where rooms < 0), 0)::int as cancelled
  from moved where rooms <> 0 group by 1 order by 1`;

const classOf = (days: string, classes: readonly DayClass[]): string => {
  const cases = classes.map(([name, most]) =>
    most === Infinity ? `else '${name}'` : `when ${days} <= ${most} then '${name}'`,
  );
  return `case ${cases.join(' ')} end`;
};

/**
 * All segments in one read of the stays. Complimentary nights and those in another currency are sold, without revenue.
 * Further parameters, first: time zone and currency of the property; last: tenant twice.
 */
const MIX = `
  with sold as (
    select r.source as channel, r.rate_code as plan, r.group_id::text as of_group,
      lower(r.details ->> 'companyId') as company, r.nights,
      r.check_in - (r.created_at at time zone ?::text)::date as days, count(*) as rooms,
      coalesce(sum((n ->> 1)::bigint) filter (where n ->> 5 is null and r.currency = ?), 0) as revenue
    ${STAYS} and r.status in ${SOLD}
    group by 1, 2, 3, 4, 5, 6
  ), parts as (
    select part.segment, part.name, sum(rooms) as rooms, sum(revenue) as revenue
    from sold cross join lateral (values ('channel', channel), ('ratePlan', plan), ('group', of_group),
      ('company', company), ('stayLength', ${classOf('nights', STAY_LENGTHS)}),
      ('leadTime', ${classOf('days', LEAD_TIMES)})) as part (segment, name)
    group by 1, 2
  )
  select segment, coalesce(g.name, c.name, parts.name) as name, rooms::int as "roomNights", revenue::float8 as revenue
  from parts
    left join reservation_groups g on segment = 'group' and g.tenant_id = ? and g.id::text = parts.name
    left join companies c on segment = 'company' and c.tenant_id = ? and c.id::text = parts.name`;

type Moved = Omit<BooksMoved, 'date'> & { index: number };

export function databaseSalesFigures(database: Database): SalesFigures {
  const staysOf = (tenantId: string, propertyId: string, from: Day, to: Day): (string | number)[] => [
    tenantId,
    propertyId,
    formatDay(from),
    formatDay(to),
    formatDay(from),
    from,
    to,
  ];
  return {
    async moves({ tenantId, propertyId }, { from, to }, first, starts) {
      const times = starts.map((at) => new Date(at).toISOString());
      const values = [...staysOf(tenantId, propertyId, from, to), tenantId, `{${times.join(',')}}`];
      const rows = await database.readTenant(tenantId, (em) => em.execute(MOVES, values));
      return (rows as unknown as Moved[]).map(({ index, ...moved }) => ({ date: first + index, ...moved }));
    },
    async mix({ tenantId, propertyId }, { from, to }, { timezone, currency }) {
      const stays = staysOf(tenantId, propertyId, from, to);
      const values = [timezone, currency, ...stays, tenantId, tenantId];
      const rows = await database.readTenant(tenantId, (em) => em.execute(MIX, values));
      return rows as unknown as SoldThrough[];
    },
  };
}
