import { cents, ms, presentSql } from '../../platform/database/load-sql.ts';

/** Statements of imports; each names its parameters in order. */

/** Parameters: what follows `where`. */
export const SHOWN_IMPORT = `
  select ${presentSql(`json_build_object('importId', i.id, 'propertyId', i.property_id, 'status', i.status,
    'dryRun', i.dry_run, 'files', (select coalesce(json_agg(f ->> 'file'), '[]')
      from json_array_elements(i.mapping -> 'files') as f where f ->> 'file' is not null), 'lines', i.lines, 'done', i.done, 'failure', i.failure, 'createdAt', ${ms('i.created_at')},
    'finishedAt', ${ms('i.finished_at')}, 'counts', (select coalesce(json_object_agg(outcome, n), '{}') from (
      select outcome, count(*)::int as n from import_lines l where l.tenant_id = i.tenant_id and l.import_id = i.id
      group by outcome) as c))`)} as one
  from imports i`;

/** Parameters: status, tenant, id, property, dry run, mapping, hash, subject, lines. */
export const BEGIN_IMPORT = `
  insert into imports (status, tenant_id, id, property_id, dry_run, mapping, body_hash, requested_by, lines)
  values (?, ?, ?, ?, ?, ?::json, ?, ?, ?)`;

/** Parameters: dry run, mapping, hash, subject, lines, tenant, id, property. */
export const RERUN_IMPORT = `
  update imports i set status = 'RUNNING', dry_run = ?, mapping = ?::json, body_hash = ?, requested_by = ?, lines = ?,
    done = 0, attempts = 0, failure = null, finished_at = null, leased_until = null, epoch = epoch + 1
  where tenant_id = ? and id = ? and property_id = ? and status <> 'RUNNING'
    and exists (select 1 from import_uploads u where u.tenant_id = i.tenant_id and u.import_id = i.id)
  returning 1`;

/** Files of older imports of a property. Parameters: tenant, property, how many stay, tenant. */
export const DROP_OLDER_UPLOADS = `
  delete from import_uploads u using (
    select id from imports i where tenant_id = ? and property_id = ? and status <> 'RUNNING'
      and exists (select 1 from import_uploads f where f.tenant_id = i.tenant_id and f.import_id = i.id)
    order by created_at desc, id desc offset ?) as older
  where u.tenant_id = ? and u.import_id = older.id`;

/** Parameters: tenant, property, id, limit. */
export const EARLIER_MAPPINGS = `
  select mapping from imports where tenant_id = ? and property_id = ? and id <> ? and status <> 'UPLOADED'
  order by created_at desc, id desc limit ?`;

/** Parameters: tenant, id, limit. */
export const IMPORT_PROBLEMS = `
  select code, reason, count(*)::int as lines, min(line)::int as "firstLine" from import_lines
  where tenant_id = ? and import_id = ? and outcome = 'REFUSED'
  group by code, reason order by count(*) desc, min(line) limit ?`;

/** Parameters: tenant, id, number of the part before them, parts. */
export const STORE_UPLOAD = `
  insert into import_uploads (tenant_id, import_id, part, sealed)
  select ?, ?, n + ?, sealed from json_array_elements_text(?::json) with ordinality as x (sealed, n)`;

/** Parameters: tenant. */
export const RUNNING_IMPORTS = `
  select id, property_id as "propertyId", body_hash as "bodyHash", dry_run as "dryRun" from imports
  where tenant_id = ? and status = 'RUNNING'`;

/** Parameters: lease, tenant, id. */
export const TAKE_IMPORT = `
  update imports set epoch = epoch + 1, leased_until = app_now() + ? * interval '1 millisecond'
  where tenant_id = ? and id = ? and status = 'RUNNING' and (leased_until is null or leased_until < app_now())
  returning property_id as "propertyId", epoch, dry_run as "dryRun", mapping, requested_by as "requestedBy"`;

/** Parameters: lease, tenant, id, epoch. */
export const TOUCH_IMPORT = `
  update imports set leased_until = app_now() + ? * interval '1 millisecond'
  where tenant_id = ? and id = ? and epoch = ? and status = 'RUNNING' returning 1`;

/** Progress, and the fence of the statements after it. Parameters: lines, tenant, id, epoch. */
export const IMPORT_PROGRESS = `
  update imports set done = done + ?, attempts = 0 where tenant_id = ? and id = ? and epoch = ? and status = 'RUNNING'
  returning 1`;

/** Parameters: tenant, id, lines. */
export const KEEP_IMPORT_LINES = `
  insert into import_lines (tenant_id, import_id, n, file, line, kind, external_id, outcome, code, reason, record_id,
    charges, paid)
  select ?, ?, n, file, line, kind, "externalId", outcome, code, reason, "recordId", charges, paid
  from json_to_recordset(?::json) as x (n int, file text, line int, kind text, "externalId" text, outcome text,
    code text, reason text, "recordId" text, charges bigint, paid bigint)`;

/** Parameters: tenant, property, records. */
export const KEEP_IMPORT_RECORDS = `
  insert into import_records (tenant_id, property_id, external_id, record_id, fingerprint, version)
  select ?, ?, "externalId", "recordId", fingerprint, version
  from json_to_recordset(?::json) as x ("externalId" text, "recordId" uuid, fingerprint text, version int)
  on conflict (tenant_id, property_id, external_id) do update
  set record_id = excluded.record_id, fingerprint = excluded.fingerprint, version = excluded.version`;

/** Parameters: tenant, property, external ids. */
export const KNOWN_IMPORTS = `
  select external_id as "externalId", record_id as "recordId", fingerprint, version from import_records
  where tenant_id = ? and property_id = ?
    and external_id in (select value from json_array_elements_text(?::json))`;

