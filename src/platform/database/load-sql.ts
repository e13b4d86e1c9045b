/** SQL fragments, most of them for the statements that load properties; `a` is the row in `property_actor`. */

/** Day on which the guest of a reservation leaves: the room is taken for one night more by day use. */
export const departureSql = (row: string): string => `(${row}.check_out - coalesce(${row}.day_use, false)::int)`;
export const DEPARTURE_SQL = departureSql('r');

/**
 * Rows of the transaction's tenant, which is looked up once: a bare `current_setting` is called for each row that is
 * looked through.
 */
export const ofTenant = (table: string): string =>
  `${table}.tenant_id = (select current_setting('innkeeper.tenant'))`;

export const daySql = (column: string): string => `(${column} - date '1970-01-01')`;
/**
 * Null for an infinite time, which this service never writes: the cast would fail, and with it the whole statement.
 */
export const ms = (column: string): string =>
  `(extract(epoch from case when isfinite(${column}) then ${column} end) * 1000)::bigint`;
/** Not as integers: a NaN, which anybody may have written, must arrive here to be rejected. */
export const cents = (column: string): string => `(${column} * 100)::float8`;
export const list = (rows: string, order = ''): string =>
  `(select coalesce(json_agg(x ${order}), '[]') from (${rows}) x)`;
/**
 * Omits null columns, as absent values have no member. It applies to nested documents too: rows with documents in
 * which null has a meaning use {@link presentColumns}.
 */
export const presentSql = (json: string): string => `json_strip_nulls(${json})`;
/** Omits null columns of the row only. */
export const presentColumns = (row: string): string =>
  `(select json_object_agg(key, value) from json_each(to_json(${row})) where json_typeof(value) <> 'null')`;
export const here = `tenant_id = a.tenant_id and property_id = a.property_id`;

/** The property p has a plan on sale that is priced by demand and market. */
export const HAS_DYNAMIC_PLAN = `exists (
  select from rates r where r.tenant_id = p.tenant_id and r.property_id = p.property_id
    and r.strategy = 'DYNAMIC' and r.status = 'ACTIVE' and r.deleted_at is null)`;
