import { CHANNEL_WORDS, FIELD_WORDS, knownBy, METHOD_WORDS, plainWord, STATUS_WORDS } from './field-words.ts';
import { dayValue } from './line-values.ts';
import {
  columnsOfMapping,
  type FieldSource,
  type FileMapping,
  IMPORT_FIELDS,
  IMPORT_KINDS,
  type ImportKind,
  type ImportMapping,
} from './mapping.ts';

/** A column of a file with some of the texts that stand in it. */
export type SampledColumn = {
  name: string;
  values: readonly string[];
  /** It has more values than these. */
  more: boolean;
};

/** A file of an import as it is looked at. */
export type SampledFile = { name: string; columns: readonly SampledColumn[] };

/** Codes of the property, with what they are called. */
export type PropertyCodes = Readonly<Record<'roomTypes' | 'plans', readonly { code: string; name: string }[]>>;

/** Formats of dates that are tried, the likelier first: days come before months, as in most countries. */
export const DATE_FORMATS = [
  'YYYY-MM-DD',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD.MM.YYYY',
  'DD-MM-YYYY',
  'YYYY/MM/DD',
  'YYYYMMDD',
  'DD/MM/YY',
  'MM/DD/YY',
  'DD.MM.YY',
  'DD MMM YYYY',
  'DD-MMM-YYYY',
  'DD-MMM-YY',
  'MMM DD, YYYY',
  'YYYY MMMM D',
] as const;

export const DATE_FIELDS: ReadonlySet<string> = new Set([
  'checkIn',
  'checkOut',
  'bookedAt',
  'cancelledAt',
  'arrivedAt',
  'departedAt',
  'paymentDate',
  'date',
]);
const AMOUNT_FIELDS: ReadonlySet<string> = new Set([
  'totalAmount',
  'nightlyRate',
  'taxAmount',
  'retainedAmount',
  'paidAmount',
  'amount',
  'baseRate',
]);

/**
 * A mapping to begin with: columns are recognized by their names and by what stands in them
 * (docs/reference/import.md#suggested-mapping). What is not recognized is left out.
 */
export function suggestMapping(
  files: readonly SampledFile[],
  encoding: ImportMapping['encoding'],
  codes: PropertyCodes,
): ImportMapping {
  const kinds = files.map((file) => kindOf(file, files.length));
  const suggested = files.map((file, index) => suggestFile(file, kinds[index]!, kinds, codes));
  const formats = suggested.flatMap(({ formats: of }) => [...of.values()]);
  const dateFormat = mostOften(formats) ?? 'YYYY-MM-DD';
  for (const { mapping, formats: of } of suggested)
    for (const [field, format] of of)
      if (format !== dateFormat) mapping.fields[field] = { ...ruleOf(mapping.fields[field]!), format };
  const amounts = files.flatMap((file, index) => amountsOf(file, suggested[index]!.mapping));
  return {
    encoding,
    dateFormat,
    decimalSeparator: separatorOf(amounts),
    shiftDays: 0,
    overbooking: false,
    terms: 'PLAN',
    files: suggested.map(({ mapping }) => mapping),
  };
}

/** Whether a mapping of other files fits these: each has its columns. */
export function fitsFiles(mapping: ImportMapping, files: readonly SampledFile[]): boolean {
  if (mapping.files.length !== files.length) return false;
  return mapping.files.every((one) => {
    const file = files.length === 1 ? files[0] : files.find(({ name }) => name === one.file);
    const names = new Set(file?.columns.map(({ name }) => name));
    return file !== undefined && columnsOfMapping(one).every((column) => names.has(column));
  });
}

const ruleOf = (source: FieldSource): Exclude<FieldSource, string> =>
  typeof source === 'string' ? { column: source } : source;

/** What a file is about: what its name says, or the kind of which most required fields are recognized. */
function kindOf({ name, columns }: SampledFile, count: number): ImportKind {
  if (count === 1) return 'reservations';
  const word = plainWord(name);
  const named = IMPORT_KINDS.find((kind) => word.includes(kind) || word.includes(kind.slice(0, -1)));
  if (named) return named;
  const found = (kind: ImportKind): number => {
    const { required } = IMPORT_FIELDS[kind];
    return required.filter((field) => columnFor(kind, field, columns)).length / required.length;
  };
  return IMPORT_KINDS.toReversed().toSorted((a, b) => found(b) - found(a))[0]!;
}

/** The column with the surest of the names of a field. */
function columnFor(kind: ImportKind, field: string, columns: readonly SampledColumn[]): SampledColumn | undefined {
  const words = FIELD_WORDS[kind][field] ?? [];
  const found = words.flatMap((word) => columns.find(({ name }) => plainWord(name) === word) ?? []);
  return found.find((column) => suits(field, column));
}

/** Whether what stands in a column can be read as a field. */
function suits(field: string, { values }: SampledColumn): boolean {
  const filled = values.filter((value) => value.trim() !== '');
  if (filled.length === 0) return field !== 'checkIn';
  if (DATE_FIELDS.has(field)) return formatOfDates(filled) !== undefined;
  if (AMOUNT_FIELDS.has(field)) return filled.some((value) => /\d/.test(value));
  if (field === 'nights' || field === 'adults' || field === 'leadDays')
    return filled.some((one) => /^\d+$/.test(one));
  return true;
}

/** The first format that nearly all texts have. */
export function formatOfDates(texts: readonly string[]): string | undefined {
  const filled = texts.filter((text) => text.trim() !== '');
  return DATE_FORMATS.find((format) => {
    const read = filled.filter((text) => isDate(text.trim(), format)).length;
    return read > 0 && read >= filled.length * 0.9;
  });
}

