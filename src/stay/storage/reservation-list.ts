import type { EntityManager } from '@mikro-orm/postgresql';

import { foldKey } from '../../guests/rules/guest-keys.ts';
import type { Page, PagePosition } from '../../kernel/ports.ts';
import { type Day, formatDay, parseDay } from '../../kernel/rules/dates.ts';
import type { ReservationId, TenantId } from '../../kernel/rules/ids.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import { rowsOf } from '../../platform/database/database.ts';
import { PaymentEntity, type ReservationRow } from '../../platform/database/entities/reservations.ts';
import { DEPARTURE_SQL } from '../../platform/database/load-sql.ts';
import { statusKey } from '../../platform/database/row-values.ts';
import type { ReservationFilter, ReservationPage } from '../ports.ts';
import type { Reservation } from '../rules/reservation.ts';
import { toReservation } from './reservation-row.ts';

const FIRST_DAY: Day = parseDay('0001-01-01')!;

/** Up to so many days all reservations are read; for longer ranges the newest ones until the page is full. */
const MAX_DAYS_AT_ONCE = 31;

/** SQL with a question mark for each value. */
type Condition = [sql: string, ...values: unknown[]];

/**
 * Parameters: the business date, tenant and property. Guests who were due, those who should have left, instalments that
 * are not paid, and chargebacks that nobody has closed (index `payments_charged_back`).
 */
const MAY_GIVE_DESK_TASKS = `exists (select from (select ?::date as today) d where
  r.status_key = ${statusKey('CONFIRMED')} and r.check_in < d.today
  or r.status_key = ${statusKey('CONFIRMED')} and r.balance_due > 0 and r.details #>> '{guarantee,kind}' = 'PREPAY'
  or r.status_key = ${statusKey('CONFIRMED')} and r.details #> '{source,overbooked}' is not null
  or r.status_key = ${statusKey('CHECKED_IN')} and ${DEPARTURE_SQL} < d.today
  or r.balance_due > 0 and r.id = any (array(
    select c.reservation_id from payments c
    where c.tenant_id = ? and c.property_id = ? and c.details -> 'chargeback' is not null
      and c.details #> '{chargeback,closed}' is null)))`;

/**
 * Implied by the conditions before it, but without these words the planner does not use the index of changed
 * reservations.
 */
const CHANGED: Condition = ['r.updated_at > r.created_at'];

/**
 * Reads one page of the reservations of a tenant, newest first. A row that cannot be read is left out and named.
 * @param after last reservation of the page before
 */
export async function readPage(
  em: EntityManager,
  tenantId: TenantId,
  filter: ReservationFilter,
  limit: number,
  after?: PagePosition,
): Promise<ReservationPage> {
  // One row more than requested shows whether there is a next page.
  const rows = await newestRows(em, tenantId, filter, limit + 1, after);
  const listed = rows.slice(0, limit);
  const unreadable = new Map<ReservationId, unknown>();
  const items = await withPayments(em, tenantId, listed, unreadable);
  const page = { items, ...(unreadable.size > 0 && { unreadable: [...unreadable.keys()] }) };
  const last = listed.at(-1);
  return rows.length > limit && last
    ? { ...page, next: { createdAt: last.created_at.getTime(), id: last.id } }
    : page;
}

/** The same without what stands in them: a row that cannot be read is listed like any other. */
export async function readIds(
  em: EntityManager,
  tenantId: TenantId,
  filter: ReservationFilter,
  limit: number,
  after?: PagePosition,
): Promise<Page<ReservationId>> {
  const rows = await newestRows(em, tenantId, filter, limit + 1, after);
  const items = rows.slice(0, limit).map(({ id }) => id);
  const last = rows[items.length - 1];
  return rows.length > limit && last
    ? { items, next: { createdAt: last.created_at.getTime(), id: last.id } }
    : { items };
}

async function newestRows(
  em: EntityManager,
  tenantId: TenantId,
  filter: ReservationFilter,
  most: number,
  after?: PagePosition,
): Promise<ReservationRow[]> {
  const all = conditionsOf(tenantId, filter);
  if (after) all.push(['(r.created_at, r.id) < (?, ?)', new Date(after.createdAt), after.id]);
  const { updatedSince: since } = filter;
  if (since === undefined) {
    if (isPersonal(filter)) return gather(em, tenantId, all, most);
    const days = fewDays(filter);
    if (days && filter.propertyId === undefined) return dayByDay(em, tenantId, all, days, most);
    return days || filter.inHouseOn !== undefined ? gather(em, tenantId, all, most) : walk(em, all, most);
  }
  // A reservation created since then has also changed since then, and is newer than all others.
  const at = new Date(since);
  const arrivalColumn =
    after && after.createdAt < since ? [] : await walk(em, [...all, ['r.created_at >= ?', at]], most);
  if (arrivalColumn.length === most) return arrivalColumn;
  const changed: Condition[] = [...all, ['r.created_at < ?', at], ['r.updated_at >= ?', at], CHANGED];
  return [
    ...arrivalColumn,
    ...(await gather(em, tenantId, changed, most - arrivalColumn.length, 'order by r.updated_at desc')),
  ];
}

