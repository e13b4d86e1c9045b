import fc from 'fast-check';
import t from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import type { DomainError } from '../../kernel/rules/domain-error.ts';
import { codeOf } from '../../testing/actors/scene.ts';
import { MAX_ROWS, ROOMING_COLUMNS } from '../contracts/rooming-list.ts';
import { readRoomingList } from './read-rooming-list.ts';

const HEADER = ROOMING_COLUMNS.join(',');
const ROW = 'Ada,King,ada@example.com,STD,2031-02-01,2031-02-03,2,1';
const ADA = {
  firstName: 'Ada',
  lastName: 'King',
  email: 'ada@example.com',
  roomType: 'STD',
  checkIn: dayOf('2031-02-01'),
  checkOut: dayOf('2031-02-03'),
  adults: 2,
  children: 1,
};

void t.test('a file says the same as rows of JSON', async (t) => {
  const sent = { ...ADA, checkIn: '2031-02-01', checkOut: '2031-02-03' };
  t.same(readRoomingList({ rows: [sent] }), { lines: [{ line: 1, row: ADA }], faults: [] });
  t.same(readRoomingList(`${HEADER}\r\n${ROW}\r\n`), { lines: [{ line: 2, row: ADA }], faults: [] });
  t.same(readRoomingList(`${HEADER}\n\n${ROW}`).lines, [{ line: 3, row: ADA }], 'an empty line is none');
  const { email: _, ...unwritten } = ADA;
  const short = 'firstName,lastName,roomType,checkIn,checkOut,adults\nAda,King,STD,2031-02-01,2031-02-03,2';
  t.match(readRoomingList(short).lines, [{ row: { ...unwritten, children: 0 } }]);
});

void t.test('any text of a name survives a file, quoted as RFC 4180 has it', async () => {
  const name = fc.stringMatching(/^[a-zA-Zéß",;' -]{1,20}$/).filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(name, name, (firstName, lastName) => {
      const quoted = [firstName, lastName].map((text) => `"${text.replaceAll('"', '""')}"`);
      const { lines } = readRoomingList(`${HEADER}\n${quoted.join(',')},,STD,2031-02-01,2031-02-03,1,\n`);
      return lines[0]?.row.firstName === firstName.trim() && lines[0].row.lastName === lastName.trim();
    }),
  );
});

void t.test('each line that cannot be read says why, and the others are read', async (t) => {
  const rows = [
    { ...ADA, checkIn: '2031-02-01', checkOut: '2031-02-01' },
    { firstName: 'Ada', email: 'nobody', roomType: '', checkIn: '2031-02-01', checkOut: '2031-01-31', adults: 0 },
    { checkIn: 7, dog: true },
  ];
  const { lines, faults } = readRoomingList({ rows });
  t.same(
    lines.map(({ line }) => line),
    [1],
    'whether day use is sold, its plan says',
  );
  t.same(
    faults.map(({ line, code }) => [line, code]),
    [
      [2, 'VALIDATION_FAILED'],
      [3, 'VALIDATION_FAILED'],
    ],
  );
  for (const field of ['lastName is required', 'email ', 'roomType ', 'adults '])
    t.match(faults[0]!.detail, field, field);
  t.match(faults[1]!.detail, /firstName is required.*dog is not a field of a row/s);
});

void t.test('a file that is no list is refused as a whole', async (t) => {
  const refused = (text: string) => codeOf(() => readRoomingList(text));
  t.equal(refused(''), 'VALIDATION_FAILED');
  t.equal(refused(HEADER), 'VALIDATION_FAILED');
  t.equal(refused(`${HEADER},${HEADER}\n${ROW},${ROW}`), 'VALIDATION_FAILED');
  t.equal(refused(`${HEADER}\n"Ada`), 'BODY_UNREADABLE');
  const many = `${HEADER}\n${`${ROW}\n`.repeat(MAX_ROWS)}`;
  t.equal(readRoomingList(many).lines.length, MAX_ROWS);
  try {
    readRoomingList(many + ROW);
    t.fail('too many rows are read');
  } catch (error) {
    t.match((error as DomainError).details.errors, [{ code: 'TOO_BIG' }]);
  }
});
