import type { z } from 'zod';

import { DomainError, type FieldError } from '../../kernel/rules/domain-error.ts';
import { importMapping } from '../contracts/mapping.ts';
import { csvLines, delimiterOf } from '../rules/csv-lines.ts';
import {
  columnsOfMapping,
  lineFields,
  type FileMapping,
  IMPORT_KINDS,
  type ImportMapping,
  type LineFields,
  mappingFaults,
} from '../rules/mapping.ts';
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
  const data = archived.filter(({ name }) => name !== MAPPING_FILE);
  const files = mapping.files.map((one, index) => openFile(mapping, one, index, data));
  const faults = files.flatMap(({ faults: of }) => of);
  if (faults.length > 0)
    throw new DomainError('VALIDATION_FAILED', 'The mapping does not fit the files.', {
      errors: faults.slice(0, 50),
    });
  const inOrder = files.toSorted((a, b) => kindOrder(a.opened.mapping) - kindOrder(b.opened.mapping));
  return { mapping, files: inOrder.map(({ opened }) => opened) };
}

const kindOrder = ({ kind }: FileMapping): number => IMPORT_KINDS.indexOf(kind);

function mappingIn(files: readonly ArchivedFile[]): string {
  const found = files.find(({ name }) => name === MAPPING_FILE);
  if (found && found.bytes.length <= MAX_MAPPING_BYTES) return found.bytes.toString('utf8').replace(/^\uFEFF/, '');
  throw new DomainError('VALIDATION_FAILED', 'There is no mapping.', {
    errors: [{ parameter: 'mapping', code: 'MISSING', detail: `is required, or ${MAPPING_FILE} in the archive` }],
  });
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

type Opening = { opened: OpenedFile; faults: FieldError[] };

function openFile(mapping: ImportMapping, one: FileMapping, index: number, data: readonly ArchivedFile[]): Opening {
  const at = `/files/${index}`;
  const found = one.file === undefined && data.length === 1 ? data[0] : data.find(({ name }) => name === one.file);
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
  const text = decoded(found.bytes, mapping.encoding);
  if (text.trimStart().startsWith('{'))
    return { opened: { mapping: one, name, lines: () => ndjsonLines(text, one) }, faults: wrong };
  const end = text.indexOf('\n');
  const delimiter = mapping.delimiter ?? delimiterOf(end < 0 ? text : text.slice(0, end));
  const [header] = csvLines(text, delimiter);
  const columns = header && 'cells' in header ? header.cells.map((cell) => cell.trim()) : [];
  const missing = columnsOfMapping(one).filter((column) => !columns.includes(column));
  const faults = missing.map((column) => ({
    pointer: `${at}/fields`,
    code: 'MISSING',
    detail: `${column} is no column of the header line`,
  }));
  const lines = (): Iterable<FileLine> => csvFields(text, delimiter, one);
  return { opened: { mapping: one, name, lines }, faults: [...wrong, ...faults] };
}

/** A mark of wrong bytes stays in the text, so that the line is named that has it. */
function decoded(bytes: Buffer, encoding: ImportMapping['encoding']): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) throw new DomainError('BODY_UNREADABLE', 'A file is UTF-16: save it as UTF-8.');
  return new TextDecoder(encoding).decode(bytes);
}

/** Of a text that was decoded from other bytes than UTF-8. */
const WRONG_BYTE = '\uFFFD';
const NOT_UTF8 = 'is not UTF-8: is the encoding of the mapping latin1?';
/** Cells longer than this are no data of a stay. */
const MAX_CELL_CHARACTERS = 10_000;

function* csvFields(text: string, delimiter: string, mapping: FileMapping): Generator<FileLine> {
  let columns: ReadonlyMap<string, number> | undefined;
  let width = 0;
  for (const record of csvLines(text, delimiter)) {
    const { line } = record;
    if (!columns) {
      const names = 'cells' in record ? record.cells : [];
      columns = new Map(names.map((name, index) => [name.trim(), index]));
      width = names.length;
      continue;
    }
    if ('fault' in record) yield { line, fault: record.fault };
    else if (record.cells.length !== width)
      yield { line, fault: `has ${record.cells.length} fields, and the header line ${width}` };
    else if (record.cells.some((cell) => cell.includes(WRONG_BYTE))) yield { line, fault: NOT_UTF8 };
    else if (record.cells.some(({ length }) => length > MAX_CELL_CHARACTERS)) yield { line, fault: 'is too long' };
    else {
      const { cells } = record;
      const index = columns;
      yield { line, fields: lineFields(mapping, { line, text: (column) => cells[index.get(column) ?? -1] }) };
    }
  }
}

/** Objects of NDJSON; a name with dots is a member of a member. */
function* ndjsonLines(text: string, mapping: FileMapping): Generator<FileLine> {
  let line = 0;
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const raw = text.slice(at, end < 0 ? text.length : end).trim();
    at = end < 0 ? text.length : end + 1;
    line += 1;
    if (raw === '') continue;
    if (raw.includes(WRONG_BYTE)) {
      yield { line, fault: NOT_UTF8 };
      continue;
    }
    const one = objectIn(raw);
    if (!one) yield { line, fault: 'is no object of JSON' };
    else yield { line, fields: lineFields(mapping, { line, text: (column) => memberText(one, column) }) };
  }
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function memberText(of: object, path: string): string | undefined {
  let value: unknown = of;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  if (Array.isArray(value)) return value.map(String).join(';');
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