/** Whether the filter is selective: few reservations match. */
function isPersonal({ guestId, email, confirmationNumber, groupId, ...filter }: ReservationFilter): boolean {
  const { bookingId, externalId } = filter;
  return [guestId, email, confirmationNumber, groupId, bookingId, externalId].some((key) => key !== undefined);
}

/** A short range of arrival or departure days; undefined for longer ranges. */
type FewDays = { of: 'arrival' | 'departure'; from: Day; count: number };

function fewDays({ arrivalFrom, arrivalTo, departureFrom, departureTo }: ReservationFilter): FewDays | undefined {
  const few = (of: FewDays['of'], from = -Infinity, to = Infinity): FewDays | undefined =>
    to - from < MAX_DAYS_AT_ONCE ? { of, from, count: Math.max(0, to - from + 1) } : undefined;
  return few('arrival', arrivalFrom, arrivalTo) ?? few('departure', departureFrom, departureTo);
}

/** Reads from newest to oldest until the page is full. */
async function walk(em: EntityManager, conditions: readonly Condition[], most: number): Promise<ReservationRow[]> {
  const { where, values } = joined(conditions);
  const sql = `select r.* from reservations r where ${where} order by r.created_at desc, r.id desc limit ?`;
  return (await em.execute(sql, [...values, most])) as unknown as ReservationRow[];
}

/**
 * Finds all matches by an index of the filter, then picks the newest; statistics cannot make the planner scan by date.
 * @param met order in which they are found, ideally newest first
 */
async function gather(
  em: EntityManager,
  tenantId: TenantId,
  conditions: readonly Condition[],
  most: number,
  met = '',
): Promise<ReservationRow[]> {
  const { where, values } = joined(conditions);
  // `offset 0` prevents the planner from using the outer order for the search.
  const sql = `
    select r.* from reservations r where r.tenant_id = ? and r.id = any (array(
      select f.id from (select r.created_at, r.id from reservations r where ${where} ${met} offset 0) f
      order by f.created_at desc, f.id desc limit ?))
    order by r.created_at desc, r.id desc`;
  return (await em.execute(sql, [tenantId, ...values, most])) as unknown as ReservationRow[];
}

/**
 * Picks the newest of each day of arrival or departure in index order, then the newest of these: a tenant has too many
 * arrivals a month to read them all.
 */
async function dayByDay(
  em: EntityManager,
  tenantId: TenantId,
  conditions: readonly Condition[],
  { of, from, count }: FewDays,
  most: number,
): Promise<ReservationRow[]> {
  const { where, values } = joined(conditions);
  const [came, gone, nights, which] =
    of === 'arrival'
      ? ['d.day', 'd.day + n', '1', 'true']
      : // Day use leaves on the day of arrival, and takes its night.
        ['d.day - n', 'case n when 0 then d.day + 1 else d.day end', '0', '(s.n = 0) = coalesce(r.day_use, false)'];
  // `offset 0` turns expressions into columns: row security allows no expression in an index condition.
  const sql = `
    select r.* from reservations r where r.tenant_id = ? and r.id = any (array(
      select f.id
      from (
        select ${came} as came, ${gone} as gone, n
        from (select ?::date + x as day from generate_series(0, ?::int - 1) x) d, generate_series(${nights}, ${MAX_NIGHTS}) n
        offset 0) s
      cross join lateral (
        select r.created_at, r.id from reservations r where ${where} and r.check_in = s.came and r.check_out = s.gone and ${which}
        order by r.created_at desc, r.id desc limit ?) f
      order by f.created_at desc, f.id desc limit ?))
    order by r.created_at desc, r.id desc`;
  return (await em.execute(sql, [
    tenantId,
    formatDay(from),
    count,
    ...values,
    most,
    most,
  ])) as unknown as ReservationRow[];
}

function joined(conditions: readonly Condition[]): { where: string; values: unknown[] } {
  return {
    where: conditions.map(([sql]) => sql).join(' and '),
    values: conditions.flatMap(([, ...values]) => values),
  };
}

