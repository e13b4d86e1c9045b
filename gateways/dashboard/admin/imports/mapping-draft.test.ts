import t from 'tap';

import type { ImportMapping } from '../../../../src/imports/rules/mapping.ts';
import type { SampleFile } from './import-desk.ts';
import { firstTexts, mappingGaps, savedMapping, withField, withKind, withPart, withSource } from './mapping-draft.ts';

const MAPPING: ImportMapping = {
  encoding: 'utf-8',
  dateFormat: 'YYYY-MM-DD',
  decimalSeparator: '.',
  shiftDays: 0,
  overbooking: false,
  terms: 'PLAN',
  files: [
    {
      kind: 'reservations',
      file: 'a.csv',
      fields: {
        externalId: 'no',
        status: { column: 'state', map: { OK: 'CONFIRMED' } },
        checkIn: 'from',
        roomType: 'type',
      },
    },
  ],
};

void t.test('what every line would be refused for is said before a run', async (t) => {
  t.same(mappingGaps(MAPPING), [
    'Choose a column for Departure or Nights.',
    'Choose a column for Price of the stay, Price of each night, or Prices of the nights, in one column.',
    'Choose a column for Last name or Number of the guest in the file of guests.',
  ]);
  let whole = withField(MAPPING, 0, 'nights', { sum: [] });
  for (const field of ['lastName', 'totalAmount']) whole = withField(whole, 0, field, field);
  t.same(mappingGaps(whole), [
    'Choose a column for Departure or Nights.',
    'Choose the columns, or do not read: Nights.',
  ]);
  whole = withField(whole, 0, 'nights', { sum: ['week', 'weekend'] });
  t.same(mappingGaps(whole), []);
  t.same(mappingGaps(withField(whole, 0, 'checkIn', undefined)), ['Choose a column for: Arrival.']);
  t.same(mappingGaps(withKind(whole, 0, 'rooms')), ['Choose a column for: Room number.'], 'of another kind');
});

void t.test('another column of a field keeps what its words mean', async (t) => {
  const { status } = MAPPING.files[0]!.fields;
  t.same(withSource(status, 'column', 'stand'), { column: 'stand', map: { OK: 'CONFIRMED' } });
  t.same(withSource(status, 'none'), undefined);
  t.same(withSource('no', 'column', 'id'), 'id');
  t.same(withSource({ columns: ['a', 'b'] }, 'sum'), { sum: ['a', 'b'] });
  t.same(withPart(status, { map: {} }), 'state', 'a rule without a word is a plain column');
  t.same(withPart('from', { format: 'DD/MM/YYYY' }), { column: 'from', format: 'DD/MM/YYYY' });
  t.same(withPart({ column: 'from', format: 'DD/MM/YYYY' }, { format: '' }), 'from');
});

void t.test('the first lines show what a field would be', async (t) => {
  const columns = ['no', 'state'].map((name) => ({ name, values: [], more: false }));
  const rows = [
    { line: 2, cells: ['7', 'OK'] },
    { line: 3, cells: ['8', 'XX'] },
  ];
  const sample = { name: 'a.csv', columns, rows } as unknown as SampleFile;
  t.same(firstTexts(MAPPING.files[0]!, 'status', sample), ['CONFIRMED', 'XX']);
  t.same(firstTexts(MAPPING.files[0]!, 'nights', sample), []);
});

void t.test('a saved mapping is read, and nothing else is taken for one', async (t) => {
  t.same(savedMapping(JSON.stringify(MAPPING)), MAPPING);
  const { files } = MAPPING;
  t.same(savedMapping(JSON.stringify({ files })), MAPPING, 'what it does not say is as it usually is');
  const strange = [
    {},
    { files: [] },
    { files: [{ kind: 'boats', fields: {} }] },
    { files: [{ kind: 'rooms' }] },
    null,
    7,
  ];
  for (const other of strange) t.equal(savedMapping(JSON.stringify(other)), undefined, JSON.stringify(other));
  t.equal(savedMapping('no;json'), undefined);
  t.equal(savedMapping(JSON.stringify({ files: [{ kind: 'rooms', fields: { roomNumber: 7 } }] })), undefined);
});
