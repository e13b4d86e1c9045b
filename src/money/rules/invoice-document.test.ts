import t from 'tap';

import type { Cancellation, Reservation } from '../../stay/rules/reservation.ts';
import { reservation } from '../../testing/property-world.ts';
import {
  assertDocuments,
  documentsDue,
  documentNumber,
  documentsOf,
  type InvoiceDocument,
  shownInvoice,
  sumOfDocuments,
  yearOfIssue,
} from './invoice-document.ts';
import { invoiceOf } from './invoice.ts';

const NIGHTS = [
  { day: 1, rate: 10_000, taxes: 1_000, fees: 300 },
  { day: 2, rate: 12_000, taxes: 1_200, fees: 300 },
];
const BY = { name: 'The Anchor', address: null };
const checkOut = {
  checkOutId: 'c',
  at: 5,
  roomCondition: 'GOOD' as const,
  keyCardsReturned: 1,
  loyaltyPoints: 0,
};
const cancellation: Cancellation = {
  cancellationId: 'c',
  reason: 'OTHER',
  cancelledBy: 'desk',
  policyName: 'STANDARD',
  deadline: null,
  penalty: 11_300,
  refundEligible: true,
  refund: 0,
  refundId: null,
  cancelledAt: 5,
  day: 1,
};
const left = (changed: Partial<Reservation> = {}): Reservation =>
  reservation({ id: 'r', status: 'CHECKED_OUT', nights: NIGHTS, checkOut, ...changed });

/** Issues all due documents of a reservation, as its property does. */
function issued(of: Reservation, before: readonly InvoiceDocument[] = []): InvoiceDocument[] {
  const [due] = documentsDue(of, before);
  if (!due) return [...before];
  const serial = before.length + 1;
  const place = { number: documentNumber({ ...due, year: 2026, serial }), year: 2026, serial, issuedAt: 5 };
  const { id: reservationId, propertyId, confirmationNumber, currency } = of;
  const issuedTo = { name: 'Ada Byron', address: null };
  return [
    ...before,
    { ...due, ...place, reservationId, propertyId, confirmationNumber, currency, issuedBy: BY, issuedTo },
  ];
}

t.test('a number is printed with its year and six digits, or as many as it needs', (t) => {
  t.equal(documentNumber({ kind: 'INVOICE', year: 2026, serial: 1 }), 'INV-2026-000001');
  t.equal(documentNumber({ kind: 'CREDIT_NOTE', year: 2026, serial: 42 }), 'CN-2026-000042');
  t.equal(documentNumber({ kind: 'INVOICE', year: 2026, serial: 1_234_567 }), 'INV-2026-1234567');
  const midnight = Date.parse('2026-12-31T23:30:00Z');
  t.same([yearOfIssue(midnight, 'Europe/Berlin'), yearOfIssue(midnight, 'America/New_York')], [2027, 2026]);
  t.end();
});

t.test('a stay to come has nothing to issue, a stay that is over its whole invoice, once', (t) => {
  t.same(documentsDue(reservation({ nights: NIGHTS }), []), []);
  const { lines, subtotal, taxes, fees, total } = invoiceOf(left());
  t.same(documentsDue(left(), []), [{ party: 'REST', kind: 'INVOICE', lines, subtotal, taxes, fees, total }]);
  t.same(documentsDue(left(), issued(left())), []);
  t.end();
});

t.test('lines of one day with the same words are lines of their own, and are credited in one', (t) => {
  const bar = { description: 'Bar', amount: 500, day: 1 };
  const documents = issued(left({ charges: [bar, bar] }));
  t.equal(documents[0]!.lines.filter(({ description }) => description === 'Bar').length, 2);
  const due = documentsDue(left(), documents)[0]!;
  t.match(due, { kind: 'CREDIT_NOTE', corrects: 'INV-2026-000001', total: -1_000, lines: [{ amount: -1_000 }] });
  t.equal(due.lines.length, 1);
  t.end();
});

t.test('a stay that goes on again has all of its invoice credited, and gets another one at its end', (t) => {
  const missed = reservation({ id: 'r', status: 'NO_SHOW', nights: NIGHTS, paid: 11_300, cancellation });
  const first = issued(missed);
  const reinstated = reservation({ id: 'r', nights: NIGHTS });
  const credited = issued(reinstated, first);
  t.match(credited[1], { kind: 'CREDIT_NOTE', corrects: first[0]!.number, total: -11_300 });
  t.match(credited[1]!.lines, [{ code: 'PENALTY', amount: -10_273, taxes: -1_027 }]);
  t.equal(sumOfDocuments(credited).total, 0);
  t.same(documentsDue(reinstated, credited), []);
  t.equal(shownInvoice({ ...reinstated, documents: credited }, BY), undefined, 'an offer of one again');
  const last = issued(left(), credited);
  t.match(last[2], { kind: 'INVOICE', total: 24_800, lines: invoiceOf(left()).lines });
  const shown = shownInvoice({ ...left(), documents: last }, BY)!;
  t.equal(shown.invoice, last[2]);
  t.same(shown.creditNotes, [], 'what corrected the first one is not of this one');
  t.end();
});

t.test('a stay that comes to cost more gets a further invoice with the difference', (t) => {
  const documents = issued(left({ charges: [{ description: 'Damage', amount: 5_000, day: 2 }] }), issued(left()));
  t.match(documents[1], { kind: 'INVOICE', total: 5_000, corrects: undefined, lines: [{ description: 'Damage' }] });
  t.end();
});

t.test('a stay that costs nothing has an invoice as well, and only one', (t) => {
  const free = left({ nights: NIGHTS.map((night) => ({ ...night, rate: 0, taxes: 0, fees: 0 })) });
  const documents = issued(free);
  t.match(documents, [{ kind: 'INVOICE', total: 0 }]);
  t.same(issued(free, documents), documents);
  t.end();
});

t.test('a reservation of release 0.1.0 has the invoice of its own number', (t) => {
  const documents = documentsOf(left(), BY);
  t.match(documents, [{ number: 'INV-0000000000', kind: 'INVOICE', total: 24_800, issuedAt: 5, issuedBy: BY }]);
  t.notOk('serial' in documents[0]!);
  t.same(documentsOf(reservation({ nights: NIGHTS }), BY), []);
  t.end();
});

t.test('a reservation whose documents do not sum to its price is a fault', (t) => {
  const documents = issued(left());
  const dearer = left({ charges: [{ description: 'Bar', amount: 500, day: 2 }], documents });
  const fault = { name: 'MoneyFault', message: /r: its invoices do not say/ };
  t.throws(() => assertDocuments(left({ documents }), dearer), fault);
  t.throws(() => assertDocuments(reservation({ nights: NIGHTS }), left()), fault, 'an end without an invoice');
  t.doesNotThrow(() => assertDocuments(dearer, dearer), 'release 0.1.0 has changed it before');
  t.doesNotThrow(() => assertDocuments(undefined, reservation({ nights: NIGHTS })));
  t.end();
});
