import { daySql, HAS_DYNAMIC_PLAN, ms } from '../../platform/database/load-sql.ts';

/** Statements of `competitor-rates.ts`; each runs in a transaction of its tenant. */

const here = `tenant_id = current_setting('innkeeper.tenant')`;
const instant = `to_timestamp(?::float8 / 1000)`;
const night = `date '1970-01-01' + ?::int`;

/** Properties in one page of a refresh. */
const PAGE = 50;

/** A new property is queried some time after its creation. */
const NEXT = `coalesce(s.next_sync, p.created_at + interval '10 minutes')`;

/** Parameters: sources, now, since. */
const DUE = `
  properties p
  cross join json_array_elements_text(?::json) as n (source)
  left join competitor_sources s
    on s.tenant_id = p.tenant_id and s.property_id = p.property_id and s.source = n.source
  where p.${here} and p.deleted_at is null
    and (${NEXT} <= ${instant} or coalesce(s.last_attempt, p.created_at - interval '1 millisecond') < ${instant})`;

/** Further parameter: the id before. */
export const DUE_PROPERTIES = `
  select p.property_id as "propertyId", p.metadata, json_agg(n.source) as sources,
    array(select t.room_type from room_types t
      where t.tenant_id = p.tenant_id and t.property_id = p.property_id and t.deleted_at is null
      order by 1) as "roomTypes",
    ${HAS_DYNAMIC_PLAN} as dynamic
  from ${DUE} and p.property_id > ?
  group by p.tenant_id, p.property_id order by p.property_id limit ${PAGE}`;

export const COUNT_DUE = `select count(distinct p.property_id)::int as n from ${DUE}`;

/** Parameters: rates. In order of the key, so that two writers of the same rows do not deadlock. */
const GIVEN = `
  given as materialized (
    select r as room_type, date '1970-01-01' + d as date, c as competitor_id, (p / 100.0)::numeric(10, 2) as rate,
      u as currency, to_timestamp(o / 1000) as observed_at
    from json_to_recordset(?::json) as x (c text, r text, d int, p bigint, u text, o float8)
    order by 1, 2, 3
  )`;

/** Parameters: property, source. Unchanged rows are not written; `same`: which report of the same source wins. */
const take = (same: 'always newer' | 'by observation'): string => `
  insert into competitor_rates as old
    (tenant_id, property_id, source, room_type, date, competitor_id, rate, currency, observed_at)
  select current_setting('innkeeper.tenant'), ?, ?, given.* from given
  on conflict (tenant_id, property_id, room_type, date, competitor_id) do update
    set rate = excluded.rate, currency = excluded.currency, observed_at = excluded.observed_at, source = excluded.source
    where (${same === 'always newer' ? 'old.source = excluded.source or ' : ''}old.observed_at <= excluded.observed_at)
      and (old.rate, old.currency, old.observed_at, old.source)
        is distinct from (excluded.rate, excluded.currency, excluded.observed_at, excluded.source)`;

/** Parameters: rates; property, source, start, end; property, source. */
export const REPLACE = `
  with ${GIVEN}, gone as (
    delete from competitor_rates old
    where ${here} and property_id = ? and source = ? and date between ${night} and ${night} and not exists (
      select from given
      where given.room_type = old.room_type and given.date = old.date and given.competitor_id = old.competitor_id)
  )
  ${take('always newer')}`;

/** Parameters: rates, property, source. Single rates come in any order: the newest observation stays. */
export const ADD_SOURCE = `with ${GIVEN} ${take('by observation')}`;

/** Parameters: property, source, last attempt, last success, next sync, number of rates, rows left out. */
export const SUCCEEDED = `
  insert into competitor_sources
    (tenant_id, property_id, source, last_attempt, last_success, next_sync, rates, left_out)
  values (current_setting('innkeeper.tenant'), ?, ?, ${instant}, ${instant}, ${instant}, ?, ?::jsonb)
  on conflict (tenant_id, property_id, source) do update
    set last_attempt = excluded.last_attempt, last_success = excluded.last_success, next_sync = excluded.next_sync,
      rates = excluded.rates, left_out = excluded.left_out, error = null`;

