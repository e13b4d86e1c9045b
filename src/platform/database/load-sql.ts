/** Pieces of the statements that load properties; `a` is the row of the property in `property_actor`. */

export const daySql = (column: string): string => `(${column} - date '1970-01-01')`;
/** Null for an infinite time, which nothing of ours writes: the cast would fail, and with it the whole statement. */
export const ms = (column: string): string =>
  `(extract(epoch from case when isfinite(${column}) then ${column} end) * 1000)::bigint`;
/** Not as whole numbers: NaN, which anybody may have written, must come through to be refused. */
export const cents = (column: string): string => `(${column} * 100)::float8`;
export const list = (rows: string, order = ''): string =>
  `(select coalesce(json_agg(x ${order}), '[]') from (${rows}) x)`;
/**
 * Columns that are null have no member, as in a value that never was in the database. It reaches into documents too:
 * a row with one in which null means something is read by {@link presentColumns}.
 */
export const presentSql = (json: string): string => `json_strip_nulls(${json})`;
/** The same of the columns of a row alone. */
export const presentColumns = (row: string): string =>
  `(select json_object_agg(key, value) from json_each(to_json(${row})) where json_typeof(value) <> 'null')`;
export const here = `tenant_id = a.tenant_id and property_id = a.property_id`;

/** The property p has a plan on sale that prices by demand and market. */
export const HAS_DYNAMIC_PLAN = `exists (
  select from rates r where r.tenant_id = p.tenant_id and r.property_id = p.property_id
    and r.strategy = 'DYNAMIC' and r.status = 'ACTIVE' and r.deleted_at is null)`;
