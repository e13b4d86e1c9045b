import type { EntityManager } from '@mikro-orm/postgresql';
import type { Client } from 'pg';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import { appendAdministration, takeTurn } from '../../tenants/storage/administration-journal.ts';
import type {
  FoundReservation,
  ImportedLine,
  ImportProblem,
  ImportRecord,
  ImportRun,
  ImportStore,
  LineDifference,
  RunOfImport,
  StoredImport,
} from '../ports.ts';
import { type ImportedFigures, MAX_RUNNING_IMPORTS, MAX_STORED_UPLOADS, UPLOAD_GONE } from '../rules/import.ts';
import type { ImportMapping } from '../rules/mapping.ts';
import * as sql from './import-sql.ts';

/** Parts of what was sent that one statement stores. */
const PARTS_AT_ONCE = 8;

type Row<T> = { one: T };

/** Imports in PostgreSQL. @param system the connection as innkeeper_system, which sees those of all tenants */
export function databaseImports(database: Database, system: () => Promise<Client>): ImportStore {
  return { ...shownIn(database), ...runIn(database, system) };
}

type Shown =
  | ('begin' | 'rerun' | 'get' | 'mapping' | 'earlierMappings')
  | ('list' | 'lines' | 'problems' | 'figures' | 'differences');

function shownIn(database: Database): Pick<ImportStore, Shown> {
  return {
    ...begunIn(database),
    get: (tenantId, importId) => database.readTenant(tenantId, (em) => get(em, tenantId, importId)),
    mapping: (tenantId, importId) =>
      database.readTenant(tenantId, async (em) => {
        if (!isUuid(importId)) return undefined;
        const text = 'select mapping from imports where tenant_id = ? and id = ?';
        return (await em.execute<{ mapping: ImportMapping }[]>(text, [tenantId, importId]))[0]?.mapping;
      }),
    earlierMappings: ({ tenantId, propertyId }, butFor, limit) =>
      database.readTenant(tenantId, async (em) => {
        const values = [tenantId, propertyId, butFor, limit];
        const rows = await em.execute<{ mapping: ImportMapping }[]>(sql.EARLIER_MAPPINGS, values);
        return rows.map(({ mapping }) => mapping);
      }),
    list: ({ tenantId, propertyId }, limit, after) =>
      database.readTenant(tenantId, async (em) => {
        const behind = after ? 'and (i.created_at, i.id) < (?, ?::uuid)' : '';
        const where = `where i.tenant_id = ? and i.property_id = ? ${behind}
          order by i.created_at desc, i.id desc limit ?`;
        const position = after ? [formatInstant(after.createdAt), after.id] : [];
        const values = [tenantId, propertyId, ...position, limit];
        const rows = await em.execute<Row<StoredImport>[]>(`${sql.SHOWN_IMPORT} ${where}`, values);
        return rows.map(({ one }) => one);
      }),
    lines: (tenantId, importId, { limit, after, outcome = null }) =>
      database.readTenant(tenantId, async (em) => {
        const values = [tenantId, importId, after, outcome, outcome, limit];
        return (await em.execute<Row<ImportedLine>[]>(sql.IMPORT_LINES, values)).map(({ one }) => one);
      }),
    problems: (tenantId, importId, limit) =>
      database.readTenant(tenantId, (em) =>
        em.execute<ImportProblem[]>(sql.IMPORT_PROBLEMS, [tenantId, importId, limit]),
      ),
    figures: (tenantId, importId) =>
      database.readTenant(tenantId, async (em) => {
        const [row] = await em.execute<FigureRow[]>(sql.IMPORT_FIGURES, [tenantId, importId]);
        const { reservations, charges, payments, storedCharges, storedPayments } = row!;
        const stored = { charges: Math.round(storedCharges), payments: Math.round(storedPayments) };
        return { reservations, read: { charges, payments }, stored } satisfies ImportedFigures;
      }),
    differences: (tenantId, importId, limit) =>
      database.readTenant(tenantId, (em) =>
        em.execute<LineDifference[]>(sql.IMPORT_DIFFERENCES, [tenantId, importId, limit]),
      ),
  };
}

