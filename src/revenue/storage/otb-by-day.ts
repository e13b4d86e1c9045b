import type { EntityManager } from '@mikro-orm/postgresql';

import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import { penaltyOfDay, type PenaltyParts } from '../../money/rules/penalty.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Cancellation } from '../../stay/rules/reservation.ts';
import { type PackedNight, unpackNight } from '../../stay/storage/packed-night.ts';
import type { OtbByDay } from '../ports.ts';
import type { ArrivalPickup, OtbOfDay, MoneyMoved, SoldRooms } from '../rules/night-audit.ts';

/** Stays of a night that were begun. Nights lie packed in the reservation: day, rate, taxes, fees. */
const SOLD = `
  select r.room_type as "roomType", count(*)::int as rooms, sum((n ->> 1)::bigint)::float8 as revenue,
    sum((n ->> 2)::bigint)::float8 as taxes, sum((n ->> 3)::bigint)::float8 as fees
  from reservations r, json_array_elements(r.details -> 'nights') n
  where r.tenant_id = ? and r.property_id = ? and r.deleted_at is null and r.status in ('CHECKED_IN', 'CHECKED_OUT')
    and r.check_in <= ?::date and r.check_out > ?::date and (n ->> 0)::int = ?
  group by 1 order by 1`;

/** Guests who should have left by the date and whose night is not posted; a stay has 90 nights at most. */
const UNPOSTED = `
  select count(*) from reservations o
  where o.tenant_id = ? and o.property_id = ? and o.deleted_at is null and o.status = 'CHECKED_IN'
    and o.check_out <= ?::date and o.nights < 90`;

/** What became of the reservations whose arrival was this date. */
const DUE = `
  select count(*)::int as reservations, count(*) filter (where status = 'CANCELLED')::int as cancelled,
    count(*) filter (where status = 'NO_SHOW')::int as "noShows",
    (count(*) filter (where status = 'CONFIRMED') + (${UNPOSTED}))::int as awaited
  from reservations where tenant_id = ? and property_id = ? and deleted_at is null and check_in = ?::date`;

/** Bookings of the journal rows of the day, each as it was then (`BookingFact`). */
const OTB_ROWS = `
  with told as materialized (
    select f ->> 0 as event, coalesce(f ->> 1, j.entity)::uuid as id, (f ->> 5)::int as arrival, f ->> 10 as status
    from journal j, json_array_elements(j.facts -> 'bookings') f
    where j.tenant_id = ? and j.property_id = ? and j.at >= ?::timestamptz and j.at < ?::timestamptz
  )`;

const CAME_AND_WENT = `${OTB_ROWS}
  select (select count(distinct id)::int from told where event = 'CHECKED_IN') as arrivals,
    (select count(distinct id)::int from told where event = 'CHECKED_OUT') as departures,
    (select coalesce(sum((c ->> 'amount')::bigint), 0)::float8
     from (select distinct id from told where event = 'CHECKED_OUT') left_us
       join reservations r on r.tenant_id = ? and r.id = left_us.id, json_array_elements(r.details -> 'charges') c
     where (c ->> 'afterwards') is null and (c ->> 'id') is null)
    + (select coalesce(sum((c ->> 'amount')::bigint), 0)::float8
     from (select distinct id from told where event = 'REFUNDED') credited
       join reservations r on r.tenant_id = ? and r.id = credited.id, json_array_elements(r.details -> 'charges') c
     where (c ->> 'afterwards')::boolean and (c ->> 'day')::int = ?)
    + (select coalesce(sum((c ->> 'amount')::bigint), 0)::float8
     from reservations r, json_array_elements(r.details -> 'charges') c
     where r.tenant_id = ? and r.property_id = ? and r.deleted_at is null and r.status in ('CHECKED_IN', 'CHECKED_OUT')
       and r.check_in <= ?::date and r.check_out >= ?::date
       and (c ->> 'id') is not null and (c ->> 'day')::int = ?) as charges`;