/** Parameters: property, source, last attempt, next sync, error. */
export const FAILED = `
  insert into competitor_sources (tenant_id, property_id, source, last_attempt, next_sync, error)
  values (current_setting('innkeeper.tenant'), ?, ?, ${instant}, ${instant}, ?)
  on conflict (tenant_id, property_id, source) do update
    set last_attempt = excluded.last_attempt, next_sync = excluded.next_sync, error = excluded.error`;

const unknown = `source not in (select json_array_elements_text(?::json))`;

/** Parameters: property, today, sources. */
export const FORGET_RATES = `
  delete from competitor_rates where ${here} and property_id = ? and (date < ${night} or ${unknown})`;

/** Parameters: property, sources. */
export const FORGET_SOURCES = `delete from competitor_sources where ${here} and property_id = ? and ${unknown}`;

/** Deleted properties; one that is restored is queried again. */
export const FORGET_DELETED = `
  with gone as (
    delete from competitor_sources s using properties p
    where s.${here} and p.tenant_id = s.tenant_id and p.property_id = s.property_id and p.deleted_at is not null
    returning s.property_id
  )
  delete from competitor_rates where ${here} and property_id in (select property_id from gone)`;

/** Parameter: sources, in the order of the answer. */
export const OVERVIEW = `
  select n.source, count(p.property_id)::int as properties, count(s.source)::int as queried,
    count(s.error)::int as failing, ${ms('max(s.last_attempt)')} as "lastAttempt",
    ${ms('max(s.last_success)')} as "lastSuccess",
    ${ms(`min(${NEXT})`)} as "nextSync",
    coalesce(sum(s.rates), 0)::int as rates,
    (array_agg(s.error order by s.last_attempt desc) filter (where s.error is not null))[1] as error,
    coalesce((
      select jsonb_object_agg(key, n) from (
        select key, sum(value::int)::int as n
        from competitor_sources o, jsonb_each_text(o.left_out)
        where o.${here} and o.source = n.source group by key) as faults), '{}') as "leftOut"
  from json_array_elements_text(?::json) with ordinality as n (source, place)
  left join properties p on p.${here} and p.deleted_at is null
  left join competitor_sources s
    on s.tenant_id = p.tenant_id and s.property_id = p.property_id and s.source = n.source
  group by n.source, n.place order by n.place`;

/**
 * Parameters: property, start, end, property. Computed in cents, whose halves a double represents exactly; rounded half
 * to even. A property that changes its currency has no market until the next refresh. The currency is read once: a
 * subquery that names the row would be run for each of a year's rates.
 */
export const MARKET = `
  select room_type as "roomType", ${daySql('date')} as day,
    round(percentile_cont(0.5) within group (order by (rate * 100)::float8)) as median,
    min(rate * 100)::float8 as low, max(rate * 100)::float8 as high, count(*)::int as count,
    ${ms('max(observed_at)')}::float8 as "observedAt"
  from competitor_rates where ${here} and property_id = ? and date between ${night} and ${night}
    and currency = (select metadata->>'currency' from properties where ${here} and property_id = ?)
  group by room_type, date order by room_type, date`;

/** Parameters: property, room type, start, end, currency. */
export const RATES = `
  select competitor_id as "competitorId", ${daySql('date')} as day, (rate * 100)::float8 as rate,
    ${ms('observed_at')}::float8 as "observedAt"
  from competitor_rates
  where ${here} and property_id = ? and room_type = ? and date between ${night} and ${night} and currency = ?
  order by competitor_id, date`;

/** Parameters: property, today. */
export const USUAL_RATES = `
  select room_type as "roomType", ${daySql('max(rate_date)')} as "lastDay",
    round(percentile_cont(0.5) within group (order by
      ((rate * seasonal_multiplier + seasonal_amount) * 100)::float8)) as rate
  from base_rates where ${here} and property_id = ? and rate_date >= ${night} and rate * seasonal_multiplier > 0
  group by room_type`;
