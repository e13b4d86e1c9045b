import { ApiError, type Problem } from '../../api.ts';
import { textsOf } from '../../language/texts.ts';
import { messageOf } from '../messages.ts';
import { fieldName } from './field-names.ts';

const say = textsOf('admin-import');

/** What is wrong with a field of a line, and what to do. */
const OF_FIELD: readonly [RegExp, (field: string, rest: string) => string][] = [
  [/^is required$/, (field) => say('{field} is empty. Choose another column for it.', { field })],
  [/^is required, or /, (field) => say('{field} is empty. Choose a column that every line has.', { field })],
  [
    /^has more than (\d+) characters$/,
    (field, most) => say('{field} is longer than {most} characters. Shorten it in the file.', { field, most }),
  ],
  [/^is no whole number$/, (field) => say('{field} is no whole number. Choose another column for it.', { field })],
  [/^is more than (.+)$/, (field) => say('{field}: this is too much. Mend it in the file.', { field })],
  [/^is no amount/, (field) => say('{field} is no amount. Check the decimal sign, and the column.', { field })],
  [/^has cents/, (field) => say('{field} has cents, and the currency of the property has none.', { field })],
  [/^is below 0$/, (field) => say('{field} is below zero. Mend it in the file.', { field })],
  [
    /^is no date of the format (.+)$/,
    (field, format) =>
      say('{field} is no date written as {format}. Choose how dates are written.', { field, format }),
  ],
  [
    /^is no day of the calendar$/,
    (field) => say('{field} is no day of the calendar. Mend it in the file.', { field }),
  ],
  [
    /^is later than (now|today)$/,
    (field) =>
      say('{field} is later than now. With moved dates that is a booking yet to be made; else mend it in the file.', {
        field,
      }),
  ],
  [/^gives a stay without a night$/, () => say('It is a stay without a night, which is not imported.')],
  [
    /^gives more than (\d+) nights$/,
    (_, most) => say('It is a stay of more than {most} nights. Check arrival and departure.', { most }),
  ],
  [
    /^is none of /,
    (field) =>
      say('{field} has a word without a meaning. Choose what it means, under the words of the file.', { field }),
  ],
  [
    /^stood in a line before$/,
    (field) => say('{field} stood in a line before. Only the first of them is stored.', { field }),
  ],
  [
    /^is not the sum of the nights$/,
    () => say('The price of the stay is not the sum of its nights. Read one of them only.'),
  ],
  [/^is not in the file of guests$/, () => say('The file of guests does not have this guest.')],
  [
    /^is refused in the file of guests$/,
    () => say('The guest was refused in the file of guests. See the line there.'),
  ],
  [/^is no address$/, (field) => say('{field} is no address. Mend it in the file, or do not read it.', { field })],
];

/** What is wrong with a whole line. */
const OF_LINE: readonly [RegExp, (one: string, other: string) => string][] = [
  [
    /^The property has no room type (.+)\.$/,
    (code) => say('The property has no room type {code}. Add it, or choose what it means.', { code }),
  ],
  [
    /^The property has no rate plan (.+)\.$/,
    (code) => say('The property has no rate plan {code}. Add it, or choose what it means.', { code }),
  ],
  [
    /^(.+) is sold out on (.+)\.$/,
    (type, day) => say('{type} is sold out on {day}. Add rooms, or store what does not fit, too.', { type, day }),
  ],
  [
    /^Its nights are over/,
    () =>
      say('Its nights are over, and it says confirmed. Choose another meaning for the word, such as checked out.'),
  ],
  [/^A guest in house has a roomNumber/, () => say('A guest in house needs a room number. Choose its column.')],
  [/^The last night on sale is (.+)\.$/, (day) => say('Nights after {day} are not on sale yet.', { day })],
  [
    /^No reservation of the import has it/,
    () => say('No reservation of the import has it, or its reservation was refused.'),
  ],
  [/^It was changed here since/, () => say('It was changed here since it was imported. It stays as it is here.')],
  [/^The guest is in house here/, () => say('The guest is in house here. It stays as it is here.')],
  [/^Its guest was erased here/, () => say('Its guest was erased here. It stays without a name.')],
  [
    /^A reservation of the channel/,
    () =>
      say(
        'A reservation of this channel has the number already, at another property or without an import. Give these reservations a channel of their own.',
      ),
  ],
  [
    /^The line has (\d+) fields/,
    () => say('The line has more or fewer columns than the first line. Mend it in the file.'),
  ],
  [/^The line is not UTF-8/, () => say('The line is not UTF-8. Choose the other encoding.')],
  [
    /^The line .*quote/,
    () => say('The line has a quote that is not closed, or text after one. Mend it in the file.'),
  ],
];

/** Why a line was refused, and what to do; a reason without a sentence here is said as the service says it. */
export function lineReasonText(reason: string): string {
  for (const [pattern, text] of OF_LINE) {
    const found = pattern.exec(reason);
    if (found) return text(found[1] ?? '', found[2] ?? '');
  }
  const [, field = '', detail = ''] = /^([a-z]\w*) (.+)$/i.exec(reason) ?? [];
  for (const [pattern, text] of OF_FIELD) {
    const found = pattern.exec(detail);
    if (found) return text(fieldName(field), found[1] ?? '');
  }
  return reason;
}

/** What the service says of a request, and what to do. */
export function problemText(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error);
  const { code, message, problem } = error;
  const detail = problem?.detail ?? message;
  switch (code) {
    case 'BODY_TOO_LARGE':
      return say('The file is too large. Divide it into several files, and import one after the other.');
    case 'IMPORT_NOT_FOUND':
      return say('There is no such import any more: reports are kept for 90 days. Choose the file again.');
    case 'BODY_UNREADABLE':
      return unreadable(detail);
    case 'INVALID_STATE':
      if (detail.includes('at a time'))
        return say('Three imports of other properties are running. Wait until one of them is done, and try again.');
      if (detail.includes('that runs'))
        return say(
          'Another import of this property is running. Open it under all imports, and wait until it is done.',
        );
      return say('The file is not stored any more. Choose it again: lines that are stored are not stored twice.');
    default:
      return faultsOf(problem) ?? message;
  }
}

function unreadable(detail: string): string {
  if (detail.includes('UTF-16')) return say('The file is UTF-16. Save it as CSV in UTF-8, and choose that file.');
  if (detail.includes('workbook'))
    return say('This is a workbook. Save its sheet as CSV (UTF-8), and choose that file.');
  if (detail.includes('lines'))
    return say('The file has no line below its first one, or more than two million. Choose another, or divide it.');
  if (/large|more than/.test(detail))
    return say('The file is too large once it is unpacked, or it is damaged. Divide it, or pack it again.');
  return say('The archive cannot be read. Pack it again, or choose the files in it one by one.');
}

/** Faults of a mapping, by the field that each is about. */
function faultsOf(problem: Problem | undefined): string | undefined {
  const faults = (problem?.errors ?? []).map(({ pointer = '', detail }) => {
    const column = /^(.+) is no column of the header line$/.exec(detail)?.[1];
    if (column !== undefined) return say('The file has no column {column}. Choose another.', { column });
    const field = /\/fields\/(\w+)/.exec(pointer)?.[1];
    return field === undefined ? `${pointer.split('/').at(-1)} ${detail}.` : `${fieldName(field)}: ${detail}.`;
  });
  return faults.length === 0 ? undefined : [...new Set(faults)].join(' ');
}
