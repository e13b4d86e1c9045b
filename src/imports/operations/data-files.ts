import { isUtf8 } from 'node:buffer';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import { csvLines, delimiterOf, MAX_RECORD_CHARACTERS, TOO_LONG } from '../rules/csv-lines.ts';
import type { ImportMapping, SourceLine } from '../rules/mapping.ts';
import { TextWindow } from '../rules/text-window.ts';
import type { ArchivedFile } from './read-archive.ts';

/** A line of a file: the texts of its columns, or what is wrong with it. */
type DataLine = SourceLine | { line: number; fault: string };

/** A file as it is read: what its columns are called, and its lines. */
export type DataFile = {
  format: 'CSV' | 'NDJSON';
  /** Of CSV. */
  delimiter?: string;
  columns: string[];
  lines(): Iterable<DataLine>;
};

/** How a file is read. */
type ReadAs = Pick<ImportMapping, 'encoding' | 'delimiter'>;

/** Bytes that are decoded at once. */
const PIECE_BYTES = 256 * 1024;
/** Objects of NDJSON whose members are its columns. */
const MEMBERS_OF = 100;

/** Opens a file of an import. @throws DomainError BODY_UNREADABLE for UTF-16, and for a header that nobody can read */
export function openDataFile(
  { bytes }: Pick<ArchivedFile, 'bytes'>,
  { encoding, delimiter: said }: ReadAs,
): DataFile {
  const pieces = (): Iterable<string> => decoded(bytes, encoding);
  const isObject = firstOf(pieces(), (text) => text.trim() !== '')
    ?.trimStart()
    .startsWith('{');
  if (isObject) return { format: 'NDJSON', columns: membersOf(pieces()), lines: () => ndjsonLines(pieces()) };
  const delimiter = said ?? delimiterOf(firstOf(linesOf(pieces()), () => true) ?? '');
  const header = firstOf(csvLines(pieces(), delimiter), () => true);
  if (header && 'fault' in header)
    throw new DomainError('BODY_UNREADABLE', `The header line of a file ${header.fault}.`);
  const columns = header?.cells.map((cell) => cell.trim()) ?? [];
  return { format: 'CSV', delimiter, columns, lines: () => csvDataLines(pieces(), delimiter) };
}

function firstOf<T>(all: Iterable<T>, isIt: (one: T) => boolean): T | undefined {
  for (const one of all) if (isIt(one)) return one;
  return undefined;
}

/** The encoding that a file has: that of old systems where it is no UTF-8. */
export const encodingOf = (bytes: Buffer): ImportMapping['encoding'] => (isUtf8(bytes) ? 'utf-8' : 'latin1');

/** A mark of wrong bytes stays in the text, so that the line is named that has it. */
function decoded(bytes: Buffer, encoding: ImportMapping['encoding']): Iterable<string> {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) throw new DomainError('BODY_UNREADABLE', 'A file is UTF-16: save it as UTF-8.');
  return piecesOf(bytes, encoding);
}

/** The text of a file piece by piece: as one it would take several times the memory of its bytes. */
function* piecesOf(bytes: Buffer, encoding: ImportMapping['encoding']): Generator<string> {
  const decoder = new TextDecoder(encoding);
  // Lines of old programs of Macintosh end with CR alone.
  const isOldMac = !bytes.includes('\n') && bytes.includes('\r');
  const linesOfOurs = (text: string): string => (isOldMac ? text.replaceAll('\r', '\n') : text);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    yield linesOfOurs(decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true }));
  yield linesOfOurs(decoder.decode());
}

function* linesOf(pieces: Iterable<string>): Generator<string> {
  const window = new TextWindow(pieces, 0);
  for (let at = window.moveTo(0); at < window.text.length; at = window.moveTo(at)) {
    const { text } = window;
    const end = text.indexOf('\n', at);
    yield text.slice(at, end < 0 ? text.length : end);
    at = end < 0 ? text.length : end + 1;
  }
}

/** Of a text that was decoded from other bytes than UTF-8. */
const WRONG_BYTE = '\uFFFD';
const NOT_UTF8 = 'is not UTF-8: is the encoding of the mapping latin1?';
/** Cells longer than this are no data of a stay. */
const MAX_CELL_CHARACTERS = 10_000;

function* csvDataLines(pieces: Iterable<string>, delimiter: string): Generator<DataLine> {
  let columns: ReadonlyMap<string, number> | undefined;
  let width = 0;
  for (const record of csvLines(pieces, delimiter)) {
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
    else if (record.cells.some(({ length }) => length > MAX_CELL_CHARACTERS)) yield { line, fault: TOO_LONG };
    else {
      const { cells } = record;
      const index = columns;
      yield { line, text: (column) => cells[index.get(column) ?? -1] };
    }
  }
}

/** Objects of NDJSON; a name with dots is a member of a member. */
function* ndjsonLines(pieces: Iterable<string>): Generator<DataLine> {
  let line = 0;
  for (const text of linesOf(pieces)) {
    const raw = text.trim();
    line += 1;
    if (raw === '') continue;
    const isLong = raw.length > MAX_RECORD_CHARACTERS;
    const one = isLong ? undefined : objectIn(raw);
    if (raw.includes(WRONG_BYTE)) yield { line, fault: NOT_UTF8 };
    else if (!one) yield { line, fault: isLong ? TOO_LONG : 'is no object of JSON' };
    else yield { line, text: (column) => memberText(one, column) };
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

/** Members of the first objects of NDJSON, those of members with a dot. */
function membersOf(pieces: Iterable<string>): string[] {
  const names = new Set<string>();
  let read = 0;
  for (const text of linesOf(pieces)) {
    const one = text.length > MAX_RECORD_CHARACTERS ? undefined : objectIn(text);
    if (one) namesIn(one, '', names);
    read += 1;
    if (read >= MEMBERS_OF) break;
  }
  return [...names];
}

const MAX_DEPTH = 3;
const MAX_MEMBERS = 200;

function namesIn(of: object, before: string, names: Set<string>): void {
  for (const [name, value] of Object.entries(of) as [string, unknown][]) {
    if (names.size >= MAX_MEMBERS) return;
    const path = `${before}${name}`;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject) names.add(path);
    else if (path.split('.').length < MAX_DEPTH) namesIn(value, `${path}.`, names);
  }
}
