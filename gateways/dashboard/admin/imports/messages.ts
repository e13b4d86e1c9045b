import { locale, textsOf } from '../../language/texts.ts';

const say = textsOf('admin-import');
const whole = new Intl.NumberFormat(locale);
const names = new Intl.ListFormat(locale, { type: 'unit', style: 'short' });
const anyOf = new Intl.ListFormat(locale, { type: 'disjunction' });

const MEGABYTE = 1024 * 1024;
/** Megabytes, rounded up so that what is too large never looks as if it fitted. */
const megabytes = (bytes: number): string => whole.format(Math.ceil(bytes / MEGABYTE));

/** Texts of the import of another system's reservations. */
export const imports = {
  lead: say(
    'Reservations of another system, from its files. A dry run says what would become of each line, and stores nothing.',
  ),
  steps: say('Steps of the import'),
  step: {
    file: say('File'),
    mapping: say('Columns'),
    tryOut: say('Dry run'),
    import: say('Import'),
  },
  choose: say('Choose a file'),
  chooseHint: (bytes: number): string =>
    say('CSV or NDJSON, also compressed (gzip), or several of them in a zip; {megabytes} MB at most.', {
      megabytes: megabytes(bytes),
    }),
  chooseHintOnly: say('CSV or NDJSON, also compressed (gzip), or several of them in a zip.'),
  drop: say('Drop it here, or choose it.'),
  oneFile: say('Drop one file. Several go together in a zip.'),
  sending: (name: string): string => say('Sending {name}', { name }),
  sent: (sent: number, all: number): string =>
    say('{sent} of {all} MB', { sent: megabytes(sent), all: megabytes(all) }),
  stop: say('Stop'),
  stopped: say('Stopped. Nothing was stored.'),
  emptyFile: (name: string): string => say('{name} is empty. Choose another file.', { name }),
  tooLarge: (name: string, bytes: number, most: number): string =>
    say(
      '{name} has {size} MB, and an import at most {most} MB, also when it is unpacked. Divide it into several files and import one after the other, or have IMPORT_MAX_BYTES raised.',
      { name, size: megabytes(bytes), most: megabytes(most) },
    ),
  workbook: (name: string): string =>
    say('{name} is a workbook. Save its sheet as CSV (UTF-8) in the spreadsheet program, and choose that file.', {
      name,
    }),
  earlier: say('Earlier imports'),
  noEarlier: say('Nothing was imported into this property yet.'),
  older: say('Older imports'),
  when: say('When'),
  file: say('File'),
  what: say('What'),
  lines: say('Lines'),
  lineNumber: say('Line'),
  refused: say('Refused'),
  open: say('Open'),
  openOne: (name: string): string => say('Open: {name}', { name }),
  toList: say('All imports'),
  anotherFile: say('Another file'),
  state: {
    uploaded: say('Waits for its columns'),
    running: say('Running'),
    dryRunDone: say('Dry run done'),
    done: say('Imported'),
    failed: say('Failed'),
  },
  line: (line: number): string => say('Line {line}', { line: whole.format(line) }),
  read: say('How it was read'),
  readAs: (name: string, columns: number, lines: number): string =>
    say('{name}: {columns} columns; {lines} lines were looked at.', {
      name,
      columns: whole.format(columns),
      lines: whole.format(lines),
    }),
  firstRows: (name: string): string => say('First rows of {name}', { name }),
  encoding: say('Encoding'),
  encodingHint: say('Choose the other one where letters with accents look wrong.'),
  delimiter: say('Columns are divided by'),
  delimiters: { ',': say('comma'), ';': say('semicolon'), '\t': say('tab'), '|': say('vertical bar') } as Record<
    string,
    string
  >,
  unreadable: (count: number): string =>
    say(
      '{count, plural, one {A line cannot be read.} other {Some lines cannot be read.}} Check how columns are divided, or mend the file. The other lines are not affected.',
      { count },
    ),
  noColumns: say('No columns were found. Check how they are divided; the first line has their names.'),
  mapping: say('Which column is which field'),
  from: {
    SUGGESTED: say('Suggested by the names of the columns and by what stands in them. Check it.'),
    EARLIER: say('As in the newest import with these columns. Check it.'),
    ARCHIVE: say('From mapping.json of the archive. Check it.'),
    OWN: say('As it was run last.'),
  },
  ofKind: say('Each line is one of'),
  notRead: say('Not read'),
  columns: say('Columns'),
  others: say('From several columns, or from none'),
  source: {
    columns: say('Several columns, joined'),
    sum: say('Several columns, added'),
    value: say('The same for every line'),
    line: say('A text and the number of the line'),
  },
  nth: (field: string, n: number): string => say('{field}: column {n}', { field, n }),
  noColumn: say('No further column'),
  fixed: (field: string): string => say('{field}: text', { field }),
  needed: say('needed'),
  more: say('Further fields'),
  gives: (texts: readonly string[]): string => say('Gives: {texts}', { texts: names.format(texts) }),
  givesNothing: say('The first lines have nothing here.'),
  format: (field: string): string => say('{field}: written as', { field }),
  words: (field: string): string => say('{field}: words of the file', { field }),
  wordIs: (word: string): string => say('{word} means', { word }),
  asItIs: say('as it is'),
  otherWords: say('All other words mean'),
  unknownWords: (count: number): string =>
    say(
      '{count, plural, one {A word has no meaning yet: its lines are refused.} other {# words have no meaning yet: their lines are refused.}} Choose what they mean.',
      { count },
    ),
  unknownTypes: (codes: readonly string[]): string =>
    say('The property has no room type {codes}: choose what it means, or add it first.', {
      codes: anyOf.format(codes),
    }),
  unknownPlans: (codes: readonly string[]): string =>
    say('The property has no rate plan {codes}: choose what it means, or add it first.', {
      codes: anyOf.format(codes),
    }),
  toTypes: say('Room types'),
  toPlans: say('Rate plans'),
  settings: say('How it writes, and what applies'),
  dateFormat: say('Dates are written as'),
  dateFormatHint: say('YYYY year, MM month, DD day, MMM or MMMM its English name, HH:mm a time.'),
  decimals: say('Decimal sign'),
  decimal: { '.': say('point: 1,234.50'), ',': say('comma: 1.234,50') },
  shiftDays: say('Move all dates by days'),
  shiftHint: say('To try old data: what then lies ahead is confirmed. Leave it at 0 for a real move.'),
  overbooking: say('Store what does not fit, too'),
  overbookingHint: say('Nights that are sold out already become oversold, and are reported.'),
  terms: say('Cancellations cost'),
  term: { PLAN: say('what the rate plan says'), FREE: say('nothing') },
  saveMapping: say('Save the mapping as a file'),
  loadMapping: say('Load a saved mapping'),
  noMapping: (name: string): string => say('{name} is no mapping that was saved here.', { name }),
  otherColumns: (name: string): string =>
    say('{name} is for files with other columns. Nothing was changed.', { name }),
  tryIt: say('Dry run'),
  tryLine: say('It reads and decides every line and stores nothing.'),
  back: say('Back to the report'),
  changeMapping: say('Change the columns'),
  missingFields: (fields: readonly string[]): string =>
    say('Choose a column for: {fields}.', { fields: names.format(fields) }),
  emptyFields: (fields: readonly string[]): string =>
    say('Choose the columns, or do not read: {fields}.', { fields: names.format(fields) }),
  oneOf: (fields: readonly string[]): string =>
    say('Choose a column for {fields}.', { fields: anyOf.format(fields) }),
  ofFile: (file: string, text: string): string => say('{file}: {text}', { file, text }),
  running: { dryRun: say('The dry run is running.'), real: say('The import is running.') },
  runningHint: say('It goes on when you close this page, and is found under earlier imports.'),
  progress: (done: number, lines: number): string =>
    say('{done} of {lines} lines', { done: whole.format(done), lines: whole.format(lines) }),
  dryRunOver: (stored: number, refused: number): string =>
    say('{stored, plural, one {# line} other {# lines}} would be stored, {refused} refused.', {
      stored,
      refused: whole.format(refused),
    }),
  over: (stored: number, refused: number): string =>
    say('{stored, plural, one {# line is} other {# lines are}} stored, {refused} refused.', {
      stored,
      refused: whole.format(refused),
    }),
  unchanged: (lines: number): string =>
    say('{lines, plural, one {# line was} other {# lines were}} stored before, from the same data.', { lines }),
  failed: (why: string): string =>
    say('It stopped: {why} What was stored stays. Try it again: lines that are stored are not stored twice.', {
      why,
    }),
  internal: say('An internal error.'),
  importNow: say('Import now'),
  importLine: (lines: number, property: string): string =>
    say('Importing stores {lines, plural, one {# line} other {# lines}} in {property}. Guests get no message.', {
      lines,
      property,
    }),
  nothingToImport: say('Every line was refused. Change the columns, or mend the file and choose it again.'),
  retry: say('Try again'),
  next: say('What to do next'),
  nextRefused: say(
    'Refused lines can be mended in the file: the same file again stores what is missing, and nothing twice.',
  ),
  toRevenue: say('Revenue'),
  toDesk: say('Front desk'),
  toReports: say('Reports'),
  reconciliation: say('Compared to the cent'),
  reconciled: (reservations: number): string =>
    say(
      '{reservations, plural, one {# reservation} other {# reservations}}: what was read of all lines that are stored, and what the stored reservations say now.',
      { reservations },
    ),
  readSum: say('Read'),
  storedSum: say('Stored'),
  difference: say('Difference'),
  sums: { charges: say('Charges'), payments: say('Payments'), balance: say('Balance') },
  equal: say('Nothing differs.'),
  differs: say(
    'These reservations say something else than their lines. They were changed here since, unless nobody has worked with them: then report it.',
  ),
  reasons: say('Why lines were refused'),
  reason: say('Reason and what to do'),
  firstLine: say('First line'),
  noneRefused: say('No line was refused.'),
  report: say('Report'),
  show: say('Show'),
  all: say('All lines'),
  refusedOnly: say('Lines with problems'),
  outcome: say('Outcome'),
  number: say('Number'),
  none: say('There is no such line.'),
  moreLines: say('Further lines'),
  saveReport: say('Save as CSV'),
  table: (name: string): string => say('Table: {name}', { name }),
};
