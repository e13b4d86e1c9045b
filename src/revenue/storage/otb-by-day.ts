import type { EntityManager } from '@mikro-orm/postgresql';

import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import type { Database } from '../../platform/database/database.ts';
import { departureSql, ms } from '../../platform/database/load-sql.ts';
import { presentMembers } from '../../platform/database/row-values.ts';
import { type PackedNight, unpackNight } from '../../stay/storage/packed-night.ts';
import type { OtbByDay } from '../ports.ts';
import type { ArrivalPickup, OtbOfDay, UncountedStays } from '../rules/night-audit.ts';
import { type AuditedStay, type CompletedPayment, type MissedArrival, otbOfDay } from '../rules/otb-of-day.ts';

const SEEN = `select seq::float8 as seen from property_actor where tenant_id = ? and property_id = ?`;

/** Reservations by arrival date with their outcome, and overstays that are not posted yet. */
const DUE = `
  select of.date, count(r.id)::int as reservations, count(*) filter (where r.status = 'CANCELLED')::int as cancelled,
    count(*) filter (where r.status = 'NO_SHOW')::int as "noShows",
    coalesce(json_agg(r.id) filter (where r.status = 'CONFIRMED' and not exists (
      select from reservation_status_history h where h.tenant_id = r.tenant_id and h.reservation_id = r.id
        and h.new_status = 'CONFIRMED' and h.changed_at >= ?::timestamptz)), '[]') as awaited,
    (select coalesce(json_agg(o.id), '[]') from reservations o
      where o.tenant_id = ? and o.property_id = ? and o.deleted_at is null and o.status = 'CHECKED_IN'
        and ${departureSql('o')} <= date '1970-01-01' + of.date and o.nights < ${MAX_NIGHTS}) as overstayed
  from unnest(?::int[]) of (date) left join reservations r on r.tenant_id = ? and r.property_id = ?
    and r.deleted_at is null and r.check_in = date '1970-01-01' + of.date
  group by 1 order by 1`;

const ROWS = `from journal j where j.tenant_id = ? and j.property_id = ? and j.seq > ? and j.seq <= ?`;

/** Bookings in the journal rows of the day, in their state at that time (`BookingFact`). */
const OTB_ROWS = `
  with booked as materialized (
    select j.seq, f ->> 0 as event, coalesce(f ->> 1, j.entity)::uuid as id, (f ->> 5)::int as arrival, f ->> 10 as status
    from journal j, json_array_elements(j.facts -> 'bookings') f
    where j.tenant_id = ? and j.property_id = ? and j.seq > ? and j.seq <= ?
  )`;

/** A check-in that was undone is no arrival. */
const MOVEMENTS = `${OTB_ROWS}, came as (
    select distinct on (id) event from booked where event in ('CHECKED_IN', 'CHECK_IN_UNDONE') order by id, seq desc
  )
  select (select count(*)::int from came where event = 'CHECKED_IN') as arrivals,
    (select count(distinct id)::int from booked where event = 'CHECKED_OUT') as departures,
    coalesce((select json_agg(distinct id) from booked), '[]') as touched,
    coalesce((select json_agg(distinct id) from booked where event = 'CHECKED_OUT'), '[]') as gone`;

/** A booking counts from its confirmation; one cancelled before was never on the books. */
const PICKUP = `${OTB_ROWS}, moved as (
    select arrival, 1 as booked, 0 as cancelled from booked
    where event in ('CREATED', 'CONFIRMED', 'REINSTATED') and status = 'CONFIRMED'
    union all
    select arrival, 0, 1 from booked where event = 'CANCELLED' and exists (
      select from reservation_status_history h where h.tenant_id = ? and h.reservation_id = booked.id
        and h.new_status = 'CANCELLED' and h.old_status = 'CONFIRMED')
  )
  select arrival, sum(booked)::int as booked, sum(cancelled)::int as cancelled from moved group by 1 order by 1`;

/**
 * No-shows, in order, with their arrival date. `isLate`: the audit of that date had been made. For those of an earlier
 * release the time decides.
 */
const MISSED = `
  select j.seq::float8 as seq, coalesce(f ->> 1, j.entity) as id, (f ->> 5)::int as arrival,
    exists (
      select from analytics_reports a where a.tenant_id = j.tenant_id and a.property_id = j.property_id
        and a.report_type = 'NIGHT_AUDIT' and a.period_start = date '1970-01-01' + (f ->> 5)::int
        and coalesce(j.seq > (a.parameters -> 'covers' ->> 'seen')::bigint, j.at > a.completed_at)) as "isLate"
  from journal j, json_array_elements(j.facts -> 'bookings') f
  where j.tenant_id = ? and j.property_id = ? and j.seq > ? and j.seq <= ? and j.type = 'NO_SHOW'
    and f ->> 0 = 'NO_SHOW'
  order by j.seq`;

/**
 * Reservations that may have earnings or payments: those whose stay has one of the nights, and those changed since the
 * start. A night may have been removed from a stay before its audit is made. Each by an index: the past of a property
 * is not scanned.
 */
