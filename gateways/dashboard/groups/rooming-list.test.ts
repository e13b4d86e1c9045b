import t from 'tap';

import { dateOf, type ListDefaults, readList } from './rooming-list.ts';

const GROUP: ListDefaults = { roomTypes: ['STD', 'DLX'], checkIn: '2026-12-01', checkOut: '2026-12-04' };

t.test('a list out of a spreadsheet is read with its header, whatever the order', async (t) => {
  const text = 'Surname\tFirst name\tRoom type\tArrival\tPax\nKing\tAda\tstd\t02.12.2026\t2\n\nKing\tSam\tDLX\t\t\n';
  t.same(readList(text, GROUP), [
    {
      line: 2,
      row: {
        checkIn: '2026-12-02',
        checkOut: '2026-12-04',
        adults: 2,
        lastName: 'King',
        firstName: 'Ada',
        roomType: 'STD',
      },
    },
    {
      line: 4,
      row: {
        checkIn: '2026-12-01',
        checkOut: '2026-12-04',
        adults: 1,
        lastName: 'King',
        firstName: 'Sam',
        roomType: 'DLX',
      },
    },
  ]);
});

t.test('without a header the columns are those of the service', async (t) => {
  const text = 'Ada,King,ada@example.com,STD,2026-12-01,2026-12-03,2,1\r\nSam,"King, of ""Hay""",,DLX,,,,';
  const [ada, sam] = readList(text, GROUP);
  t.match(ada, { line: 1, row: { email: 'ada@example.com', adults: 2, children: 1, checkOut: '2026-12-03' } });
  t.match(sam, { line: 2, row: { lastName: 'King, of "Hay"', roomType: 'DLX', checkIn: '2026-12-01' } });
});

t.test('names in one column, and a group of one type, need nothing else', async (t) => {
  const only = { ...GROUP, roomTypes: ['STD'] };
  const lines = readList('Name;E-mail\nAda Maria King;\n"King, Sam";sam@example.com\nCher;', only);
  t.match(lines, [
    { row: { firstName: 'Ada Maria', lastName: 'King', roomType: 'STD', adults: 1 } },
    { row: { firstName: 'Sam', lastName: 'King', email: 'sam@example.com' } },
    { row: { lastName: 'Cher' } },
  ]);
});

t.test('a list of names alone needs no header, and a room type has a name', async (t) => {
  const only = { ...GROUP, roomTypes: ['STD'], typeNames: new Map([['STD', 'Standard room']]) };
  t.match(readList('Ada King\nCher\n', only), [
    { row: { firstName: 'Ada', lastName: 'King' } },
    { row: { lastName: 'Cher' } },
  ]);
  t.match(readList('King, Ada\r\nHopper, Grace', only), [
    { row: { firstName: 'Ada', lastName: 'King' } },
    { line: 2, row: { firstName: 'Grace', lastName: 'Hopper' } },
  ]);
  t.match(readList('First, Last\nAda, King', only), [{ line: 2, row: { firstName: 'Ada', lastName: 'King' } }]);
  t.match(readList('Ada\tKing\t\tstandard ROOM', only), [{ row: { roomType: 'STD' } }]);
});

t.test('what is no list is sent as it is, for the service to refuse by lines', async (t) => {
  t.match(readList('<html>\nAda,King,x,NONE,someday,31.06.2026,many', GROUP), [
    { line: 1, row: { firstName: '<html>' } },
    { line: 2, row: { roomType: 'NONE', checkIn: 'someday', checkOut: '31.06.2026', adults: 'many' } },
  ]);
  t.same(readList(' \n\t\n', GROUP), []);
  t.match(readList('"a\nb",King\nSam,King', GROUP), [{ line: 1 }, { line: 3 }], 'a quoted cell has line breaks');
});

t.test('dates are those of spreadsheets', async (t) => {
  for (const text of ['2026-12-31', '31.12.2026', '31/12/2026', '12/31/2026', '2026-12-31T00:00:00'])
    t.equal(dateOf(text), '2026-12-31', text);
  for (const text of ['31.06.2026', '31/31/2026', 'tomorrow', '46000']) t.equal(dateOf(text), undefined, text);
});
