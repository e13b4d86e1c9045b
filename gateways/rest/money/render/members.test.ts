import t from 'tap';

import type { AllMembers } from '../../../../src/kernel/rules/members.ts';
import { folioAnswer } from '../../../../src/money/contracts/folio.ts';
import { documentAnswer } from '../../../../src/money/contracts/invoices.ts';
import { openRefundAnswer, payOutAnswer } from '../../../../src/money/contracts/refunds.ts';
import type { RefundByHand } from '../../../../src/money/ports.ts';
import type { InvoiceDocument } from '../../../../src/money/rules/invoice-document.ts';
import type { InvoiceLine } from '../../../../src/money/rules/invoice.ts';
import type { FolioPosting } from '../../../../src/money/rules/postings.ts';
import { chargebackAnswer, chargebackWonAnswer } from '../../../../src/stay/contracts/stay-answers.ts';
import { amountNo, dayNo, momentNo, sentMembers, wired } from '../../../../src/testing/members.ts';
import { id, reservation } from '../../../../src/testing/property-world.ts';
import { chargebackWon, chargedBack } from './chargeback.ts';
import { folio } from './folio.ts';
import { invoiceDocument } from './invoice.ts';
import { openRefund, refundPaidOut } from './refund.ts';

const MANAGER = { role: 'MANAGER' } as const;
const TENDERED = { amount: amountNo(60), currency: 'USD', rate: 0.9, rateDate: dayNo(60), change: amountNo(61) };

void t.test('every member of an invoice is read where it belongs', async (t) => {
  const line = (n: number): AllMembers<InvoiceLine> => ({
    day: dayNo(n),
    description: `Line ${n}`,
    amount: amountNo(n),
    taxes: amountNo(n + 1),
    code: `CODE ${n}`,
    taxLines: [{ code: `TAX ${n}`, amount: amountNo(n + 2) }],
  });
  const of = (who: string) => ({
    addressLine1: `${who} street`,
    city: `${who} city`,
    state: `${who} state`,
    zipCode: `${who} zip`,
    country: `${who} country`,
  });
  const document: AllMembers<InvoiceDocument> = {
    number: 'CN-2026-000001',
    kind: 'CREDIT_NOTE',
    year: undefined,
    serial: undefined,
    propertyId: 'anchor',
    reservationId: id(1),
    confirmationNumber: 'ABC',
    corrects: 'INV-2026-000001',
    issuedAt: momentNo(1),
    issuedBy: { name: 'The Anchor', address: of('our') },
    issuedTo: { name: 'Augusta', address: { ...of('her'), name: 'Byron' }, companyId: 'c-1', vatId: 'v-1' },
    currency: 'EUR',
    lines: [line(1), line(4)],
    subtotal: amountNo(7),
    taxes: amountNo(8),
    fees: amountNo(9),
    total: amountNo(10),
  };
  t.strictSame(
    await sentMembers(document, (one) => wired(documentAnswer, invoiceDocument(one as InvoiceDocument, MANAGER))),
    {
      renamed: {
        'issuedBy.propertyName': 'issuedBy.name',
        'items.*.date': 'lines.*.day',
        items: 'lines',
        'taxLines.1': 'lines.1.taxLines.0',
        totalAmount: 'total',
      },
      computed: {
        guestName: null,
        'items.0.taxLines.0.included': false,
        'items.1.taxLines.0.included': false,
        'taxLines.0.included': false,
        'taxLines.1.included': false,
      },
    },
  );
});

