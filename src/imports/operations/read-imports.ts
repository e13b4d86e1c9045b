import { pageByNumber } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ImportReportQuery, ImportsQuery } from '../contracts/imports.ts';
import type { ImportedLine, LineDifference, StoredImport } from '../ports.ts';
import { type ImportedFigures, MAX_DIFFERENCES } from '../rules/import.ts';

/** An import, and once it is complete what it read and what is stored of it now. */
export type ReconciledImport = { of: StoredImport; figures?: ImportedFigures; differences?: LineDifference[] };

/** @throws DomainError IMPORT_NOT_FOUND */
export async function getImport(
  { imports }: Pick<Services, 'imports'>,
  { tenantId }: Pick<Caller, 'tenantId'>,
  importId: string,
): Promise<ReconciledImport> {
  const of = await imports.get(tenantId, importId);
  if (!of) throw new DomainError('IMPORT_NOT_FOUND', 'The tenant has no such import.');
  if (of.status !== 'COMPLETED' || of.dryRun) return { of };
  const figures = await imports.figures(tenantId, importId);
  return { of, figures, differences: await imports.differences(tenantId, importId, MAX_DIFFERENCES) };
}

/** Imports of a property, newest first. @throws DomainError PROPERTY_NOT_FOUND */
export async function listImports(
  { imports, properties, signed }: Pick<Services, 'imports' | 'properties' | 'signed'>,
  { tenantId }: Caller,
  { propertyId, ...page }: ImportsQuery,
): Promise<{ items: StoredImport[]; nextCursor?: string }> {
  const to = { tenantId, propertyId };
  await properties.view(to);
  const read = (limit: number, before: number | undefined): Promise<StoredImport[]> =>
    imports.list(to, limit, before);
  return pageByNumber(signed, `imports ${propertyId}`, page, ({ createdAt }) => createdAt, read);
}

/** Lines of an import, in order. @throws DomainError IMPORT_NOT_FOUND */
export async function listImportLines(
  services: Pick<Services, 'imports' | 'signed'>,
  caller: Caller,
  importId: string,
  { outcome, ...page }: Pick<ImportReportQuery, 'cursor' | 'outcome'> & { limit: number },
): Promise<{ items: ImportedLine[]; nextCursor?: string }> {
  const { imports, signed } = services;
  await mustHaveImport(services, caller, importId);
  const read = (limit: number, after = -1): Promise<ImportedLine[]> =>
    imports.lines(caller.tenantId, importId, { limit, after, ...(outcome && { outcome }) });
  return pageByNumber(signed, `import lines ${importId} ${outcome ?? ''}`, page, ({ n }) => n, read);
}

async function mustHaveImport(
  { imports }: Pick<Services, 'imports'>,
  { tenantId }: Caller,
  importId: string,
): Promise<void> {
  if (!(await imports.get(tenantId, importId)))
    throw new DomainError('IMPORT_NOT_FOUND', 'The tenant has no such import.');
}