/** Only the format counts. */
const NOWHERE = { decimalSeparator: '.', shiftDays: 0, timezone: 'UTC', currency: 'EUR' } as const;

function isDate(text: string, dateFormat: string): boolean {
  try {
    dayValue('date', text, { ...NOWHERE, dateFormat });
    return true;
  } catch {
    return false;
  }
}

type Suggested = { mapping: FileMapping; formats: Map<string, string> };

function suggestFile(
  file: SampledFile,
  kind: ImportKind,
  kinds: readonly ImportKind[],
  codes: PropertyCodes,
): Suggested {
  const { required, optional } = IMPORT_FIELDS[kind];
  const fields: Record<string, FieldSource> = {};
  const formats = new Map<string, string>();
  const taken = new Set<string>();
  // Fields with the fewest words are the surest.
  for (const field of [...required, ...optional]) {
    if (field === 'guest' && !kinds.includes('guests')) continue;
    const column = columnFor(
      kind,
      field,
      file.columns.filter(({ name }) => !taken.has(name)),
    );
    if (!column) continue;
    taken.add(column.name);
    fields[field] = sourceOf(field, column, codes);
    const format = DATE_FIELDS.has(field) ? formatOfDates(column.values) : undefined;
    if (format !== undefined) formats.set(field, format);
  }
  if (kind === 'reservations') completeStay(file, fields, formats);
  const mapping = { kind, ...(file.name !== '' && { file: file.name }), fields };
  return { mapping, formats };
}

/** A field with the words of its column in ours. */
function sourceOf(field: string, { name, values }: SampledColumn, codes: PropertyCodes): FieldSource {
  const map = Object.fromEntries(values.flatMap((value) => ownWord(field, value.trim(), codes)));
  return Object.keys(map).length === 0 ? name : { column: name, map };
}

function ownWord(field: string, value: string, codes: PropertyCodes): [string, string][] {
  const own = ((): string | undefined => {
    if (field === 'status') return knownBy(STATUS_WORDS, value);
    if (field === 'channel') return knownBy(CHANNEL_WORDS, value);
    if (field === 'method' || field === 'paymentMethod') return knownBy(METHOD_WORDS, value);
    if (field === 'roomType') return codeOf(value, codes.roomTypes);
    if (field === 'rateCode') return codeOf(value, codes.plans);
    return undefined;
  })();
  return own === undefined || own === value || value === '' ? [] : [[value, own]];
}

function codeOf(value: string, all: PropertyCodes['plans']): string | undefined {
  const word = plainWord(value);
  return (all.find(({ code }) => plainWord(code) === word) ?? all.find(({ name }) => plainWord(name) === word))?.code;
}

/** What a reservation needs, where it stands in several columns or in none. */
function completeStay(file: SampledFile, fields: Record<string, FieldSource>, formats: Map<string, string>): void {
  const parts = fields['checkIn'] === undefined ? dateParts(file.columns) : undefined;
  if (parts) {
    fields['checkIn'] = { columns: parts.columns };
    formats.set('checkIn', parts.format);
  }
  const nights = file.columns.filter(({ name }) => /nights?$/.test(plainWord(name))).map(({ name }) => name);
  if (fields['checkOut'] !== undefined) delete fields['nights'];
  else if (fields['nights'] === undefined && nights.length > 1) fields['nights'] = { sum: nights.slice(0, 5) };
  if (fields['bookedAt'] !== undefined) delete fields['leadDays'];
  // A total that is not the sum of its nights is refused, so that one of them is read.
  if (fields['totalAmount'] !== undefined) delete fields['nightlyRate'];
  if (fields['guest'] !== undefined) for (const one of OF_GUEST) delete fields[one];
  else fields['lastName'] ??= { line: 'Guest ' };
  fields['externalId'] ??= { line: `${file.name.replace(/\..*$/, '').slice(0, 50) || 'import'}-` };
}

const OF_GUEST = ['firstName', 'lastName', 'email', 'phone'];

/** Year, month and day of an arrival in columns of their own. */
function dateParts(columns: readonly SampledColumn[]): { columns: string[]; format: string } | undefined {
  const arrival = /^(arrivaldate|arrival|checkindate|checkin|anreise|ankunft|arrivee|llegada|entrada|chegada)/;
  const of = (end: RegExp) => columns.find(({ name }) => arrival.test(plainWord(name)) && end.test(plainWord(name)));
  const [year, month] = [of(/(year|jahr|annee|ano)$/), of(/(month|monat|mois|mes)$/)];
  const day = of(/(dayofmonth|day|tag|jour|dia)$/);
  if (!year || !month || !day) return undefined;
  const isNamed = month.values.some((value) => /[a-z]/i.test(value));
  return { columns: [year.name, month.name, day.name], format: `YYYY ${isNamed ? 'MMMM' : 'M'} D` };
}

function mostOften(texts: readonly string[]): string | undefined {
  const count = (text: string): number => texts.filter((one) => one === text).length;
  return texts.toSorted((a, b) => count(b) - count(a))[0];
}

function amountsOf({ columns }: SampledFile, { fields }: FileMapping): string[] {
  return Object.entries(fields).flatMap(([field, source]) => {
    const name = ruleOf(source).column;
    return AMOUNT_FIELDS.has(field) ? (columns.find((one) => one.name === name)?.values ?? []) : [];
  });
}

/** What stands before one or two digits at the end. */
function separatorOf(amounts: readonly string[]): ImportMapping['decimalSeparator'] {
  const ends = (sign: RegExp): number => amounts.filter((text) => sign.test(text.trim())).length;
  return ends(/,\d{1,2}$/) > ends(/\.\d{1,2}$/) ? ',' : '.';
}