void t.test('every member of a folio is read where it belongs', async (t) => {
  const posting: AllMembers<FolioPosting> = {
    postingId: 'p-1',
    businessDate: dayNo(1),
    kind: 'EXTRA',
    description: 'Water',
    quantity: 2,
    unitAmount: amountNo(1),
    amount: amountNo(2),
    taxes: [{ code: 'VAT', amount: amountNo(3) }],
    window: 'COMPANY',
    code: 'water',
    by: 'desk',
    voidedBy: 'p-2',
    voids: 'p-3',
    notes: 'Wrong room',
    perNight: { quantity: 3, from: dayNo(2), to: dayNo(3) },
    tendered: TENDERED,
    typed: undefined,
  };
  const { window } = posting;
  const balance = { total: amountNo(4), paid: amountNo(5), balance: amountNo(6), expectedTotal: amountNo(7) };
  const rule = { kind: 'FEE', window: 'CHANNEL' } as const;
  t.strictSame(
    await sentMembers(
      { windows: [{ window, postings: [posting], ...balance }], routing: [rule] },
      ({ windows, routing }) =>
        wired(folioAnswer, folio({ reservation: reservation({ id: id(1), routing }), windows: windows }, MANAGER)),
    ),
    {
      renamed: {
        'windows.*.postings.*.extraCode': 'windows.*.postings.*.code',
        'windows.*.postings.*.postedBy': 'windows.*.postings.*.by',
        'windows.*.postings.*.reason': 'windows.*.postings.*.notes',
      },
      computed: { reservationId: '00000000-0000-4000-8000-000000000001', currency: 'EUR' },
    },
  );
});

void t.test('every member of a refund and of a chargeback is read where it belongs', async (t) => {
  const open: AllMembers<RefundByHand> = {
    refundId: id(1),
    reservationId: id(2),
    propertyId: 'anchor',
    confirmationNumber: 'ABC',
    guestName: 'Ada Byron',
    amount: amountNo(1),
    currency: 'EUR',
    method: 'CASH',
    orderedAt: momentNo(1),
  };
  t.strictSame(await sentMembers(open, (of) => wired(openRefundAnswer, openRefund(of))), {
    computed: { status: 'PENDING' },
  });
  const payment = {
    paymentId: id(3),
    amount: amountNo(2),
    method: 'CASH',
    status: 'COMPLETED',
    processedAt: momentNo(2),
  };
  const refund = { ...payment, paidOut: { by: 'desk', reference: 'till 7' } };
  const stay = reservation({ id: id(4) });
  t.strictSame(
    await sentMembers(refund, (of) => wired(payOutAnswer, refundPaidOut({ reservation: stay, refund: of as never }))),
    {
      renamed: { refundId: 'paymentId', paidBy: 'paidOut.by', paidAt: 'processedAt' },
      computed: {
        reservationId: '00000000-0000-4000-8000-000000000004',
        currency: 'EUR',
        reservationStatus: 'CONFIRMED',
      },
    },
  );
  const { paymentId, amount } = payment;
  const said = { charged: id(5), reason: 'Fraud', reference: 'case 9', payment: { paymentId, amount } };
  t.strictSame(
    await sentMembers(said, ({ payment: taken, charged, ...body }) => {
      const answer = chargedBack({ reservation: stay, payment: taken as never }, charged, body);
      return { ...wired(chargebackAnswer, answer), financial: undefined };
    }),
    {
      renamed: { chargebackId: 'payment.paymentId', paymentId: 'charged' },
      computed: {
        reservationId: '00000000-0000-4000-8000-000000000004',
        currency: 'EUR',
        claim: 0,
        reservationStatus: 'CONFIRMED',
      },
    },
  );
  t.strictSame(
    await sentMembers({ payment: said.payment, charged: id(5) }, ({ payment: back, charged }) => {
      const answer = chargebackWon({ reservation: stay, payment: back as never }, charged);
      return { ...wired(chargebackWonAnswer, answer), financial: undefined };
    }),
    {
      renamed: { returnedPaymentId: 'payment.paymentId', paymentId: 'charged' },
      computed: {
        reservationId: '00000000-0000-4000-8000-000000000004',
        currency: 'EUR',
        claim: 0,
        reservationStatus: 'CONFIRMED',
      },
    },
  );
});

void t.test('a VIEWER reads the first character of what somebody typed on an invoice', async (t) => {
  const line = { day: dayNo(1), description: 'Secret film', amount: 500, taxes: 0 };
  const document = {
    lines: [line, { ...line, description: 'Breakfast', code: 'BREAKFAST' }],
    issuedBy: { name: 'The Anchor', address: null },
    issuedTo: { name: 'Augusta', address: null },
  } as unknown as InvoiceDocument;
  const shown = (role: 'VIEWER' | 'MANAGER') =>
    invoiceDocument(document, { role }).items.map(({ description }) => description);
  t.same(shown('VIEWER'), ['S***', 'Breakfast']);
  t.same(shown('MANAGER'), ['Secret film', 'Breakfast']);
});