const RESERVATIONS = `
  with changed as materialized (
    select distinct case when j.entity ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then j.entity::uuid end as id ${ROWS}
  ), wanted as materialized (
    select r.id from reservations r
    where r.tenant_id = ? and r.property_id = ? and r.check_in between ?::date - ${MAX_NIGHTS} and ?::date
      and r.check_out > ?::date
    union select id from changed union select unnest(?::uuid[])
  )
  select r.id, r.room_type as "roomType", r.status, r.details -> 'nights' as nights,
    r.details -> 'cancellation' as cancellation, r.details -> 'charges' as charges,
    (r.details ->> 'retained')::float8 as retained, r.details -> 'posted' as posted, r.currency
  from wanted join reservations r on r.tenant_id = ? and r.id = wanted.id and r.property_id = ?
  where r.deleted_at is null
  order by r.id`;

const MONEY = `
  select id, reservation_id as "reservationId", transaction_type = 'CHARGE' as "isCharge", method,
    details -> 'chargeback' is not null as "isChargeback",
    (amount * 100)::float8 as amount, ${ms('processed_at')} as "processedAt"
  from payments where tenant_id = ? and reservation_id = any (?::uuid[]) and status = 'COMPLETED'
  order by method, id`;

type DayMovements = Pick<OtbOfDay, 'arrivals' | 'departures'> & { touched: string[]; gone: string[] };
type BookRow = Omit<AuditedStay, 'nights'> & { nights: PackedNight[] };
type MoneyRow = Omit<CompletedPayment, 'currency'>;

export function databaseOtbByDay(database: Database): OtbByDay {
  return ({ tenantId, propertyId }, rows, dates, currency) =>
    database.readTenant(tenantId, async (em) => {
      const here = [tenantId, propertyId];
      const [{ seen } = never()] = await ask<{ seen: number }>(em, SEEN, here);
      const due = await ask<Due>(em, DUE, [formatInstant(rows.until), ...here, arrayOf(dates), ...here]);
      // Dates without rows cannot have any movement.
      const within = rows.after === rows.to ? undefined : [...here, rows.after, rows.to];
      const [{ touched, gone, ...moves } = NO_MOVEMENTS] = within
        ? await ask<DayMovements>(em, MOVEMENTS, within)
        : [];
      const bookings = within ? await ask<ArrivalPickup>(em, PICKUP, [...within, tenantId]) : [];
      const missed = await ask<MissedArrival>(em, MISSED, [...here, rows.after, seen]);
      const ids = arrayOf([...touched, ...missed.map(({ id }) => id)]);
      const first = formatDay(dates[0]!);
      const last = formatDay(dates.at(-1)!);
      const stays = [...here, first, last, first, ids, ...here];
      const all = await ask<BookRow>(em, RESERVATIONS, [...here, rows.after, seen, ...stays]);
      const { found, unreadable } = readableOf(all);
      const paying = arrayOf(all.map(({ id }) => id));
      const money = within ? await ask<MoneyRow>(em, MONEY, [tenantId, paying]) : [];
      const currencies = new Map(all.map((row) => [row.id, row.currency]));
      const payments = money.map((row) => ({ ...row, currency: currencies.get(row.reservationId)! }));
      const books = due.map(({ date, awaited, overstayed, ...ofDate }): OtbOfDay => {
        const recorded = { stays: found, missed, gone: new Set(gone), payments };
        const { unposted, ...booked } = otbOfDay({ ...rows, date }, currency, recorded);
        const leftOut: UncountedStays[] = [
          ...awaited.map((reservationId) => ({ reservationId, reason: 'ARRIVAL_NOT_MARKED' as const })),
          ...overstayed.map((reservationId) => ({ reservationId, reason: 'OVERSTAY_NOT_POSTED' as const })),
          ...[...unreadable, ...unposted].map((id) => ({ reservationId: id, reason: 'UNREADABLE' as const })),
        ];
        const counts = { ...ofDate, awaited: awaited.length, overstayed: overstayed.length };
        const named = leftOut.length > 0 && { leftOut };
        return { due: counts, ...named, ...moves, bookings, ...booked };
      });
      return { seen, books };
    });
}

const NO_MOVEMENTS: DayMovements = { arrivals: 0, departures: 0, touched: [], gone: [] };

type Due = Omit<OtbOfDay['due'], 'awaited' | 'overstayed'> & {
  date: Day;
  awaited: ReservationId[];
  overstayed: ReservationId[];
};

const never = (): never => {
  throw new Error('the database has counted nothing');
};

const arrayOf = (ids: readonly (string | number)[]): string => `{${ids.join(',')}}`;

/** Rows in the types of the rules; an unreadable one is listed, and does not delay the others. */
function readableOf(rows: readonly BookRow[]): { found: AuditedStay[]; unreadable: ReservationId[] } {
  const unreadable: ReservationId[] = [];
  const found = rows.flatMap((row) => {
    try {
      return presentMembers({ ...row, nights: row.nights.map(unpackNight) });
    } catch {
      unreadable.push(row.id);
      return [];
    }
  });
  return { found, unreadable };
}

async function ask<Row>(em: EntityManager, sql: string, values: unknown[]): Promise<Row[]> {
  return (await em.execute(sql, values)) as unknown as Row[];
}