const IS_ERASED = `exists (select 1 from import_records e where e.tenant_id = r.tenant_id
    and e.property_id = r.property_id and e.external_id = 'erased ' || r.id::text) as "isErased"`;

/** Reservations with one of the ids, or with an external id of its channel. Parameters: list, tenant, list, tenant. */
export const FOUND_RESERVATIONS = `
  select r.id, coalesce(r.external_id, '') as "externalId", coalesce(r.source, '') as channel, r.version, ${IS_ERASED}
  from json_to_recordset(?::json) as x (id uuid) join reservations r on r.tenant_id = ? and r.id = x.id
  union
  select r.id, r.external_id, coalesce(r.source, ''), r.version, ${IS_ERASED}
  from json_to_recordset(?::json) as x ("externalId" text, channel text)
  join reservations r on r.tenant_id = ? and r.external_id = x."externalId" and coalesce(r.source, '') = x.channel`;

/** Parameters: status, failure, tenant, id, epoch. */
export const FINISH_IMPORT = `
  update imports set status = ?, failure = ?, finished_at = app_now(), leased_until = null
  where tenant_id = ? and id = ? and epoch = ? and status = 'RUNNING' returning 1`;

/** Parameters: tenant, id, epoch. */
export const FAILED_IMPORT = `
  update imports set attempts = attempts + 1, leased_until = app_now() + interval '5 seconds'
  where tenant_id = ? and id = ? and epoch = ? returning attempts`;

/** Parameters: tenant, id, after, outcome, outcome, limit. */
export const IMPORT_LINES = `
  select ${presentSql(`json_build_object('n', n, 'file', file, 'line', line, 'kind', kind, 'externalId', external_id,
    'outcome', outcome, 'code', code, 'reason', reason, 'recordId', record_id, 'charges', charges, 'paid', paid)`)}
    as one
  from import_lines where tenant_id = ? and import_id = ? and n > ? and (?::text is null or outcome = ?) order by n
  limit ?`;

const STORED = `
  from import_lines l join reservations r on r.tenant_id = l.tenant_id and r.id = l.record_id::uuid
  where l.tenant_id = ? and l.import_id = ? and l.kind = 'reservations' and l.outcome <> 'REFUSED'`;

/** Parameters: tenant, id. */
export const IMPORT_FIGURES = `
  select count(*)::int as reservations, coalesce(sum(l.charges), 0)::float8 as charges,
    coalesce(sum(l.paid), 0)::float8 as payments, coalesce(sum(${cents('r.total_amount')}), 0) as "storedCharges",
    coalesce(sum(${cents('r.paid_amount')}), 0) as "storedPayments" ${STORED}`;

/** Parameters: tenant, id, limit. */
export const IMPORT_DIFFERENCES = `
  select l.file, l.line, coalesce(l.external_id, '') as "externalId", l.charges::float8 as charges, l.paid::float8 as paid,
    ${cents('r.total_amount')} as "storedCharges", ${cents('r.paid_amount')} as "storedPaid" ${STORED}
    and (l.charges <> r.total_amount * 100 or l.paid <> r.paid_amount * 100)
  order by l.n limit ?`;

/** Parameters: moment of uploads, of reports, limit. */
export const TENANTS_WITH_OLD = `
  select distinct tenant_id as "tenantId" from imports
  where status <> 'RUNNING' and ((status in ('FAILED', 'UPLOADED') or dry_run)
    and coalesce(finished_at, created_at) < to_timestamp($1::float8 / 1000)
    or coalesce(finished_at, created_at) < to_timestamp($2::float8 / 1000))
  limit $3`;
export const FORGET_UPLOADS = `
  delete from import_uploads u using imports i
  where u.tenant_id = ? and i.tenant_id = u.tenant_id and i.id = u.import_id and i.status <> 'RUNNING'
    and coalesce(i.finished_at, i.created_at) < to_timestamp(?::float8 / 1000)`;
/** Reports, and imports whose file was never run. Parameters: tenant, moment of uploads, of reports. */
export const FORGET_REPORTS = `
  delete from imports where tenant_id = ? and (
    status = 'UPLOADED' and created_at < to_timestamp(?::float8 / 1000)
    or status <> 'RUNNING' and finished_at < to_timestamp(?::float8 / 1000))`;

/** Parameters: tenant, stays. */
export const RECORDS_OF_STAYS = `
  select property_id as "propertyId", external_id as "externalId" from import_records
  where tenant_id = ? and record_id in (select value::uuid from json_array_elements_text(?::json))`;

/** The record stays, so that another import of the same line does not bring the guest back. Parameters: tenant, stays. */
export const FORGET_RECORDS = `
  update import_records set external_id = 'erased ' || record_id::text
  where tenant_id = ? and record_id in (select value::uuid from json_array_elements_text(?::json))`;

/**
 * Lines of these stays, also of dry runs, which have no record; a line is never updated, so that each is written anew.
 * Parameters: tenant, stays, records.
 */
export const FORGET_LINES = `
  with gone as (
    delete from import_lines l using imports i
    where l.tenant_id = ? and i.tenant_id = l.tenant_id and i.id = l.import_id and l.external_id is not null
      and (l.record_id in (select value from json_array_elements_text(?::json)) or (i.property_id, l.external_id) in (
        select "propertyId", "externalId" from json_to_recordset(?::json) as x ("propertyId" text, "externalId" text)))
    returning l.*)
  insert into import_lines (tenant_id, import_id, n, file, line, kind, outcome, code, reason, record_id, charges, paid)
  select tenant_id, import_id, n, file, line, kind, outcome, code, reason, record_id, charges, paid from gone`;