/** Statuses whose nights nobody uses. */
const NOT_COMING = (['CANCELLED', 'NO_SHOW'] as const).map(statusKey).join(', ');

/** Earliest possible arrival of a guest who is in house on a day; there are no days before the year 1. */
function earliestArrival(day: Day): string {
  return formatDay(Math.max(FIRST_DAY, day - MAX_NIGHTS));
}

/** Stays that are shared by a guest with an e-mail address; one array, as in `NIGHTS` of the guest book. */
const SHARED_BY = `r.sharer_id = any (array(select g.id from guests g where g.tenant_id = ? and g.email_key = ?))`;

/** Stays of a guest, and of profiles that were merged with that of the guest. */
const OF_GUEST = '(r.guest_id = any (guest_ids_v1(?, ?::uuid)) or r.sharer_id = any (guest_ids_v1(?, ?::uuid)))';

const dayAfter = (day: Day): string => formatDay(day + 1);

/** Conditions of the filter; each can use an index of 09-reservations.sql under row security. */
function conditionsOf(tenantId: TenantId, filter: ReservationFilter): Condition[] {
  const { arrivalFrom, arrivalTo, departureFrom, departureTo, inHouseOn } = filter;
  const all: Condition[] = [['r.tenant_id = ?', tenantId], ['r.deleted_at is null']];
  const given = <T>(value: T | undefined, sql: string, of: (value: T) => unknown = (same) => same): void => {
    if (value !== undefined) all.push([sql, of(value)]);
  };
  given(filter.propertyId, 'r.property_id = ?');
  given(filter.status, 'r.status_key = ?', statusKey);
  given(arrivalFrom, 'r.check_in >= ?::date', formatDay);
  given(arrivalTo, 'r.check_in <= ?::date', formatDay);
  given(departureFrom, `${DEPARTURE_SQL} >= ?::date`, formatDay);
  given(departureTo, `${DEPARTURE_SQL} <= ?::date`, formatDay);
  // For the index: the room is taken for one night more by day use.
  given(departureFrom, 'r.check_out >= ?::date', formatDay);
  given(departureTo, 'r.check_out <= ?::date', dayAfter);
  given(inHouseOn, 'r.check_in <= ?::date', formatDay);
  given(inHouseOn, 'r.check_out > ?::date', formatDay);
  if (inHouseOn !== undefined && filter.status === undefined) all.push([`r.status_key not in (${NOT_COMING})`]);
  // A guest who is in house or leaves has arrived at most MAX_NIGHTS days before: the index of days begins with arrivals.
  given(inHouseOn, 'r.check_in > ?::date', earliestArrival);
  given(departureFrom, 'r.check_in >= ?::date', earliestArrival);
  given(departureTo, 'r.check_in <= ?::date', formatDay);
  if (filter.deskTasksOn !== undefined)
    all.push([MAY_GIVE_DESK_TASKS, formatDay(filter.deskTasksOn), tenantId, filter.propertyId]);
  if (filter.guestId !== undefined) all.push([OF_GUEST, tenantId, filter.guestId, tenantId, filter.guestId]);
  if (filter.email !== undefined)
    all.push([`(r.email_key = ? or ${SHARED_BY})`, foldKey(filter.email), tenantId, foldKey(filter.email)]);
  given(filter.confirmationNumber, 'r.confirmation_number = ?');
  given(filter.groupId, 'r.group_id = ?');
  given(filter.bookingId, 'r.booking_id = ?');
  given(filter.externalId, 'r.external_id = ?');
  given(filter.channel, 'r.source = ?');
  return all;
}

/**
 * Loads the payments of all rows with one query.
 * @param unreadable gets rows that cannot be read, by id with the error, which are left out; without it such a row throws
 */
export async function withPayments(
  em: EntityManager,
  tenantId: TenantId,
  rows: readonly ReservationRow[],
  unreadable?: Map<ReservationId, unknown>,
): Promise<Reservation[]> {
  if (rows.length === 0) return [];
  const payments = await rowsOf(
    em
      .createQueryBuilder(PaymentEntity)
      .where({ tenant_id: tenantId, reservation_id: { $in: rows.map((row) => row.id) } })
      .orderBy({ created_at: 'asc', id: 'asc' }),
  );
  const byReservation = Map.groupBy(payments, (payment) => payment.reservation_id);
  return rows.flatMap((row) => {
    try {
      return toReservation(row, byReservation.get(row.id) ?? []);
    } catch (error) {
      if (!unreadable) throw error;
      unreadable.set(row.id, error);
      return [];
    }
  });
}
