import type { EntityManager } from '@mikro-orm/postgresql';

import type { Address } from '../../kernel/rules/caller.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import type { Database } from '../../platform/database/database.ts';
import { cents, daySql, DEPARTURE_SQL } from '../../platform/database/load-sql.ts';
import type { DayReports, ListedDay } from '../ports.ts';
import type { ReportedStay, StayReport, TotalsIn } from '../rules/day-reports.ts';

/** Limit in days for arrivals on any list: older debts are a matter for accounting. */
const MAX_DAYS_BACK = 400;
/** Limit in days for late arrivals of guests who have paid; later ones are left to the desk. */
const MAX_DAYS_LATE = 7;
/** Limit in days for overdue departures. */
const MAX_DAYS_OVERDUE = 30;

/** SQL with a question mark for each value. */
type Condition = [sql: string, ...values: unknown[]];

/** Days of arrival or of departure bound each list, so that an index finds its stays. */
const within = (column: 'check_in' | 'check_out', date: Day, back: number): Condition => [
  `r.${column} > ?::date and r.${column} <= ?::date`,
  formatDay(date - back),
  formatDay(date),
];

/** Which stays are on a list of a date. */
const CONDITIONS: Record<StayReport, (to: Address, listed: ListedDay) => Condition> = {
  arrivals: (_, { date }) => [
    `r.check_in = ?::date and r.status in ('PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT')`,
    formatDay(date),
  ],
  // An overdue guest is in house until the check-out.
  departures: (_, { date, businessDate }) => {
    // For the index: day use is in the table with the day after its departure.
    const [bounds, ...days] = within('check_out', date + 1, MAX_DAYS_OVERDUE + 1);
    return [
      `${bounds} and ${DEPARTURE_SQL} <= ?::date and (${DEPARTURE_SQL} = ?::date and r.status in ('CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT')
        or r.status = 'CHECKED_IN' and ?)`,
      ...days,
      formatDay(date),
      formatDay(date),
      date === businessDate,
    ];
  },
  // A departed guest was in house in the nights before; an overdue one still is.
  'in-house': (_, { date, businessDate }) => {
    const [bounds, ...days] = within('check_in', date, MAX_NIGHTS + MAX_DAYS_OVERDUE);
    return [
      `${bounds} and (r.status = 'CHECKED_IN' and (r.check_out > ?::date or ?)
        or r.status = 'CHECKED_OUT' and r.check_out > ?::date and ?)`,
      ...days,
      formatDay(date),
      date <= businessDate,
      formatDay(date),
      date < businessDate,
    ];
  },
  'no-shows': (_, { date }) => [`r.check_in = ?::date and r.status = 'NO_SHOW'`, formatDay(date)],
  cancellations: ({ tenantId, propertyId }, { date, from, to }) => [
    `r.status = 'CANCELLED' and (r.details #>> '{cancellation,day}')::int = ? and r.id = any (array(
      select coalesce(f ->> 1, j.entity)::uuid from journal j, json_array_elements(j.facts -> 'bookings') f
      where j.tenant_id = ? and j.property_id = ? and j.at >= ?::timestamptz and j.at < ?::timestamptz
        and (f ->> 0 = 'CANCELLED' or (f ->> 0 = 'EXPIRED' and ${PENALTY} > 0))))`,
    date,
    tenantId,
    propertyId,
    formatInstant(from),
    formatInstant(to),
  ],
  // Of a stay that was cancelled before its arrival what was charged back is owed today.
  balances: ({ tenantId, propertyId }, { date }) => {
    const [bounds, ...days] = within('check_in', date, MAX_DAYS_BACK);
    const claimed = `r.status = 'CANCELLED' and r.id = any (array(
      select c.reservation_id from payments c
      where c.tenant_id = ? and c.property_id = ? and c.details -> 'chargeback' is not null))`;
    const open = `r.status <> 'PENDING' and r.balance_due <> 0`;
    return [`(${bounds} or ${claimed}) and ${open}`, ...days, tenantId, propertyId];
  },
  deposits: (_, { date }) => [
    `r.check_in >= ?::date and r.status in ('PENDING', 'CONFIRMED') and r.paid_amount > 0`,
    formatDay(date - MAX_DAYS_LATE),
  ],
};

