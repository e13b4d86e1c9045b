import { ownText, TextWindow } from './text-window.ts';

/** A record of a file with the line that it begins on, or what is wrong with that line. */
export type CsvLine = { line: number } & ({ cells: string[] } | { fault: string });

/**
 * A record is at most this long: a quote that is never closed costs one line, not the file, and a line of a million
 * fields no node its memory.
 */
export const MAX_RECORD_CHARACTERS = 64 * 1024;

export const TOO_LONG = 'is too long';

export const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The delimiter that a header line has most of. */
export function delimiterOf(header: string): string {
  const text = header.slice(0, MAX_RECORD_CHARACTERS);
  const count = (one: string): number => text.split(one).length;
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0]!;
}

/**
 * Records of CSV (RFC 4180), one after the other. A line that cannot be read is named, and the next one is read; empty
 * lines are skipped. Cells are texts: nothing in them is ever evaluated. The file comes in pieces, and no more of it is in
 * memory than a record needs.
 *
 * Not by csv-parse, which reads the files of rooming lists: where a quote is not closed it has no record of any line
 * behind it, whatever its options for errors, and a large file takes it many times longer.
 */
export function* csvLines(pieces: Iterable<string>, delimiter: string): Generator<CsvLine> {
  const window = new TextWindow(pieces, MAX_RECORD_CHARACTERS + 2);
  let line = 1;
  for (let at = window.moveTo(0); at < window.text.length; at = window.moveTo(at)) {
    const { text } = window;
    const end = endOfLine(text, at);
    const raw = text.slice(at, end).replace(/\r$/, '');
    const isLong = raw.length > MAX_RECORD_CHARACTERS;
    if (isLong || !raw.includes('"')) {
      if (isLong) yield { line, fault: TOO_LONG };
      else if (raw.trim() !== '') yield { line, cells: ownText(raw).split(delimiter) };
      line += 1;
      at = end + 1;
      continue;
    }
    const record = quotedRecord(text, at, delimiter);
    if (typeof record === 'string') {
      yield { line, fault: record };
      line += 1;
      at = end + 1;
      continue;
    }
    yield { line, cells: record.cells.map(ownText) };
    line += record.lines;
    at = record.next;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

type Quoted = { cells: string[]; next: number; lines: number };

/** A record with quotes, or what is wrong with it. */
function quotedRecord(text: string, from: number, delimiter: string): Quoted | string {
  const cells: string[] = [];
  let lines = 1;
  for (let at = from; ;) {
    if (text[at] === '"') {
      const cell = quotedCell(text, at, from);
      if (cell === undefined) return 'a quote is not closed';
      lines += cell.text.split('\n').length - 1;
      cells.push(cell.text);
      at = cell.next;
    } else {
      const end = plainEnd(text, at, delimiter);
      cells.push(text.slice(at, end).replace(/\r$/, ''));
      at = end;
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    if (at >= text.length || text[at] === '\n') return { cells, next: at + 1, lines };
    if (text[at] !== delimiter) return 'a quoted field has text after its quotes';
    at += 1;
  }
}

function plainEnd(text: string, from: number, delimiter: string): number {
  const end = endOfLine(text, from);
  // In this line alone: the next delimiter may be far behind it.
  const next = text.slice(from, end).indexOf(delimiter);
  return next < 0 ? end : from + next;
}

/** A field in quotes, of which two are one; `undefined` where they are not closed. */
function quotedCell(text: string, from: number, record: number): { text: string; next: number } | undefined {
  let cell = '';
  for (let at = from + 1; ;) {
    const quote = text.indexOf('"', at);
    if (quote < 0 || quote - record > MAX_RECORD_CHARACTERS) return undefined;
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { text: cell, next: quote + 1 };
    cell += '"';
    at = quote + 2;
  }
}
