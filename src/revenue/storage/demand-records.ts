import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import type { Database } from '../../platform/database/database.ts';
import { DEMAND } from '../../rates/rules/demand-model.ts';
import type { DemandRecords } from '../ports.ts';
import type { DemandSummary } from '../rules/demand-learning/learn-demand.ts';
import { COUNTED_QUOTE, ELASTICITIES, figureOf } from '../rules/demand-learning/price-response.ts';

/** Cells that are read; of more the earliest arrivals are left out. */
const MAX_CELLS = 100_000;

/** Other properties of a tenant that are read. */
const MAX_OTHERS = 500;

/** Summaries of properties that have stopped learning say nothing any more. */
const SUMMARY_DAYS = 60;

/** Friday and Saturday nights. */
const IS_WEEKEND = 'case when extract(isodow from arrival) in (5, 6) then 1 else 0 end';

/** Groups with a booking and two prices: no others can say anything. In the order of `COUNTED_QUOTE`. */
const CELLS = `
  select json_agg(json_build_array(of_group, lead, weekend, ratio, market, shown, booked)) as cells from (
    select dense_rank() over (order by arrival desc, room_type, lead, nights) as of_group, lead, ${IS_WEEKEND} as weekend,
      ratio, market, shown, booked
    from (
      select arrival, room_type, lead, nights, ratio, market, shown, booked, sum(booked) over of_group as bookings,
        count(*) over of_group as prices
      from quote_counts where tenant_id = ? and property_id = ? and arrival >= ?::date
      window of_group as (partition by arrival, room_type, lead, nights)
    ) counted
    where bookings > 0 and prices > 1
    order by arrival desc, room_type, lead, nights, ratio, market limit ${MAX_CELLS}
  ) chosen`;

const TOTALS = `
  select lead, ${IS_WEEKEND} as weekend, sum(shown)::float8 as quotes, sum(booked)::float8 as bookings
  from quote_counts where tenant_id = ? and property_id = ? and arrival >= ?::date group by 1, 2`;

/** Bookings of guests by lead and nights; guests of groups do not choose how long they stay. */
const LENGTHS = `
  select greatest(width_bucket(check_in - (created_at at time zone ?)::date, ?::int[]), 1)::int as row,
    least(nights, ${DEMAND.lengthOfStay.length})::int as length, count(*)::int as stays
  from reservations where tenant_id = ? and property_id = ? and check_in >= ?::date and deleted_at is null
    and group_id is null
  group by 1, 2`;

const OTHERS = `
  select summary from demand_summaries where tenant_id = ? and property_id <> ? and learned_on >= ?::date
  order by property_id limit ${MAX_OTHERS}`;

const STORE = `
  insert into demand_summaries (tenant_id, property_id, learned_on, summary) values (?, ?, ?::date, ?::json)
  on conflict (tenant_id, property_id) do update set learned_on = excluded.learned_on, summary = excluded.summary`;

const FORGET = 'delete from quote_counts where tenant_id = ? and property_id = ? and arrival < ?::date';

type Rows = [
  { cells: number[][] | null }[],
  { lead: number; weekend: number; quotes: number; bookings: number }[],
  { row: number; length: number; stays: number }[],
  { summary: DemandSummary }[],
];

/** Counted quotes, bookings and what other properties have learned, in one snapshot. */
export function databaseDemandRecords(database: Database): DemandRecords {
  const write = async (tenantId: string, sql: string, values: unknown[]): Promise<void> => {
    await database.inTenant(tenantId, (em) => em.execute(sql, values));
  };
  return {
    async read({ tenantId, propertyId }, { timezone, from, today }) {
      const ofProperty = [tenantId, propertyId, formatDay(from)] as const;
      const leads = `{${DEMAND.elasticity.map(({ fromDays }) => fromDays).join(',')}}`;
      const [[first], totals, lengths, others] = (await database.readAtOnce(
        tenantId,
        [CELLS, ...ofProperty],
        [TOTALS, ...ofProperty],
        [LENGTHS, timezone, leads, ...ofProperty],
        [OTHERS, tenantId, propertyId, formatDay(today - SUMMARY_DAYS)],
      )) as unknown as Rows;
      return {
        counted: Int32Array.from((first?.cells ?? []).flatMap((cell) => cell.slice(0, COUNTED_QUOTE.width))),
        totals: totalsOf(totals),
        lengths: lengthsOf(lengths),
        others: others.map(({ summary }) => summary),
      };
    },
    store: ({ tenantId, propertyId }, on, summary) =>
      write(tenantId, STORE, [tenantId, propertyId, formatDay(on), JSON.stringify(summary)]),
    forget: ({ tenantId, propertyId }, before: Day) =>
      write(tenantId, FORGET, [tenantId, propertyId, formatDay(before)]),
  };
}

function totalsOf(rows: Rows[1]): { quotes: number; bookings: number }[] {
  const totals = Array.from({ length: ELASTICITIES }, () => ({ quotes: 0, bookings: 0 }));
  for (const { lead, weekend, quotes, bookings } of rows) {
    const total = totals[figureOf(DEMAND.leadTimes[lead]?.fromDays ?? 0, weekend === 1)]!;
    total.quotes += quotes;
    total.bookings += bookings;
  }
  return totals;
}

function lengthsOf(rows: Rows[2]): number[][] {
  const lengths = DEMAND.elasticity.map(() => DEMAND.lengthOfStay.map(() => 0));
  for (const { row, length, stays } of rows) lengths[row - 1]![length - 1]! += stays;
  return lengths;
}
