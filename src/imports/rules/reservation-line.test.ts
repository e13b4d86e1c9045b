import fc from 'fast-check';
import t from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import { DomainError, orError } from '../../kernel/rules/domain-error.ts';
import { totals } from '../../money/rules/night.ts';
import { importedAmount, dayValue, instantValue, isDateFormat, reportedText } from './line-values.ts';
import { lineFields, type FileMapping, mappingFaults } from './mapping.ts';
import { type LineContext, paymentLine, reservationLine } from './reservation-line.ts';

const TODAY = dayOf('2026-06-01');
const CONTEXT: LineContext = {
  dateFormat: 'YYYY-MM-DD',
  decimalSeparator: '.',
  shiftDays: 0,
  timezone: 'Europe/Berlin',
  currency: 'EUR',
  checkInTime: '15:00',
  checkOutTime: '11:00',
  today: TODAY,
  now: Date.parse('2026-06-01T10:00:00Z'),
  sources: {},
};
const FIELDS = {
  externalId: 'A-1',
  status: 'CONFIRMED',
  checkIn: '2026-07-01',
  checkOut: '2026-07-04',
  roomType: 'STD',
  lastName: 'Lowe',
  totalAmount: '100.00',
};
const faultOf = (changed: Record<string, string | undefined>, context = CONTEXT): string => {
  const read = orError(() => reservationLine({ ...FIELDS, ...changed }, context));
  return read instanceof DomainError ? read.message : 'none';
};

void t.test('a total is divided among the nights to the cent', async (t) => {
  const line = reservationLine(FIELDS, CONTEXT);
  t.same(
    line.nights.map(({ rate }) => rate),
    [3_333, 3_334, 3_333],
  );
  t.match(line, { rateCode: 'BAR', adults: 1, children: 0, channel: 'IMPORT', retained: 0, payments: [] });
  const prices = fc.record({
    total: fc.nat(5_000_000),
    tax: fc.nat(100),
    fee: fc.nat(100),
    nights: fc.integer({ min: 1, max: 30 }),
  });
  fc.assert(
    fc.property(prices, ({ total, tax, fee, nights }) => {
      const text = (amount: number): string => (amount / 100).toFixed(2);
      const part = (percent: number): number => Math.floor((total * percent) / 400);
      const fields = { ...FIELDS, checkOut: undefined, nights: String(nights), totalAmount: text(total) };
      const read = reservationLine({ ...fields, taxAmount: text(part(tax)), feeAmount: text(part(fee)) }, CONTEXT);
      const sums = totals(read.nights);
      return (
        sums.total === total && sums.taxes === part(tax) && sums.fees === part(fee) && read.nights.length === nights
      );
    }),
  );
});

void t.test('a price may be that of a night, or of each night', async (t) => {
  const { totalAmount: _, ...fields } = FIELDS;
  const nightly = reservationLine({ ...fields, nightlyRate: '75.5' }, CONTEXT);
  t.equal(totals(nightly.nights).total, 22_650);
  const each = reservationLine({ ...fields, nightlyRates: '10;20.00; 30' }, CONTEXT);
  t.same(
    each.nights.map(({ rate }) => rate),
    [1_000, 2_000, 3_000],
  );
});

void t.test('a wrong field is named, and its text is not', async (t) => {
  t.equal(faultOf({ checkIn: '2026-02-31' }), 'checkIn is no day of the calendar');
  t.equal(faultOf({ checkIn: 'soon' }), 'checkIn is no date of the format YYYY-MM-DD');
  t.equal(faultOf({ checkOut: '2026-07-01' }), 'checkOut gives a stay without a night');
  t.equal(faultOf({ totalAmount: '-6.38' }), 'totalAmount is below 0');
  t.equal(faultOf({ totalAmount: '1.234' }), 'totalAmount is no amount with at most two decimals');
  t.match(faultOf({ status: 'Check-Out' }), /^status is none of PENDING/);
  t.equal(faultOf({ lastName: undefined }), 'lastName is required');
  t.equal(faultOf({ lastName: '\u200b\u202e' }), 'lastName is required');
  t.equal(faultOf({ email: 'nobody' }), 'email is no address');
  t.equal(faultOf({ nightlyRate: '10.00' }), 'totalAmount is not the sum of the nights');
  t.equal(
    faultOf({ totalAmount: '10.50' }, { ...CONTEXT, currency: 'JPY' }),
    'totalAmount has cents, and JPY has none',
  );
});

