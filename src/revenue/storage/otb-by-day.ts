import type { EntityManager } from '@mikro-orm/postgresql';

import type { RowsOfDate } from '../../history/rules/rows-of-date.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { type Minor, negated } from '../../kernel/rules/money.ts';
import { formatInstant, type Instant } from '../../kernel/rules/property-time.ts';
import { MAX_NIGHTS } from '../../kernel/rules/sale-window.ts';
import { type Earned, earnedTogether, noShowPosting, postingsOn } from '../../money/rules/posting-days.ts';
import type { Database } from '../../platform/database/database.ts';
import { departureSql, ms } from '../../platform/database/load-sql.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { type PackedNight, unpackNight } from '../../stay/storage/packed-night.ts';
import type { OtbByDay } from '../ports.ts';
import type { ArrivalPickup, UncountedStays, OtbOfDay, MoneyMoved } from '../rules/night-audit.ts';

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
    select f ->> 0 as event, coalesce(f ->> 1, j.entity)::uuid as id, (f ->> 5)::int as arrival, f ->> 10 as status
    from journal j, json_array_elements(j.facts -> 'bookings') f
    where j.tenant_id = ? and j.property_id = ? and j.seq > ? and j.seq <= ?
  )`;

const MOVEMENTS = `${OTB_ROWS}
  select (select count(distinct id)::int from booked where event = 'CHECKED_IN') as arrivals,
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
 * start. A night may have been removed from a stay before its audit is made.
 */
const RESERVATIONS = `
  with changed as materialized (
    select distinct case when j.entity ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then j.entity::uuid end as id ${ROWS}
  )
  select r.id, r.room_type as "roomType", r.status, r.details -> 'nights' as nights,
    r.details -> 'cancellation' as cancellation, r.details -> 'charges' as charges,
    (r.details ->> 'retained')::float8 as retained, r.details -> 'posted' as posted, r.currency
  from reservations r
  where r.tenant_id = ? and r.property_id = ? and r.deleted_at is null
    and (r.check_in <= ?::date and r.check_out > ?::date or r.id in (select id from changed) or r.id = any (?::uuid[]))`;

const MONEY = `
  select id, reservation_id as "reservationId", transaction_type = 'CHARGE' as "isCharge", method,
    details -> 'chargeback' is not null as "isChargeback",
    (amount * 100)::float8 as amount, ${ms('processed_at')} as "processedAt"
  from payments where tenant_id = ? and reservation_id = any (?::uuid[]) and status = 'COMPLETED'
  order by method, id`;

type DayMovements = Pick<OtbOfDay, 'arrivals' | 'departures'> & { touched: string[]; gone: string[] };
type Missed = { seq: number; id: string; arrival: Day; isLate: boolean };
type BookRow = Pick<
  Reservation,
  'id' | 'status' | 'cancellation' | 'charges' | 'retained' | 'posted' | 'currency'
> & {
  roomType: string;
  nights: PackedNight[];
};
type MoneyRow = {
  id: string;
  reservationId: ReservationId;
  isCharge: boolean;
  isChargeback: boolean;
  method: OtbOfDay['payments'][number]['method'];
  amount: Minor;
  processedAt: Instant | null;
};