/** Stays that may have cost a penalty that day, or had one waived: no-shows are marked after the day. */
const ENDED = `${OTB_ROWS}
  select r.details -> 'cancellation' as ending, r.details -> 'nights' as nights
  from reservations r
  where r.tenant_id = ? and r.property_id = ? and r.deleted_at is null and r.status in ('CANCELLED', 'NO_SHOW')
    and (r.id in (select id from told where event in ('CANCELLED', 'NO_SHOW', 'REFUNDED'))
      or (r.check_in = ?::date and r.status = 'NO_SHOW'))`;

/** A booking counts from when it is confirmed; who cancels before that was never on the books. */
const PICKUP = `${OTB_ROWS}, moved as (
    select arrival, 1 as booked, 0 as cancelled from told
    where event in ('CREATED', 'CONFIRMED') and status = 'CONFIRMED'
    union all
    select arrival, 0, 1 from told where event = 'CANCELLED' and exists (
      select from reservation_status_history h where h.tenant_id = ? and h.reservation_id = told.id
        and h.new_status = 'CANCELLED' and h.old_status = 'CONFIRMED')
  )
  select arrival, sum(booked)::int as booked, sum(cancelled)::int as cancelled from moved group by 1 order by 1`;

const MONEY = `
  select transaction_type = 'CHARGE' as "isCharge", method, count(*)::int as count, sum(amount * 100)::float8 as amount
  from payments
  where tenant_id = ? and property_id = ? and status = 'COMPLETED' and processed_at >= ?::timestamptz
    and processed_at < ?::timestamptz
  group by 1, 2 order by 1, 2`;

type Money = MoneyMoved & { isCharge: boolean; method: OtbOfDay['payments'][number]['method'] };

/** The books of a day from journal and tables, within the tenant. */
export function databaseOtbByDay(database: Database): OtbByDay {
  return {
    read: ({ tenantId, propertyId }, { date, from, to }) =>
      database.readTenant(tenantId, async (em) => {
        const [here, day] = [[tenantId, propertyId], formatDay(date)];
        const span = [...here, formatInstant(from), formatInstant(to)];
        const sold = await ask<SoldRooms>(em, SOLD, [...here, day, day, date]);
        const [due] = await ask<OtbOfDay['due']>(em, DUE, [...here, day, ...here, day]);
        const [moves] = await ask<Moves>(em, CAME_AND_WENT, [
          ...span,
          tenantId,
          tenantId,
          date,
          ...here,
          day,
          day,
          date,
        ]);
        const ended = await ask<Ended>(em, ENDED, [...span, ...here, day]);
        const bookings = await ask<ArrivalPickup>(em, PICKUP, [...span, tenantId]);
        const money = await ask<Money>(em, MONEY, span);
        return { sold, due: due!, ...moves!, penalties: penaltiesOf(ended, date), bookings, ...moneyOf(money) };
      }),
  };
}

type Moves = Pick<OtbOfDay, 'arrivals' | 'departures' | 'charges'>;

type Ended = { ending: Cancellation; nights: PackedNight[] };

function penaltiesOf(ended: readonly Ended[], date: Day): PenaltyParts {
  const parts = ended.map(({ ending, nights }) => penaltyOfDay(ending, nights.map(unpackNight), date));
  return {
    revenue: parts.reduce((sum, { revenue }) => sum + revenue, 0),
    taxes: parts.reduce((sum, { taxes }) => sum + taxes, 0),
  };
}

/** A void takes a charge back, which counts as a refund. */
function moneyOf(rows: readonly Money[]): Pick<OtbOfDay, 'payments' | 'refunds'> {
  const refunds = { count: 0, amount: 0 };
  const payments: OtbOfDay['payments'] = [];
  for (const { isCharge, method, count, amount } of rows) {
    if (isCharge) payments.push({ method, count, amount });
    else {
      refunds.count += count;
      refunds.amount += amount;
    }
  }
  return { payments, refunds };
}

async function ask<Row>(em: EntityManager, sql: string, values: unknown[]): Promise<Row[]> {
  return (await em.execute(sql, values)) as unknown as Row[];
}