void t.test('amounts and dates are read as another system writes them', async (t) => {
  t.equal(importedAmount('a', "1'234.50", CONTEXT), 123_450);
  t.equal(importedAmount('a', '1.234,5', { ...CONTEXT, decimalSeparator: ',' }), 123_450);
  t.equal(importedAmount('a', '-7', CONTEXT), -700);
  t.equal(dayValue('d', '2016 July 1', { ...CONTEXT, dateFormat: 'YYYY MMMM D' }), dayOf('2016-07-01'));
  t.equal(dayValue('d', '1.7.16', { ...CONTEXT, dateFormat: 'D.M.YY' }), dayOf('2016-07-01'));
  t.equal(dayValue('d', '01/07/2016 14:30', { ...CONTEXT, dateFormat: 'DD/MM/YYYY' }), dayOf('2016-07-01'));
  t.equal(dayValue('d', '2016-07-01', { ...CONTEXT, shiftDays: 2 }), dayOf('2016-07-03'));
  t.equal(instantValue('d', '2016-07-01T10:00:00+02:00', CONTEXT), Date.parse('2016-07-01T08:00:00Z'));
  t.equal(instantValue('d', '2016-07-01', CONTEXT), Date.parse('2016-07-01T10:00:00Z'), 'noon at the property');
  t.equal(instantValue('d', '1.7.2016 08:05', CONTEXT, 'D.M.YYYY HH:mm'), Date.parse('2016-07-01T06:05:00Z'));
  t.ok(isDateFormat('YYYY MMMM D'));
  t.notOk(isDateFormat('MM/DD'));
  for (const doubled of ['YYYY YYYY-MM-DD', 'YYYY-MM-DD D', 'YY-MMM-M-D', 'DD.MM.YYYY HH:mm:mm'])
    t.notOk(isDateFormat(doubled), doubled);
});

void t.test('what divides decimals is not taken for what divides thousands', async (t) => {
  for (const text of ['80,00', '1,5', '1,2345', '12,34.50', ',500', '1 2 3', "1''000"])
    t.throws(() => importedAmount('a', text, CONTEXT), /is no amount/, text);
  const comma = { ...CONTEXT, decimalSeparator: ',' } as const;
  for (const text of ['80.00', '1.5', '1,234.50']) t.throws(() => importedAmount('a', text, comma), /is no amount/);
  t.equal(importedAmount('a', '12,34,567.80', CONTEXT), 123_456_780, 'lakhs');
  t.equal(importedAmount('a', '1\u00A0234,50', comma), 123_450);
  t.throws(() => importedAmount('a', '1234567890', CONTEXT), /more than an amount/);
});

void t.test('a moment that no clock or calendar has is a fault of its line', async (t) => {
  const timed = { ...CONTEXT, sources: { bookedAt: { column: 'booked', format: 'YYYY-MM-DD HH:mm' } } };
  for (const time of ['24:00', '25:10', '10:99'])
    t.equal(faultOf({ bookedAt: `2026-05-01 ${time}` }, timed), 'bookedAt has no time of a day');
  t.equal(faultOf({ bookedAt: '2026-05-01 9:30' }, timed), 'none');
  for (const day of ['0001-01-01', '9999-12-31'])
    t.equal(faultOf({ checkIn: day, checkOut: undefined, nights: '1' }), 'checkIn is not between 1900 and 2199');
  const moved = { ...CONTEXT, shiftDays: 20_000 };
  t.equal(faultOf({ bookedAt: '2199-12-31T23:59:59Z' }, moved), 'bookedAt is not between 1900 and 2199');
});