function begunIn(database: Database): Pick<ImportStore, 'begin' | 'rerun'> {
  return {
    begin: (by, one) =>
      database.inTenant(by.tenantId, async (em) => {
        await takeTurn(em, by.tenantId);
        const { importId, propertyId, dryRun, mapping, bodyHash, lines, parts, isUploadOnly } = one;
        const same = isUploadOnly ? undefined : await running(em, by.tenantId, one);
        if (same !== undefined) return mustGet(em, by.tenantId, same);
        await em.execute(sql.DROP_OLDER_UPLOADS, [by.tenantId, propertyId, MAX_STORED_UPLOADS - 1, by.tenantId]);
        const ids = [by.tenantId, importId, propertyId, dryRun];
        const said = [JSON.stringify(mapping), bodyHash, by.subject, lines];
        await em.execute(sql.BEGIN_IMPORT, [isUploadOnly ? 'UPLOADED' : 'RUNNING', ...ids, ...said]);
        for (let at = 0; at < parts.length; at += PARTS_AT_ONCE) {
          const some = JSON.stringify(parts.slice(at, at + PARTS_AT_ONCE));
          await em.execute(sql.STORE_UPLOAD, [by.tenantId, importId, at, some]);
        }
        const after = { propertyId, ...(!isUploadOnly && { dryRun, lines }) };
        await appendAdministration(em, by, { entity: 'import', entityId: importId, action: 'CREATED', after });
        return mustGet(em, by.tenantId, importId);
      }),
    rerun: (by, one) =>
      database.inTenant(by.tenantId, async (em) => {
        const { tenantId } = by;
        await takeTurn(em, tenantId);
        const { importId, propertyId, dryRun, mapping, bodyHash, lines } = one;
        const same = await running(em, tenantId, one);
        if (same === importId) return mustGet(em, tenantId, same);
        if (same !== undefined)
          throw new DomainError('INVALID_STATE', `The property has an import that runs: ${same}.`);
        const said = [dryRun, JSON.stringify(mapping), bodyHash, by.subject, lines];
        const begun = await em.execute<unknown[]>(sql.RERUN_IMPORT, [...said, tenantId, importId, propertyId]);
        if (begun.length === 0) throw UPLOAD_GONE;
        await em.execute('delete from import_lines where tenant_id = ? and import_id = ?', [tenantId, importId]);
        const after = { propertyId, dryRun, lines };
        await appendAdministration(em, by, { entity: 'import', entityId: importId, action: 'CHANGED', after });
        return mustGet(em, tenantId, importId);
      }),
  };
}

type FigureRow = {
  reservations: number;
  charges: number;
  payments: number;
  storedCharges: number;
  storedPayments: number;
};

/** The same import, where it runs. @throws DomainError INVALID_STATE where another one does, or too many */
async function running(em: EntityManager, tenantId: string, one: RunOfImport): Promise<string | undefined> {
  type Running = { id: string; propertyId: string; bodyHash: string; dryRun: boolean };
  const all = await em.execute<Running[]>(sql.RUNNING_IMPORTS, [tenantId]);
  const other = all.find(({ propertyId }) => propertyId === one.propertyId);
  if (other?.bodyHash === one.bodyHash && other.dryRun === one.dryRun) return other.id;
  if (other) throw new DomainError('INVALID_STATE', `The property has an import that runs: ${other.id}.`);
  if (all.length >= MAX_RUNNING_IMPORTS)
    throw new DomainError('INVALID_STATE', `A tenant has at most ${MAX_RUNNING_IMPORTS} imports at a time.`);
  return undefined;
}

async function get(em: EntityManager, tenantId: string, importId: string): Promise<StoredImport | undefined> {
  if (!isUuid(importId)) return undefined;
  const where = 'where i.tenant_id = ? and i.id = ?';
  const [row] = await em.execute<Row<StoredImport>[]>(`${sql.SHOWN_IMPORT} ${where}`, [tenantId, importId]);
  return row?.one;
}

async function mustGet(em: EntityManager, tenantId: string, importId: string): Promise<StoredImport> {
  const found = await get(em, tenantId, importId);
  if (!found) throw new Error(`import ${importId} is not there`);
  return found;
}

