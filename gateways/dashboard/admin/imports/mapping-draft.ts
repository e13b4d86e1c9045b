import {
  type FieldSource,
  type FileMapping,
  IMPORT_FIELDS,
  type ImportKind,
  type ImportMapping,
  lineFields,
} from '../../../../src/imports/rules/mapping.ts';
import { fieldName } from './field-names.ts';
import type { SampleFile } from './import-desk.ts';
import { imports as words } from './messages.ts';

/** Where a field comes from, as it is chosen. */
export const SOURCE_KINDS = ['columns', 'sum', 'value', 'line'] as const;
type SourceKind = 'none' | 'column' | (typeof SOURCE_KINDS)[number];
type Rule = Exclude<FieldSource, string>;

export const sourceRule = (source: FieldSource | undefined): Rule =>
  typeof source === 'string' ? { column: source } : (source ?? {});

export function sourceKind(source: FieldSource | undefined): SourceKind {
  const { column, columns, sum, value, line } = sourceRule(source);
  if (column !== undefined) return 'column';
  if (columns) return 'columns';
  if (sum) return 'sum';
  if (value !== undefined) return 'value';
  return line === undefined ? 'none' : 'line';
}

/** A field with another source; words, default and format stay. */
export function withSource(source: FieldSource | undefined, kind: SourceKind, text = ''): FieldSource | undefined {
  const { map, default: usual, format, columns, sum } = sourceRule(source);
  const staying = {
    ...(map && { map }),
    ...(usual !== undefined && { default: usual }),
    ...(format !== undefined && { format }),
  };
  switch (kind) {
    case 'none':
      return undefined;
    case 'column':
      return Object.keys(staying).length === 0 ? text : { column: text, ...staying };
    case 'columns':
      return { columns: sum ?? columns ?? [], ...staying };
    case 'sum':
      return { sum: columns ?? sum ?? [], ...staying };
    case 'value':
      return { value: text };
    case 'line':
      return { line: text };
  }
}

/** A field with another part of its rule; empty parts go. */
export function withPart(source: FieldSource | undefined, part: Partial<Rule>): FieldSource {
  const rule: Rule = { ...sourceRule(source), ...part };
  if (rule.map && Object.keys(rule.map).length === 0) delete rule.map;
  for (const name of ['default', 'format'] as const) if (rule[name] === '') delete rule[name];
  const { column, ...rest } = rule;
  const isPlain = column !== undefined && Object.values(rest).every((value) => value === undefined);
  return isPlain ? column : rule;
}

/** A mapping in which a field of a file has another source; without one it is not read. */
export function withField(
  mapping: ImportMapping,
  index: number,
  field: string,
  source: FieldSource | undefined,
): ImportMapping {
  const files = mapping.files.map((file, n) => {
    if (n !== index) return file;
    const { [field]: _, ...others } = file.fields;
    return { ...file, fields: source === undefined ? others : { ...others, [field]: source } };
  });
  return { ...mapping, files };
}

/** A mapping in which a file is of another kind; fields that this kind has stay. */
export function withKind(mapping: ImportMapping, index: number, kind: ImportKind): ImportMapping {
  const known = new Set<string>([...IMPORT_FIELDS[kind].required, ...IMPORT_FIELDS[kind].optional]);
  const files = mapping.files.map((file, n) =>
    n === index
      ? { ...file, kind, fields: Object.fromEntries(Object.entries(file.fields).filter(([name]) => known.has(name))) }
      : file,
  );
  return { ...mapping, files };
}

/** What a field is in the first lines of a file. */
export function firstTexts(file: FileMapping, field: string, { columns, rows }: SampleFile): string[] {
  const source = file.fields[field];
  if (source === undefined) return [];
  const index = new Map(columns.map(({ name }, n) => [name, n]));
  const one = { ...file, fields: { [field]: source } };
  return rows
    .slice(0, 3)
    .map(
      ({ line, cells }) => lineFields(one, { line, text: (column) => cells[index.get(column) ?? -1] })[field] ?? '',
    );
}

/** What a mapping has where it does not say otherwise (docs/reference/import.md#mapping). */
const USUAL: Omit<ImportMapping, 'files'> = {
  encoding: 'utf-8',
  dateFormat: 'YYYY-MM-DD',
  decimalSeparator: '.',
  shiftDays: 0,
  overbooking: false,
  terms: 'PLAN',
};

/** The mapping in the text of a saved file; what else is wrong in it the service says when it is run. */
export function savedMapping(text: string): ImportMapping | undefined {
  try {
    const saved = JSON.parse(text) as Partial<ImportMapping> | null;
    const files = saved?.files;
    const isMapping =
      Array.isArray(files) &&
      files.length > 0 &&
      files.every(({ kind, fields }) => kind in IMPORT_FIELDS && Object.values(fields).every(isSource));
    return isMapping ? { ...USUAL, ...saved, files } : undefined;
  } catch {
    return undefined;
  }
}

const isSource = (source: unknown): boolean =>
  typeof source === 'string' || (typeof source === 'object' && source !== null);

/** One of each is needed, or every line is refused. */
const ONE_OF: Partial<Record<ImportKind, readonly (readonly string[])[]>> = {
  reservations: [
    ['checkOut', 'nights'],
    ['totalAmount', 'nightlyRate', 'nightlyRates'],
    ['lastName', 'guest'],
  ],
};

/** What every line would be refused for, a sentence each. */
export function mappingGaps({ files }: ImportMapping): string[] {
  return files.flatMap(({ kind, fields, file = '' }) => {
    const has = (field: string): boolean => {
      const source = fields[field];
      const { columns, sum } = sourceRule(source);
      return source !== undefined && source !== '' && columns?.length !== 0 && sum?.length !== 0;
    };
    const missing = IMPORT_FIELDS[kind].required.filter((field) => !has(field)).map(fieldName);
    const groups = (ONE_OF[kind] ?? []).filter((one) => !one.some(has)).map((one) => words.oneOf(one.map(fieldName)));
    const empty = Object.keys(fields).filter((field) => !has(field) && !missing.includes(fieldName(field)));
    return [
      ...(missing.length > 0 ? [words.missingFields(missing)] : []),
      ...groups,
      ...(empty.length > 0 ? [words.emptyFields(empty.map(fieldName))] : []),
    ].map((text) => (files.length > 1 ? words.ofFile(file, text) : text));
  });
}
