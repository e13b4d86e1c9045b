import { locale } from '../language/texts.ts';

/** Rows of a rooming list out of a spreadsheet: pasted, or a file (docs/reference/groups.md#rooming-list). */

const FIELDS = ['firstName', 'lastName', 'email', 'roomType', 'checkIn', 'checkOut', 'adults', 'children'] as const;
type Field = (typeof FIELDS)[number];

/** A row as it is sent; what cannot be understood is sent as it was written, and the service names it. */
export type ListRow = Partial<Record<Field, string | number>>;

/** What the group says where a list says nothing. */
export type ListDefaults = {
  roomTypes: readonly string[];
  /** Names of room types by code: a list may have either. */
  typeNames?: ReadonlyMap<string, string>;
  checkIn: string;
  checkOut: string;
};

/** A line of the list with its number in what was pasted. */
export type ListLine = { line: number; row: ListRow };

/** Names of columns that spreadsheets have, in lower case without spaces and signs. */
const COLUMN_NAMES: Readonly<Record<string, Field | 'name'>> = {
  firstname: 'firstName',
  first: 'firstName',
  givenname: 'firstName',
  forename: 'firstName',
  vorname: 'firstName',
  lastname: 'lastName',
  last: 'lastName',
  surname: 'lastName',
  familyname: 'lastName',
  nachname: 'lastName',
  name: 'name',
  guest: 'name',
  guestname: 'name',
  fullname: 'name',
  email: 'email',
  mail: 'email',
  emailaddress: 'email',
  roomtype: 'roomType',
  room: 'roomType',
  type: 'roomType',
  zimmer: 'roomType',
  checkin: 'checkIn',
  arrival: 'checkIn',
  arrivaldate: 'checkIn',
  from: 'checkIn',
  anreise: 'checkIn',
  checkout: 'checkOut',
  departure: 'checkOut',
  departuredate: 'checkOut',
  to: 'checkOut',
  abreise: 'checkOut',
  adults: 'adults',
  adult: 'adults',
  persons: 'adults',
  pax: 'adults',
  children: 'children',
  kids: 'children',
};

/** The lines of a pasted list; empty ones are left out. */
export function readList(text: string, defaults: ListDefaults): ListLine[] {
  const lines = cellsOf(text, hasNamesAlone(text) ? NO_SEPARATOR : undefined);
  const [first] = lines;
  if (!first) return [];
  const named = columnsOf(first.cells);
  const isNames = lines.every(({ cells }) => cells.length === 1);
  return (named ? lines.slice(1) : lines).map(({ line, cells }) => ({
    line,
    row: rowOf(cells, named ?? (isNames ? (['name'] as const) : usualColumns(cells)), defaults),
  }));
}

/** Without a header: the fields in their order, where a name may be in one cell or in two before the e-mail address. */
const usualColumns = ([, second = '']: readonly string[]): readonly (Field | 'name')[] =>
  second.includes('@') ? ['name', ...FIELDS.slice(FIELDS.indexOf('email'))] : FIELDS;

/** Columns of a header; without two names that we know it is no header. */
function columnsOf(cells: readonly string[]): (Field | 'name' | undefined)[] | undefined {
  const columns = cells.map((cell) => COLUMN_NAMES[cell.toLowerCase().replaceAll(/[^a-z]/g, '')]);
  // `Name` beside a first name is the last one.
  if (columns.includes('firstName') && !columns.includes('lastName') && columns.includes('name'))
    columns[columns.indexOf('name')] = 'lastName';
  const known = columns.filter((column) => column !== undefined);
  return known.length >= Math.min(2, cells.length) && new Set(known).size === known.length ? columns : undefined;
}

function rowOf(
  cells: readonly string[],
  columns: readonly (Field | 'name' | undefined)[],
  { roomTypes, typeNames, checkIn, checkOut }: ListDefaults,
): ListRow {
  const row: ListRow = {
    checkIn,
    checkOut,
    adults: 1,
    ...(roomTypes.length === 1 && { roomType: roomTypes[0]! }),
  };
  cells.forEach((cell, index) => {
    const column = columns[index];
    if (cell === '' || column === undefined) return;
    if (column === 'name') Object.assign(row, namesOf(cell));
    else if (column === 'checkIn' || column === 'checkOut') row[column] = dateOf(cell) ?? cell;
    else if (column === 'adults' || column === 'children') row[column] = /^\d{1,2}$/.test(cell) ? Number(cell) : cell;
    else if (column === 'roomType')
      row.roomType =
        roomTypes.find((one) => isSameText(one, cell) || isSameText(typeNames?.get(one) ?? '', cell)) ?? cell;
    else row[column] = cell;
  });
  return row;
}

const isSameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** `King, Ada` and `Ada King` are the same guest. */
function namesOf(name: string): ListRow {
  const comma = name.indexOf(',');
  if (comma > 0) return { lastName: name.slice(0, comma).trim(), firstName: name.slice(comma + 1).trim() };
  const space = name.lastIndexOf(' ');
  return space < 0 ? { lastName: name } : { firstName: name.slice(0, space).trim(), lastName: name.slice(space + 1) };
}

/** `YYYY-MM-DD` of a date as spreadsheets write it; `undefined` when it is none. */
export function dateOf(text: string): string | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(text);
  if (iso) return dayOf(iso[1]!, iso[2]!, iso[3]!);
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text);
  if (dotted) return dayOf(dotted[3]!, dotted[2]!, dotted[1]!);
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (!slashed) return undefined;
  const [, one = '', two = '', year = ''] = slashed;
  // Only one of the two can be the month, or the language of the browser says which is.
  const isDayFirst = Number(one) > 12 || (Number(two) <= 12 && DAY_FIRST);
  return isDayFirst ? dayOf(year, two, one) : dayOf(year, one, two);
}

const DAY_FIRST = new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit' })
  .format(new Date(2026, 0, 31))
  .startsWith('31');

function dayOf(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${text}T00:00:00Z`);
  // The 31st of June would be the 1st of July.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined;
}

type Line = { line: number; cells: string[] };

/** A sign that no list has. */
const NO_SEPARATOR = '\0';

/** Whether each line is a name like `King, Ada`. */
function hasNamesAlone(text: string): boolean {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  return (
    lines.every((line) => /^[^,;\t"]+, [^,;\t"]+$/.test(line.trim())) &&
    columnsOf(lines[0]?.split(',') ?? []) === undefined
  );
}

/** Cells by tabs, semicolons or commas; a quoted cell may have line breaks (RFC 4180). */
function cellsOf(text: string, only?: string): Line[] {
  const separator = only ?? ['\t', ';'].find((one) => text.includes(one)) ?? ',';
  const lines: Line[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let line = 1;
  let start = 1;
  const endCell = (): void => {
    cells.push(cell.trim());
    cell = '';
  };
  const endLine = (): void => {
    endCell();
    if (cells.some((one) => one !== '')) lines.push({ line: start, cells });
    cells = [];
    start = line + 1;
  };
  const plain = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  for (let at = 0; at < plain.length; at++) {
    const sign = plain[at]!;
    if (isQuoted && sign === '"' && plain[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"' && (isQuoted || cell.trim() === '')) isQuoted = !isQuoted;
    else if (sign === separator && !isQuoted) endCell();
    else if (sign === '\n' && !isQuoted) {
      endLine();
      line += 1;
    } else {
      cell += sign;
      if (sign === '\n') line += 1;
    }
  }
  endLine();
  return lines;
}