export function databaseOtbByDay(database: Database): OtbByDay {
  return ({ tenantId, propertyId }, rows, dates) =>
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
      const missed = await ask<Missed>(em, MISSED, [...here, rows.after, seen]);
      const ids = arrayOf([...touched, ...missed.map(({ id }) => id)]);
      const first = formatDay(dates[0]!);
      const last = formatDay(dates.at(-1)!);
      const all = await ask<BookRow>(em, RESERVATIONS, [...here, rows.after, seen, ...here, last, first, ids]);
      const { found, unreadable } = readableOf(all);
      const paying = arrayOf(all.map(({ id }) => id));
      const money = within ? await ask<MoneyRow>(em, MONEY, [tenantId, paying]) : [];
      const books = due.map(({ date, awaited, overstayed, ...ofDate }): OtbOfDay => {
        const day = { ...rows, date };
        const { unposted, ...booked } = bookedOn(day, found, { missed, gone: new Set(gone) });
        const leftOut: UncountedStays[] = [
          ...awaited.map((reservationId) => ({ reservationId, reason: 'ARRIVAL_NOT_MARKED' as const })),
          ...overstayed.map((reservationId) => ({ reservationId, reason: 'OVERSTAY_NOT_POSTED' as const })),
          ...[...unreadable, ...unposted].map((id) => ({ reservationId: id, reason: 'UNREADABLE' as const })),
        ];
        const counts = { ...ofDate, awaited: awaited.length, overstayed: overstayed.length };
        const named = leftOut.length > 0 && { leftOut };
        return { due: counts, ...named, ...moves, bookings, ...booked, ...moneyOn(day, found, money) };
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
/** A business date as an audit reads it (docs/concepts/night-audit.md#postings). */
type AuditedDay = RowsOfDate & { date: Day };
type Found = Omit<BookRow, 'nights'> & Pick<Reservation, 'nights'>;

const never = (): never => {
  throw new Error('the database has counted nothing');
};

const arrayOf = (ids: readonly (string | number)[]): string => `{${ids.join(',')}}`;

/** Rows in the types of the rules; an unreadable one is listed, and does not delay the others. */
function readableOf(rows: readonly BookRow[]): { found: Found[]; unreadable: ReservationId[] } {
  const unreadable: ReservationId[] = [];
  const found = rows.flatMap((row) => {
    try {
      return withoutNulls({ ...row, nights: row.nights.map(unpackNight) });
    } catch {
      unreadable.push(row.id);
      return [];
    }
  });
  return { found, unreadable };
}

/** Database nulls are absent members here. */
function withoutNulls(row: Found): Found {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Found;
}

function bookedOn(
  day: AuditedDay,
  found: readonly Found[],
  { missed, gone }: { missed: readonly Missed[]; gone: ReadonlySet<string> },
): Pick<OtbOfDay, 'sold' | 'charges' | 'chargeTaxes' | 'penalties' | 'byTax' | 'late'> & {
  unposted: ReservationId[];
} {
  const { date } = day;
  const noShows = Map.groupBy(missedOn(day, missed), ({ id }) => id);
  const unposted: ReservationId[] = [];
  const postings = found.flatMap((one) => {
    try {
      const due = (noShows.get(one.id) ?? []).flatMap(({ later }) => noShowPosting(one, later) ?? []);
      const posted = [...postingsOn(one, date, gone.has(one.id) ? date : undefined), ...due];
      return posted.map((posting) => ({ ...posting, roomType: one.roomType }));
    } catch {
      unposted.push(one.id);
      return [];
    }
  });
  const own = postings.filter(({ of }) => of === date);
  const late = Map.groupBy(
    postings.filter(({ of }) => of !== date),
    ({ of }) => of,
  );
  const all = earnedTogether(own);
  const { chargeTaxes = 0, byTax = [] } = all;
  const isNight = ({ nights, rooms }: Earned): boolean => nights !== 0 || rooms !== 0;
  const sold = [...Map.groupBy(own.filter(isNight), ({ roomType }) => roomType)].map(([roomType, ofType]) => {
    const { nights, rooms: revenue, taxes, ...more } = earnedTogether(ofType);
    return {
      roomType,
      rooms: nights,
      ...(more.comps !== undefined && { comps: more.comps }),
      revenue,
      taxes: taxes - (more.chargeTaxes ?? 0),
      fees: more.fees ?? 0,
      byTax: more.byTax?.filter(({ group }) => group === 'ROOM') ?? [],
    };
  });
  const soldTaxes = sum(sold, ({ taxes }) => taxes);
  const soldFees = sum(sold, (one) => one.fees);
  return {
    unposted,
    sold,
    charges: all.extras - soldFees,
    chargeTaxes,
    penalties: { revenue: all.penalties, taxes: all.taxes - soldTaxes - chargeTaxes },
    byTax,
    late: [...late].sort(([a], [b]) => a - b).map(([of, ofDay]) => ({ date: of, ...earnedTogether(ofDay) })),
  };
}

/**
 * No-shows are marked when their day is over, and belong to it while its audit waits for them; a guest marked later
 * belongs to the date of the marking. Each with the number of later markings of the same guest.
 */
function missedOn({ date, to }: AuditedDay, missed: readonly Missed[]): { id: string; later: number }[] {
  return missed.flatMap(({ seq, id, arrival, isLate }, index) => {
    const isHere = arrival === date ? !isLate : isLate && seq <= to;
    return isHere ? [{ id, later: missed.slice(index + 1).filter((other) => other.id === id).length }] : [];
  });
}

/** A void reverses a charge, which counts as a refund. A chargeback is a payment below 0: nobody has given it. */
function moneyOn(
  { date, from, until }: AuditedDay,
  found: readonly Found[],
  rows: readonly MoneyRow[],
): Pick<OtbOfDay, 'payments' | 'refunds' | 'chargebacks'> {
  const posted = new Map(found.map(({ id, posted: days }) => [id, days?.money]));
  const ofDay = rows.filter(({ id, reservationId, processedAt }) => {
    const on = posted.get(reservationId)?.[id];
    if (on !== undefined) return on === date;
    // Recorded by the release before, which counts it at the provider's time.
    return processedAt !== null && processedAt >= from && processedAt < until;
  });
  const together = (all: readonly MoneyRow[]): MoneyMoved => ({
    count: all.length,
    amount: sum(all, ({ amount }) => amount),
  });
  const refunds = ofDay.filter(({ isCharge, isChargeback }) => !isCharge && !isChargeback);
  const chargebacks = ofDay.filter(({ isChargeback }) => isChargeback);
  const payments = ofDay.flatMap((row) => {
    if (row.isChargeback) return { ...row, amount: negated(row.amount) };
    return row.isCharge ? row : [];
  });
  const methods = Map.groupBy(payments, ({ method }) => method);
  return {
    payments: [...methods].map(([method, all]) => ({ method, ...together(all) })),
    refunds: together(refunds),
    ...(chargebacks.length > 0 && { chargebacks: together(chargebacks) }),
  };
}

async function ask<Row>(em: EntityManager, sql: string, values: unknown[]): Promise<Row[]> {
  return (await em.execute(sql, values)) as unknown as Row[];
}
