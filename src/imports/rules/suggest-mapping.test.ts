import t from 'tap';

import { fitsFiles, formatOfDates, type SampledFile, suggestMapping } from './suggest-mapping.ts';

const CODES = { roomTypes: [{ code: 'STD', name: 'Standard double' }], plans: [{ code: 'BAR', name: 'Best rate' }] };

function file(name: string, columns: Record<string, string[]>, more = true): SampledFile {
  return { name, columns: Object.entries(columns).map(([of, values]) => ({ name: of, values, more })) };
}

void t.test('columns are recognized by their names in several languages, and words by what they say', async (t) => {
  const german = file('Belegung.csv', {
    'Buchungs-Nr.': ['4711', '4712'],
    Anreise: ['03.04.2026', '28.04.2026'],
    Abreise: ['05.04.2026', '30.04.2026'],
    Status: ['bestätigt', 'storniert', 'Sonderfall'],
    Zimmertyp: ['Standard Double', 'STE'],
    Gastname: ['Huber'],
    Gesamtpreis: ['1.234,50', '80,00'],
    Farbe: ['rot'],
  });
  t.match(suggestMapping([german], 'latin1', CODES), {
    encoding: 'latin1',
    dateFormat: 'DD.MM.YYYY',
    decimalSeparator: ',',
    files: [
      {
        kind: 'reservations',
        file: 'Belegung.csv',
        fields: {
          externalId: 'Buchungs-Nr.',
          checkIn: 'Anreise',
          checkOut: 'Abreise',
          status: { column: 'Status', map: { bestätigt: 'CONFIRMED', storniert: 'CANCELLED' } },
          roomType: { column: 'Zimmertyp', map: { 'Standard Double': 'STD' } },
          lastName: 'Gastname',
          totalAmount: 'Gesamtpreis',
        },
      },
    ],
  });
});

void t.test('a date in three columns, nights in two, and ids and names that a file does not have', async (t) => {
  const resort = file('hotel-bookings-resort.csv.gz', {
    lead_time: ['342', '7'],
    arrival_date_year: ['2015'],
    arrival_date_month: ['July'],
    arrival_date_week_number: ['27'],
    arrival_date_day_of_month: ['1', '31'],
    stays_in_weekend_nights: ['0'],
    stays_in_week_nights: ['2'],
    adults: ['2'],
    reserved_room_type: ['A'],
    assigned_room_type: ['C'],
    market_segment: ['Direct', 'Online TA', 'Groups'],
    adr: ['75.5'],
    reservation_status: ['Check-Out', 'Canceled', 'No-Show'],
    reservation_status_date: ['2015-07-02'],
  });
  const { dateFormat, files } = suggestMapping([resort], 'utf-8', CODES);
  t.equal(dateFormat, 'YYYY MMMM D');
  t.same(files[0]!.fields, {
    externalId: { line: 'hotel-bookings-resort-' },
    status: {
      column: 'reservation_status',
      map: { 'Check-Out': 'CHECKED_OUT', Canceled: 'CANCELLED', 'No-Show': 'NO_SHOW' },
    },
    checkIn: { columns: ['arrival_date_year', 'arrival_date_month', 'arrival_date_day_of_month'] },
    roomType: 'reserved_room_type',
    nights: { sum: ['stays_in_weekend_nights', 'stays_in_week_nights'] },
    adults: 'adults',
    nightlyRate: 'adr',
    leadDays: 'lead_time',
    channel: { column: 'market_segment', map: { Direct: 'DIRECT', 'Online TA': 'OTA' } },
    lastName: { line: 'Guest ' },
  });
});

void t.test('files of an archive get their kinds, and a stay the guests of another file', async (t) => {
  const stays = file('export1.csv', {
    id: ['1'],
    status: ['OK'],
    arrival: ['2026-01-02'],
    type: ['STD'],
    guest_id: ['7'],
  });
  const guests = file('guests.csv', { id: ['7'], last: ['Ada'] });
  const rooms = file('x.csv', { number: ['101'], category: ['STD'] });
  const { files } = suggestMapping([stays, guests, rooms], 'utf-8', CODES);
  t.same(
    files.map(({ kind }) => kind),
    ['reservations', 'guests', 'rooms'],
  );
  t.match(files[0]!.fields, { externalId: 'id', guest: 'guest_id', checkIn: 'arrival' });
  t.notOk('lastName' in files[0]!.fields);
});

void t.test('a date format is that of nearly all texts', async (t) => {
  t.equal(formatOfDates(['01/02/2026', '13/02/2026']), 'DD/MM/YYYY');
  t.equal(formatOfDates(['01/02/2026', '02/13/2026']), 'MM/DD/YYYY');
  t.equal(formatOfDates(['2026-02-13T10:00:00Z', '']), 'YYYY-MM-DD');
  t.equal(formatOfDates(['soon']), undefined);
});

void t.test('a mapping fits files that have its columns', async (t) => {
  const one = file('a.csv', { id: ['1'], from: ['2026-01-02'] });
  const mapping = suggestMapping([one], 'utf-8', CODES);
  t.ok(fitsFiles(mapping, [file('b.csv', { id: [], from: [], more: [] })]));
  t.notOk(fitsFiles(mapping, [file('b.csv', { id: [] })]));
});
