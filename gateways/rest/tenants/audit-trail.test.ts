import t from 'tap';

import { csvField } from '../csv.ts';
import { AUDIT_HEAD, auditEntry, auditLine } from './render/audit-trail.ts';

t.test('a field of CSV is one field, and never a formula', async (t) => {
  const fields: [unknown, string][] = [
    ['plain', 'plain'],
    [null, ''],
    [12, '12'],
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', `'=1+1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['+351', `'+351`],
    ['-2', `'-2`],
    [-2, '-2'],
    ['\t=1', `'\t=1`],
    [{ a: '=1' }, '"{""a"":""=1""}"'],
  ];
  for (const [field, text] of fields) t.equal(csvField(field), text, JSON.stringify(field));
});

const row = { at: 0, source: 'house', seq: 7, subject: 'u-1', requestId: 'r-1', hash: 'h' };

t.test('an entry says what was and what is', async (t) => {
  const nights: [string, number, number | null, number | null][] = [['STD', 20_000, 10_000, null]];
  const facts = {
    bookings: [['CREATED', null, 'ABC', 'g-1', 'STD', 20_000, 20_002, 2, 30_050, 0, 'PENDING']] as never,
    rates: { rateId: 'x', nights },
    setup: [
      {
        kind: 'plan' as const,
        id: 'BAR',
        after: { minRate: 5_000, validFrom: 20_000, dayOfWeekRates: { monday: 9_950 }, rollingRates: {} },
      },
    ],
    personal: 'sealed',
    more: { cells: 3 },
  };
  const shown = (opened: [string, string][]) =>
    JSON.parse(
      JSON.stringify(auditEntry({ ...row, action: 'BOOK', entityId: 'r', facts } as never, new Map(opened))),
    );
  t.match(shown([['sealed', 'Ada Byron']]), {
    at: 0,
    userId: 'u-1',
    action: 'BOOK',
    entity: 'reservation',
    entityId: 'r',
    propertyId: 'house',
    journal: 'PROPERTY',
    seq: 7,
    requestId: 'r-1',
    before: { rates: [{ roomType: 'STD', date: '2024-10-04', rate: 100 }] },
    after: {
      bookings: [{ reservationId: 'r', checkIn: '2024-10-04', total: 300.5 }],
      guestName: 'Ada Byron',
      changed: [
        {
          kind: 'plan',
          id: 'BAR',
          value: { minRate: 50, dayOfWeekRates: { monday: 99.5 }, validFrom: '2024-10-04' },
        },
      ],
      rates: [{ rate: null }],
      more: { cells: 3 },
    },
  });
  t.equal(shown([]).after.guestName, null, 'an erased guest has no name');
});

t.test('amounts and dates of taxes are readable, percentages stay', async (t) => {
  const tax = { code: 'X', name: 'X', included: false, on: 'ROOM' };
  const taxes = [
    { ...tax, kind: 'PER_NIGHT', value: 250, from: 20_000, maxNights: 7 },
    { ...tax, kind: 'PERCENT', value: 7, to: 20_000 },
  ];
  const setup = [{ kind: 'property' as const, id: 'house', after: { metadata: { policies: { taxes } } } }];
  const entry = { ...row, action: 'UPDATE_PROPERTY', entityId: 'house', facts: { setup } };
  const shown = JSON.parse(JSON.stringify(auditEntry(entry as never, new Map())));
  t.match(shown.after.changed[0].value.metadata.policies.taxes, [
    { value: 2.5, from: '2024-10-04', maxNights: 7 },
    { value: 7, to: '2024-10-04' },
  ]);
});

t.test('nights of rooms and extras are dates', async (t) => {
  const bed = { code: 'BED', quantity: 2, firstNight: 20_000, lastNight: 20_001 };
  const setup = [{ kind: 'extraStay' as const, id: 'p-1', before: null, after: bed }];
  const entry = { ...row, action: 'POST_CHARGE', entityId: 'r-1', facts: { setup } };
  const shown = JSON.parse(JSON.stringify(auditEntry(entry as never, new Map())));
  t.match(shown.before.changed, [{ kind: 'extraStay', id: 'p-1', value: null }]);
  t.match(shown.after.changed, [{ value: { ...bed, firstNight: '2024-10-04', lastNight: '2024-10-05' } }]);
});

t.test('what was sealed is shown while its guest is there', async (t) => {
  const image = { personal: 'c1' };
  const erasable = { ...row, source: '', action: 'CHANGED', entity: 'guest', entityId: 'g', before: image };
  const shown = (opened: [string, string][]) => auditEntry({ ...erasable, after: null }, new Map(opened));
  t.match(shown([['c1', '{"phone":"=1"}']]), { journal: 'ADMINISTRATION', before: { phone: '=1' }, after: null });
  t.match(shown([]), { before: { erased: true }, after: null });
  t.equal(auditLine(shown([])).split(',').length, AUDIT_HEAD.split(',').length);
});
