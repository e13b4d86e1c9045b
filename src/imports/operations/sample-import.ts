import { letOthersRun } from '../../kernel/operations/let-others-run.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { SampleQuery } from '../contracts/imports.ts';
import { MAX_EARLIER_MAPPINGS, MAX_SAMPLE_LINES, MAX_SAMPLE_VALUES, SAMPLE_ROWS } from '../rules/import.ts';
import type { ImportMapping } from '../rules/mapping.ts';
import { fitsFiles, type PropertyCodes, type SampledColumn, suggestMapping } from '../rules/suggest-mapping.ts';
import { sentBytes } from './begin-import.ts';
import { encodingOf, openDataFile } from './data-files.ts';
import { broughtMapping, dataIn } from './open-files.ts';
import { type ArchivedFile, readArchive } from './read-archive.ts';

/** A file as it is read: its columns, its first rows, and lines that cannot be read. */
type SampleOfFile = {
  name: string;
  format: 'CSV' | 'NDJSON';
  delimiter: string | null;
  columns: { name: string; values: string[]; more: boolean }[];
  rows: { line: number; cells: string[] }[];
  unreadable: { line: number; reason: string }[];
  lines: number;
};

/** How the files of an import are read, and a mapping to begin with. */
type ImportSample = {
  importId: string;
  encoding: ImportMapping['encoding'];
  files: SampleOfFile[];
  mapping: ImportMapping;
  mappingFrom: 'SUGGESTED' | 'EARLIER' | 'ARCHIVE' | 'OWN';
};

/** Texts are cut for a sample. */
const MAX_CHARACTERS = 100;
/** Lines that are looked at before the event loop goes on. */
const READ_AT_ONCE = 5_000;

/**
 * Reads the beginning of what was sent for an import (docs/reference/import.md#file-first). The mapping to begin with
 * is that of the import where it has one, else that of the archive, of an earlier import with the same columns, or a
 * suggested one.
 * @throws DomainError IMPORT_NOT_FOUND, INVALID_STATE where the file is not stored any more
 */
export async function sampleImport(
  services: Services,
  { tenantId }: Caller,
  importId: string,
  query: SampleQuery,
): Promise<ImportSample> {
  const { imports } = services;
  const known = await imports.get(tenantId, importId);
  const own = known && (await imports.mapping(tenantId, importId));
  if (!known || !own) throw new DomainError('IMPORT_NOT_FOUND', 'The tenant has no such import.');
  const to = { tenantId, propertyId: known.propertyId };
  const all = await readArchive(await sentBytes(services, { to, importId }), services.importMaxBytes);
  const archived = dataIn(all);
  const brought = broughtMapping(all);
  const isOwn = known.status !== 'UPLOADED';
  const encoding = query.encoding ?? (isOwn ? own.encoding : (brought?.encoding ?? encodingOfAll(archived)));
  const delimiter = query.delimiter ?? (isOwn ? own.delimiter : brought?.delimiter);
  const files: SampleOfFile[] = [];
  for (const file of archived) {
    const name = file.name || (own.files[0]?.file ?? '');
    files.push(await sampleOf({ ...file, name }, { encoding, delimiter }));
  }
  const shown = { importId, encoding, files };
  if (isOwn) return { ...shown, mapping: own, mappingFrom: 'OWN' };
  if (brought && fitsFiles(brought, files))
    return { ...shown, mapping: withNames({ ...brought, encoding }, files), mappingFrom: 'ARCHIVE' };
  const fitting = (await imports.earlierMappings(to, importId, MAX_EARLIER_MAPPINGS)).find((one) =>
    fitsFiles(one, files),
  );
  const mapping = fitting
    ? withNames({ ...fitting, encoding }, files)
    : suggestMapping(files, encoding, await codesOf(services, to));
  return { ...shown, mapping, mappingFrom: fitting ? 'EARLIER' : 'SUGGESTED' };
}

const encodingOfAll = (files: readonly ArchivedFile[]): ImportMapping['encoding'] =>
  files.some(({ bytes }) => encodingOf(bytes) === 'latin1') ? 'latin1' : 'utf-8';

/** A file that is sent alone is called as this one is. */
const withNames = (mapping: ImportMapping, files: readonly SampleOfFile[]): ImportMapping =>
  files.length > 1 ? mapping : { ...mapping, files: mapping.files.map((one) => ({ ...one, file: files[0]!.name })) };

async function codesOf({ properties }: Services, to: Parameters<Services['properties']['view']>[0]) {
  const { setup } = await properties.view(to);
  const codes: PropertyCodes = {
    roomTypes: setup.roomTypes.map(({ roomType: code, name }) => ({ code, name })),
    plans: setup.plans.map(({ code, name }) => ({ code, name })),
  };
  return codes;
}

async function sampleOf(
  file: ArchivedFile,
  as: { encoding: ImportMapping['encoding']; delimiter: string | undefined },
): Promise<SampleOfFile> {
  const { format, delimiter = null, columns: names, lines: all } = openDataFile(file, as);
  const columns = names.map((name) => new ColumnValues(name));
  const rows: SampleOfFile['rows'] = [];
  const unreadable: SampleOfFile['unreadable'] = [];
  let lines = 0;
  for (const one of all()) {
    if (lines === MAX_SAMPLE_LINES) break;
    lines += 1;
    if (lines % READ_AT_ONCE === 0) await letOthersRun();
    if ('fault' in one) {
      if (unreadable.length < SAMPLE_ROWS) unreadable.push({ line: one.line, reason: one.fault });
      continue;
    }
    const cells = names.map((name) => one.text(name) ?? '');
    for (const [index, column] of columns.entries()) column.add(cells[index]!);
    if (rows.length < SAMPLE_ROWS) rows.push({ line: one.line, cells: cells.map(cut) });
  }
  return { name: file.name, format, delimiter, columns: columns.map((one) => one.shown()), rows, unreadable, lines };
}

const cut = (text: string): string => text.slice(0, MAX_CHARACTERS);

/** Different texts of a column. */
class ColumnValues {
  readonly #name: string;
  readonly #values = new Set<string>();
  #more = false;

  constructor(name: string) {
    this.#name = name;
  }

  add(text: string): void {
    const value = cut(text.trim());
    if (value === '' || this.#values.has(value)) return;
    if (this.#values.size < MAX_SAMPLE_VALUES) this.#values.add(value);
    else this.#more = true;
  }

  shown(): SampledColumn & { values: string[] } {
    return { name: this.#name, values: [...this.#values], more: this.#more };
  }
}