/** Lists of guests in house are in the order of rooms, future arrivals in that of days, others in that of names. */
const NAME = `lower(concat_ws(' ', r.details #>> '{guest,lastName}', r.details #>> '{guest,firstName}'))`;
const ROOM = `lpad(coalesce(r.room_number, ''), 10)`;
const ORDER: Partial<Record<StayReport, string>> = { 'in-house': ROOM, departures: ROOM, deposits: 'r.check_in' };

const PENALTY = `coalesce((r.details #>> '{cancellation,penalty}')::bigint, 0)`;
const COLUMNS = `r.id as "reservationId", r.confirmation_number as "confirmationNumber",
  concat_ws(' ', r.details #>> '{guest,firstName}', r.details #>> '{guest,lastName}') as "guestName", r.status,
  r.room_type as "roomType", r.room_number as "roomNumber", ${daySql('r.check_in')} as "checkIn",
  ${daySql(DEPARTURE_SQL)} as "checkOut", r.adults, r.children, r.special_requests as "specialRequests",
  ${cents('r.total_amount')} as total, ${cents('r.paid_amount')} as paid, ${cents('r.balance_due')} as balance,
  ${PENALTY}::float8 as penalty, r.details #>> '{cancellation,reason}' as reason,
  (r.details #>> '{cancellation,cancelledAt}')::float8 as "cancelledAt",
  r.details #>> '{cancellation,walk,to}' as "walkedTo",
  (r.details #>> '{cancellation,walk,compensation}')::float8 as compensation, r.currency`;
/** The other lists have no such stays, so the read is skipped. */
const ENDED: ReadonlySet<StayReport> = new Set(['no-shows', 'cancellations', 'balances']);
const totalsOf = (
  report: StayReport,
): string => `r.currency, count(*)::int as stays, coalesce(sum(${cents('r.total_amount')}), 0) as total,
  coalesce(sum(${cents('r.paid_amount')}), 0) as paid, coalesce(sum(${cents('r.balance_due')}), 0) as balance,
  ${ENDED.has(report) ? `coalesce(sum(${PENALTY}), 0)::float8` : '0'} as penalty`;

export function databaseDayReports(database: Database): DayReports {
  return (to, report, listed, limit, after) =>
    database.readTenant(to.tenantId, async (em) => {
      const [condition, ...values] = CONDITIONS[report](to, listed);
      const found = `from reservations r
          where r.tenant_id = ? and r.property_id = ? and r.deleted_at is null and ${condition}`;
      const here = [to.tenantId, to.propertyId, ...values];
      const totals = await rows<TotalsIn>(
        em,
        `select ${totalsOf(report)} ${found} group by r.currency order by 1`,
        here,
      );
      const order = ORDER[report] ?? NAME;
      // A cursor has only the id: names of guests must not appear in URLs.
      const behind = `and (${order}, r.id) > (
          select ${order}, r.id from reservations r where r.tenant_id = ? and r.id = ?::uuid)`;
      const items = await rows<ReportedStay>(
        em,
        `select ${COLUMNS} ${found} ${after === undefined ? '' : behind} order by ${order}, r.id limit ?`,
        [...here, ...(after === undefined ? [] : [to.tenantId, after]), limit + 1],
      );
      const page = items.slice(0, limit);
      const next = items.length > limit ? page.at(-1)!.reservationId : undefined;
      return { items: page, totals, next };
    });
}

async function rows<Row>(em: EntityManager, sql: string, values: unknown[]): Promise<Row[]> {
  return (await em.execute(sql, values)) as unknown as Row[];
}