void t.test('with moved dates, what happens later has not happened yet', async (t) => {
  const moved = { ...CONTEXT, shiftDays: 1 };
  const status = (changed: Record<string, string>): string =>
    reservationLine({ ...FIELDS, ...changed }, moved).status;
  t.equal(status({ status: 'CHECKED_OUT', bookedAt: '2026-01-01' }), 'CONFIRMED');
  const early = { checkIn: '2026-05-01', checkOut: '2026-05-03', bookedAt: '2026-01-01' };
  t.equal(status({ status: 'CHECKED_OUT', ...early }), 'CHECKED_OUT');
  t.equal(status({ status: 'CANCELLED', cancelledAt: '2026-06-10', bookedAt: '2026-01-01' }), 'CONFIRMED');
  t.equal(status({ status: 'CANCELLED', cancelledAt: '2026-05-10', bookedAt: '2026-01-01' }), 'CANCELLED');
  t.equal(faultOf({ bookedAt: '2026-06-10' }, moved), 'bookedAt is later than now');
});

void t.test('payments say amount, method and day; a refund is below 0', async (t) => {
  t.match(paymentLine({ amount: '-12.00', method: 'CASH', reference: 'R' }, CONTEXT), {
    amount: -1_200,
    method: 'CASH',
  });
  t.throws(() => paymentLine({ amount: '1', method: 'BEADS' }, CONTEXT), /method is none of/);
  t.throws(() => paymentLine({ amount: '1', date: '2026-06-02' }, CONTEXT), /date is later than today/);
  t.match(reservationLine({ ...FIELDS, paidAmount: '40' }, CONTEXT).payments, [
    { amount: 4_000, method: 'BANK_TRANSFER' },
  ]);
});

void t.test('fields come from columns, sums, values, lines and maps', async (t) => {
  const columns: Record<string, string> = {
    id: ' 7 ',
    code: 'X',
    a: '1',
    b: '2',
    year: '2016',
    month: 'July',
    empty: '',
  };
  const of = { line: 9, text: (column: string) => columns[column] };
  const file: FileMapping = {
    kind: 'reservations',
    fields: {
      externalId: { line: 'row-' },
      status: { column: 'code', map: { X: 'CANCELLED' } },
      roomType: { column: 'code', map: { '*': 'STD' } },
      checkIn: { columns: ['year', 'month'] },
      nights: { sum: ['a', 'b'] },
      lastName: { value: 'Guest' },
      email: 'empty',
      rateCode: { column: 'empty', default: 'BAR' },
      adults: 'id',
    },
  };
  t.same(lineFields(file, of), {
    externalId: 'row-9',
    status: 'CANCELLED',
    roomType: 'STD',
    checkIn: '2016 July',
    nights: '3',
    lastName: 'Guest',
    email: undefined,
    rateCode: 'BAR',
    adults: '7',
  });
  t.same(mappingFaults({ kind: 'payments', fields: { amount: 'a', colour: 'b' } }), [
    { field: 'colour', detail: 'is no field of payments' },
    { field: 'reservation', detail: 'is required for payments' },
  ]);
});

void t.test('what cannot be stored is refused by its field, and a report repeats what can', (t) => {
  t.equal(faultOf({ externalId: 'A\uD800' }), 'externalId has half a character');
  t.equal(faultOf({ roomType: 'A\uDE00' }), 'roomType has half a character');
  t.equal(reservationLine({ ...FIELDS, externalId: 'A\0\r\n1' }, CONTEXT).externalId, 'A 1');
  t.equal(reportedText('A\0\uD8001', 100), 'A \uFFFD1');
  t.equal(reportedText('ab\u{1F600}', 3), 'ab\uFFFD', 'a pair that is cut is none');
  t.end();
});
