import { CsvError, parse } from 'csv-parse/sync';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import {
  MAX_ROWS,
  REQUIRED_COLUMNS,
  ROOMING_COLUMNS,
  type RoomingListBody,
  type RoomingRow,
  roomingRow,
} from '../contracts/rooming-list.ts';

/** Why a line does not fit. */
export type LineFault = { line: number; code: string; detail: string; date?: string };

/** A line of a rooming list that can be read. */
export type RoomingLine = { line: number; row: RoomingRow };

/**
 * Reads the rows of a rooming list (docs/reference/groups.md#rooming-list), and names every line that cannot be read.
 * @throws DomainError BODY_UNREADABLE for a file that is not CSV, VALIDATION_FAILED for its columns and its length
 */
export function readRoomingList(body: RoomingListBody): { lines: RoomingLine[]; faults: LineFault[] } {
  const sent = typeof body === 'string' ? fromFile(body) : body.rows.map((row, index) => ({ line: index + 1, row }));
  const lines: RoomingLine[] = [];
  const faults: LineFault[] = [];
  for (const { line, row } of sent) {
    const read = typeof row === 'string' ? row : roomingRow.safeParse(row);
    if (typeof read !== 'string' && read.success) lines.push({ line, row: read.data });
    else
      faults.push({
        line,
        code: 'VALIDATION_FAILED',
        detail: typeof read === 'string' ? read : said(read.error, row),
      });
  }
  return { lines, faults };
}

function said({ issues }: { issues: readonly ZodIssue[] }, row: unknown): string {
  const words = issues.flatMap(({ path, message, ...issue }) => {
    if (issue.code === 'unrecognized_keys') return (issue.keys ?? []).map((key) => `${key} is not a field of a row`);
    const name = String(path[0] ?? 'the row');
    const isMissing = path.length > 0 && (row as Record<string, unknown>)[name] === undefined;
    return [`${name} ${isMissing ? 'is required' : message}`];
  });
  return words.join('; ');
}

type ZodIssue = { path: readonly PropertyKey[]; message: string; code?: string; keys?: readonly string[] };

/** A row of a file, or what is wrong with it. */
type Sent = { line: number; row: Record<string, unknown> | string };

type Parsed = { record: string[]; info: { lines: number } };

/** RFC 4180: a header line, then a line for each row. */
function fromFile(text: string): Sent[] {
  const [header, ...records] = parsed(text);
  const columns = header?.record.map((name) => name.trim()) ?? [];
  checkColumns(columns);
  if (records.length === 0 || records.length > MAX_ROWS) {
    const detail = `a rooming list has 1 to ${MAX_ROWS} rows`;
    throw new DomainError('VALIDATION_FAILED', 'The file has no rows, or too many.', {
      errors: [{ pointer: '', code: records.length === 0 ? 'TOO_SMALL' : 'TOO_BIG', detail }],
    });
  }
  return records.map(({ record, info }) => {
    // It counts to the end of the record, which may be several lines: named is where it begins.
    const line = info.lines - record.reduce((sum, text) => sum + (text.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
    if (record.length !== columns.length) return { line, row: `has ${record.length} fields, not ${columns.length}` };
    return { line, row: Object.fromEntries(columns.flatMap((name, index) => cell(name, record[index]!))) };
  });
}

function parsed(text: string): Parsed[] {
  try {
    return parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: MAX_ROWS + 2,
    }) as unknown as Parsed[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? ` Line ${error['lines']} cannot be read.` : '';
    throw new DomainError('BODY_UNREADABLE', `The body is not a file of CSV (RFC 4180).${line}`);
  }
}

/** An empty field is an absent one; counts are numbers. */
function cell(name: string, text: string): [string, unknown][] {
  const value = text.trim();
  if (value === '') return [];
  const isCount = (name === 'adults' || name === 'children') && /^\d{1,3}$/.test(value);
  return [[name, isCount ? Number(value) : value]];
}

/** @throws DomainError VALIDATION_FAILED with every column that is missing, unknown or there twice */
function checkColumns(columns: readonly string[]): void {
  const known: readonly string[] = ROOMING_COLUMNS;
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name));
  const unknown = columns.filter((name) => !known.includes(name));
  const twice = columns.filter((name, index) => known.includes(name) && columns.indexOf(name) < index);
  const errors = [
    ...missing.map((name) => ({ pointer: `/${name}`, code: 'MISSING', detail: 'is no column of the header line' })),
    ...unknown.map((name) => ({
      pointer: `/${name.slice(0, 50)}`,
      code: 'UNKNOWN_FIELD',
      detail: `is no column; there are ${known.join(', ')}`,
    })),
    ...twice.map((name) => ({ pointer: `/${name}`, code: 'DUPLICATE', detail: 'is named twice' })),
  ];
  if (errors.length > 0)
    throw new DomainError('VALIDATION_FAILED', 'The columns of the file are wrong.', { errors: errors.slice(0, 50) });
}
