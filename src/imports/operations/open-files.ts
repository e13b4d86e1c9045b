import type { z } from 'zod';

import { DomainError, type FieldError, orError } from '../../kernel/rules/domain-error.ts';
import { importMapping } from '../contracts/mapping.ts';
import {
  columnsOfMapping,
  lineFields,
  type FileMapping,
  IMPORT_KINDS,
  type ImportMapping,
  type LineFields,
  mappingFaults,
} from '../rules/mapping.ts';
import { type DataFile, openDataFile } from './data-files.ts';
import { type ArchivedFile, readArchive } from './read-archive.ts';

/** A line of a file: its fields, or what is wrong with it. */
type FileLine = { line: number } & ({ fields: LineFields } | { fault: string });

/** A file of an import, ready to be read line by line. */
export type OpenedFile = { mapping: FileMapping; name: string; lines(): Iterable<FileLine> };

/** The file of an archive that has its mapping. */
const MAPPING_FILE = 'mapping.json';
/** A file of a name that a mapping leaves out. */
const ONLY = 'file';
const MAX_MAPPING_BYTES = 256 * 1024;

/**
 * The files of an import with its mapping, in the order in which they are stored.
 * @param said the mapping, where it is not in the archive
 * @throws DomainError BODY_UNREADABLE, VALIDATION_FAILED for a mapping that does not fit the files
 */
export async function openFiles(
  bytes: Buffer,
  said: ImportMapping | string | undefined,
  maxBytes: number,
): Promise<{ mapping: ImportMapping; files: OpenedFile[] }> {
  const archived = await readArchive(bytes, maxBytes);
  const mapping = typeof said === 'object' ? said : mappingOf(said ?? mappingIn(archived));
  const data = dataIn(archived);
  const files = mapping.files.map((one, index) => openFile(mapping, one, index, data));
  const faults = files.flatMap(({ faults: of }) => of);
  if (faults.length > 0)
    throw new DomainError('VALIDATION_FAILED', 'The mapping does not fit the files.', {
      errors: faults.slice(0, 50),
    });
  const inOrder = files.toSorted((a, b) => kindOrder(a.opened.mapping) - kindOrder(b.opened.mapping));
  return { mapping, files: inOrder.map(({ opened }) => opened) };
}

/** Files of an archive beside its mapping. */
export const dataIn = (archived: readonly ArchivedFile[]): ArchivedFile[] =>
  archived.filter(({ name }) => name !== MAPPING_FILE);

const kindOrder = ({ kind }: FileMapping): number => IMPORT_KINDS.indexOf(kind);

function mappingIn(files: readonly ArchivedFile[]): string {
  const found = files.find(({ name }) => name === MAPPING_FILE);
  if (found && found.bytes.length <= MAX_MAPPING_BYTES) return found.bytes.toString('utf8').replace(/^\uFEFF/, '');
  throw new DomainError('VALIDATION_FAILED', 'There is no mapping.', {
    errors: [{ parameter: 'mapping', code: 'MISSING', detail: `is required, or ${MAPPING_FILE} in the archive` }],
  });
}

/** The mapping that an archive brings, where it can be used as it is. */
export function broughtMapping(files: readonly ArchivedFile[]): ImportMapping | undefined {
  if (!files.some(({ name }) => name === MAPPING_FILE)) return undefined;
  const mapping = orError(() => mappingOf(mappingIn(files)));
  return mapping instanceof DomainError ? undefined : mapping;
}

/** @throws DomainError VALIDATION_FAILED */
function mappingOf(text: string): ImportMapping {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    const errors = [{ parameter: 'mapping', code: 'INVALID', detail: 'is not JSON' }];
    throw new DomainError('VALIDATION_FAILED', 'The mapping cannot be read.', { errors });
  }
  const read = importMapping.safeParse(json);
  if (read.success) return read.data;
  throw new DomainError('VALIDATION_FAILED', 'The mapping has wrong members.', { errors: faultsOf(read.error) });
}

const faultsOf = ({ issues }: z.ZodError): FieldError[] =>
  issues.slice(0, 50).map(({ path, message }) => ({
    pointer: `/${path.join('/')}`,
    code: 'INVALID',
    detail: message.startsWith('Invalid') || message.startsWith('Unrecognized') ? 'is not as documented' : message,
  }));

/** Two folders may each have a file of this name: its path says which. */
const fileOf = (data: readonly ArchivedFile[], said: string | undefined): ArchivedFile | undefined =>
  data.find(({ path }) => path === said && said !== undefined) ?? data.find(({ name }) => name === said);

type Opening = { opened: OpenedFile; faults: FieldError[] };

function openFile(mapping: ImportMapping, one: FileMapping, index: number, data: readonly ArchivedFile[]): Opening {
  const at = `/files/${index}`;
  // One that is sent alone has no name: what its mapping calls it is for its report.
  const isAlone = data.length === 1 && (one.file === undefined || data[0]!.name === '');
  const found = isAlone ? data[0] : fileOf(data, one.file);
  const name = one.file ?? (found?.name || ONLY);
  const wrong = mappingFaults(one).map(({ field, detail }) => ({
    pointer: `${at}/fields/${field}`,
    code: 'INVALID',
    detail,
  }));
  const none = { opened: { mapping: one, name, lines: () => [] } };
  if (!found)
    return {
      ...none,
      faults: [...wrong, { pointer: `${at}/file`, code: 'MISSING', detail: 'is not in the archive' }],
    };
  const file = openDataFile(found, mapping);
  const lines = (): Iterable<FileLine> => fieldsOf(file, one);
  const opened = { mapping: one, name, lines };
  // Objects of NDJSON may each have other members.
  if (file.format === 'NDJSON') return { opened, faults: wrong };
  const missing = columnsOfMapping(one).filter((column) => !file.columns.includes(column));
  const faults = missing.map((column) => ({
    pointer: `${at}/fields`,
    code: 'MISSING',
    detail: `${column} is no column of the header line`,
  }));
  return { opened, faults: [...wrong, ...faults] };
}

function* fieldsOf(file: DataFile, mapping: FileMapping): Generator<FileLine> {
  for (const one of file.lines()) yield 'fault' in one ? one : { line: one.line, fields: lineFields(mapping, one) };
}