function runIn(database: Database, system: () => Promise<Client>): Omit<ImportStore, Shown> {
  const some = (tenantId: string, text: string, values: unknown[]): Promise<boolean> =>
    database.inTenant(tenantId, async (em) => (await em.execute<unknown[]>(text, values)).length > 0);
  return {
    async waiting(limit) {
      const client = await system();
      const { rows } = await client.query<{ tenantId: string; importId: string }>(
        `select tenant_id as "tenantId", id as "importId" from imports
         where status = 'RUNNING' and (leased_until is null or leased_until < app_now()) order by created_at limit $1`,
        [limit],
      );
      return rows;
    },
    async tenantsWithOld(uploadsBefore, reportsBefore, limit) {
      const client = await system();
      const values = [uploadsBefore, reportsBefore, limit];
      const { rows } = await client.query<{ tenantId: string }>(sql.TENANTS_WITH_OLD, values);
      return rows.map(({ tenantId }) => tenantId);
    },
    take: (tenantId, importId, leaseMs) =>
      database.inTenant(tenantId, async (em) => {
        type Taken = Omit<ImportRun, 'to' | 'importId'> & { propertyId: string };
        const [row] = await em.execute<Taken[]>(sql.TAKE_IMPORT, [leaseMs, tenantId, importId]);
        if (!row) return undefined;
        const { propertyId, ...run } = row;
        return { ...run, importId, to: { tenantId, propertyId } };
      }),
    touch: ({ to, importId, epoch }, leaseMs) =>
      some(to.tenantId, sql.TOUCH_IMPORT, [leaseMs, to.tenantId, importId, epoch]),
    finish: ({ to: { tenantId }, importId, epoch, dryRun }, status, failure?: string) =>
      database.inTenant(tenantId, async (em) => {
        const done = await em.execute<unknown[]>(sql.FINISH_IMPORT, [
          status,
          failure ?? null,
          tenantId,
          importId,
          epoch,
        ]);
        if (done.length > 0 && status === 'COMPLETED' && !dryRun)
          await em.execute('delete from import_uploads where tenant_id = ? and import_id = ?', [tenantId, importId]);
      }),
    failed: ({ to: { tenantId }, importId, epoch }) =>
      database.inTenant(tenantId, async (em) => {
        const [row] = await em.execute<{ attempts: number }[]>(sql.FAILED_IMPORT, [tenantId, importId, epoch]);
        return row?.attempts ?? 0;
      }),
    forgetStays: (tenantId, stays) =>
      database.inTenant(tenantId, async (em) => {
        const list = JSON.stringify(stays);
        const records = await em.execute<object[]>(sql.RECORDS_OF_STAYS, [tenantId, list]);
        if (records.length === 0) return;
        await em.execute(sql.FORGET_LINES, [tenantId, list, JSON.stringify(records)]);
        await em.execute(sql.FORGET_RECORDS, [tenantId, list]);
      }),
    forget: (tenantId, uploadsBefore, reportsBefore) =>
      database.inTenant(tenantId, async (em) => {
        await em.execute(sql.FORGET_UPLOADS, [tenantId, uploadsBefore]);
        await em.execute(sql.FORGET_REPORTS, [tenantId, uploadsBefore, reportsBefore]);
      }),
    ...linesIn(database),
  };
}

function linesIn(database: Database): Pick<ImportStore, 'uploadPart' | 'reported' | 'known' | 'found' | 'keep'> {
  return {
    uploadPart: ({ to: { tenantId }, importId }, part) =>
      database.readTenant(tenantId, async (em) => {
        const text = 'select sealed from import_uploads where tenant_id = ? and import_id = ? and part = ?';
        return (await em.execute<{ sealed: string }[]>(text, [tenantId, importId, part + 1]))[0]?.sealed;
      }),
    reported: ({ to: { tenantId }, importId }) =>
      database.readTenant(tenantId, async (em) => {
        const text = 'select n from import_lines where tenant_id = ? and import_id = ?';
        return (await em.execute<{ n: number }[]>(text, [tenantId, importId])).map(({ n }) => n);
      }),
    known: ({ to: { tenantId, propertyId } }, externalIds) =>
      database.readTenant(tenantId, (em) =>
        em.execute<ImportRecord[]>(sql.KNOWN_IMPORTS, [tenantId, propertyId, JSON.stringify(externalIds)]),
      ),
    found: ({ to: { tenantId } }, of) =>
      database.readTenant(tenantId, (em) => {
        const list = JSON.stringify(of);
        return em.execute<FoundReservation[]>(sql.FOUND_RESERVATIONS, [list, tenantId, list, tenantId]);
      }),
    keep: ({ to: { tenantId, propertyId }, importId, epoch, dryRun }, lines, records) =>
      database.inTenant(tenantId, async (em) => {
        const moved = await em.execute<unknown[]>(sql.IMPORT_PROGRESS, [lines.length, tenantId, importId, epoch]);
        if (moved.length === 0) return false;
        if (lines.length > 0) await em.execute(sql.KEEP_IMPORT_LINES, [tenantId, importId, JSON.stringify(lines)]);
        if (records.length > 0 && !dryRun)
          await em.execute(sql.KEEP_IMPORT_RECORDS, [tenantId, propertyId, JSON.stringify(records)]);
        return true;
      }),
  };
}
