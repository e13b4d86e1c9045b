import { openCursor, signCursor } from '../../kernel/operations/cursor.ts';
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
  { propertyId, limit, cursor }: ImportsQuery,
): Promise<{ items: StoredImport[]; nextCursor?: string }> {
  const to = { tenantId, propertyId };
  await properties.view(to);
  const list = `imports ${propertyId}`;
  const before = cursor === undefined ? undefined : (openCursor(signed, cursor, list) as number);
  const found = await imports.list(to, limit + 1, before);
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, ...(last && { nextCursor: signCursor(signed, last.createdAt, list) }) };
}

/** Lines of an import, in order. @throws DomainError IMPORT_NOT_FOUND */
export async function listImportLines(
  services: Pick<Services, 'imports' | 'signed'>,
  caller: Caller,
  importId: string,
  { limit, cursor, outcome }: Pick<ImportReportQuery, 'cursor' | 'outcome'> & { limit: number },
): Promise<{ items: ImportedLine[]; nextCursor?: string }> {
  const { imports, signed } = services;
  await mustHaveImport(services, caller, importId);
  const list = `import lines ${importId} ${outcome ?? ''}`;
  const after = cursor === undefined ? -1 : (openCursor(signed, cursor, list) as number);
  const found = await imports.lines(caller.tenantId, importId, {
    limit: limit + 1,
    after,
    ...(outcome && { outcome }),
  });
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, ...(last && { nextCursor: signCursor(signed, last.n, list) }) };
}

async function mustHaveImport(
  { imports }: Pick<Services, 'imports'>,
  { tenantId }: Caller,
  importId: string,
): Promise<void> {
  if (!(await imports.get(tenantId, importId)))
    throw new DomainError('IMPORT_NOT_FOUND', 'The tenant has no such import.');
}
