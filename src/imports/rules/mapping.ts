/** Kinds of files of an import, in the order in which they are stored. */
export const IMPORT_KINDS = ['rooms', 'plans', 'guests', 'payments', 'reservations'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** Fields of each kind (docs/reference/import.md#fields); those that every line must have are named first. */
export const IMPORT_FIELDS = {
  rooms: { required: ['roomNumber', 'roomType'], optional: ['floor', 'typeName', 'maxAdults', 'maxChildren'] },
  plans: { required: ['code'], optional: ['name', 'cancellationPolicy', 'baseRate', 'adjustmentPercent'] },
  guests: { required: ['externalId', 'lastName'], optional: ['firstName', 'email', 'phone'] },
  payments: { required: ['reservation', 'amount'], optional: ['externalId', 'method', 'date', 'reference'] },
  reservations: {
    required: ['externalId', 'status', 'checkIn', 'roomType'],
    optional: [
      'checkOut',
      'nights',
      'rateCode',
      'adults',
      'children',
      'guest',
      'firstName',
      'lastName',
      'email',
      'phone',
      'totalAmount',
      'nightlyRate',
      'nightlyRates',
      'taxAmount',
      'feeAmount',
      'retainedAmount',
      'paidAmount',
      'paymentMethod',
      'paymentDate',
      'paymentReference',
      'bookedAt',
      'leadDays',
      'cancelledAt',
      'arrivedAt',
      'departedAt',
      'roomNumber',
      'channel',
      'collectedBy',
      'specialRequests',
    ],
  },
} as const satisfies Record<ImportKind, { required: readonly string[]; optional: readonly string[] }>;

/** Where the text of a field comes from: the column of this name, or what is said. */
export type FieldSource = string | FieldRule;

type FieldRule = {
  column?: string | undefined;
  /** Several columns, joined by a space. */
  columns?: string[] | undefined;
  /** Whole numbers of several columns, added. */
  sum?: string[] | undefined;
  /** The same for every line. */
  value?: string | undefined;
  /** The number of the line, with what is before it. */
  line?: string | undefined;
  /** Texts of the file with those of ours; `*` stands for all others. */
  map?: Record<string, string> | undefined;
  /** Where the file has none. */
  default?: string | undefined;
  /** Of a date, where it is not that of the mapping. */
  format?: string | undefined;
};

/** One file of an import. */
export type FileMapping = {
  kind: ImportKind;
  /** Its name in the archive; of one that is sent alone what its report calls it. */
  file?: string | undefined;
  fields: Record<string, FieldSource>;
};

export const ENCODINGS = ['utf-8', 'latin1'] as const;

/** How files of another system are read (docs/reference/import.md#mapping). */
export type ImportMapping = {
  encoding: (typeof ENCODINGS)[number];
  /** That of the header line where absent. */
  delimiter?: string | undefined;
  dateFormat: string;
  decimalSeparator: '.' | ',';
  /** Moves every date by so many days. */
  shiftDays: number;
  /** What does not fit is stored all the same. */
  overbooking: boolean;
  /** Terms of a cancellation: those of the rate plan, or none. */
  terms: 'PLAN' | 'FREE';
  files: FileMapping[];
};

/** Columns that a mapping of a file names. */
export function columnsOfMapping({ fields }: FileMapping): string[] {
  return Object.values(fields).flatMap((source) => {
    if (typeof source === 'string') return [source];
    return [
      ...(source.column === undefined ? [] : [source.column]),
      ...(source.columns ?? []),
      ...(source.sum ?? []),
    ];
  });
}

/** What is wrong with the fields of a file, in words. */
export function mappingFaults({ kind, fields }: FileMapping): { field: string; detail: string }[] {
  const { required, optional } = IMPORT_FIELDS[kind];
  const known: ReadonlySet<string> = new Set([...required, ...optional]);
  const unknown = Object.keys(fields).filter((field) => !known.has(field));
  const missing = required.filter((field) => !Object.hasOwn(fields, field));
  return [
    ...unknown.map((field) => ({ field, detail: `is no field of ${kind}` })),
    ...missing.map((field) => ({ field, detail: `is required for ${kind}` })),
  ];
}

/** A line of a file: its number, and the text of a column. */
export type SourceLine = { line: number; text(column: string): string | undefined };

/** Texts of the fields of a line; empty ones are absent. */
export type LineFields = Readonly<Record<string, string | undefined>>;

/** The fields of a line by the mapping of its file. */
export function lineFields({ fields }: FileMapping, of: SourceLine): LineFields {
  const read: Record<string, string | undefined> = {};
  for (const [field, source] of Object.entries(fields)) read[field] = fieldText(source, of);
  return read;
}

function fieldText(source: FieldSource, of: SourceLine): string | undefined {
  const rule = typeof source === 'string' ? { column: source } : source;
  const raw = rawText(rule, of)?.trim();
  const text = raw === '' ? undefined : raw;
  const known = text !== undefined && rule.map && Object.hasOwn(rule.map, text) ? rule.map[text] : undefined;
  const said = known ?? (text === undefined ? undefined : (rule.map?.['*'] ?? text));
  return said ?? rule.default;
}

function rawText({ column, columns, sum, value, line }: FieldRule, of: SourceLine): string | undefined {
  if (column !== undefined) return of.text(column);
  if (columns) return columns.map((one) => of.text(one) ?? '').join(' ');
  if (sum) return String(sum.reduce((all, one) => all + Number(of.text(one) ?? 0), 0));
  return line === undefined ? value : `${line}${of.line}`;
}
