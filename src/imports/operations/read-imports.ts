import { nextCursor, pageByNumber, positionOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import { pageOfRead } from '../../kernel/ports.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ImportReportQuery, ImportsQuery } from '../contracts/imports.ts';
import type { ImportedLine, ImportProblem, LineDifference, StoredImport } from '../ports.ts';
import { type ImportedFigures, MAX_DIFFERENCES, MAX_PROBLEMS } from '../rules/import.ts';
import type { ImportMapping } from '../rules/mapping.ts';

/** An import, and once it is complete what it read and what is stored of it now. */
export type ReconciledImport = { of: StoredImport; figures?: ImportedFigures; differences?: LineDifference[] };
/** The same with how it was read, and why lines were refused. */
type DetailedImport = ReconciledImport & { mapping: ImportMapping; problems: ImportProblem[] };

/** @throws DomainError IMPORT_NOT_FOUND */
export async function getImport(
  { imports }: Pick<Services, 'imports'>,
  { tenantId }: Pick<Caller, 'tenantId'>,
  importId: string,
): Promise<DetailedImport> {
  const of = await imports.get(tenantId, importId);
  const mapping = of && (await imports.mapping(tenantId, importId));
  if (!of || !mapping) throw new DomainError('IMPORT_NOT_FOUND', 'The tenant has no such import.');
  const isOver = of.status === 'COMPLETED' || of.status === 'FAILED';
  const problems = isOver ? await imports.problems(tenantId, importId, MAX_PROBLEMS) : [];
  if (of.status !== 'COMPLETED' || of.dryRun) return { of, mapping, problems };
  const figures = await imports.figures(tenantId, importId);
  const differences = await imports.differences(tenantId, importId, MAX_DIFFERENCES);
  return { of, mapping, problems, figures, differences };
}

/** Imports of a property, newest first. @throws DomainError PROPERTY_NOT_FOUND */
export async function listImports(
  { imports, properties, signed }: Pick<Services, 'imports' | 'properties' | 'signed'>,
  { tenantId }: Caller,
  { propertyId, ...page }: ImportsQuery,
): Promise<{ items: StoredImport[]; nextCursor?: string }> {
  const to = { tenantId, propertyId };
  await properties.view(to);
  const found = await imports.list(to, page.limit + 1, positionOf(signed, page.cursor));
  const { items, next } = pageOfRead(found, page.limit, ({ importId }) => importId);
  const cursor = nextCursor(signed, next);
  return { items, ...(cursor !== undefined && { nextCursor: cursor }) };
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
