import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import { sum } from '../../../../src/kernel/rules/figures.ts';
import { type Minor, negated } from '../../../../src/kernel/rules/money.ts';
import type { InvoiceDocument } from '../../../../src/money/rules/invoice-document.ts';
import {
  invoicedParty,
  invoiceOfParty,
  type InvoiceParty,
  paymentsOfParty,
} from '../../../../src/money/rules/invoice.ts';
import { type InvoicedParties, shownOf } from '../../../../src/money/rules/shown-invoice.ts';
import type { Property } from '../../../../src/properties/rules/property.ts';
import type { invoiceAnswer } from '../../../../src/stay/contracts/stay-documents.ts';
import { may } from '../../../auth/permissions.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { bodyOf, invoiceDocument } from '../../money/render/invoice.ts';
import { paymentOf } from './reservation.ts';

/**
 * The invoice of a stay with what corrects it, and what was paid until now (docs/reference/invoices.md#members).
 * @param receiptUrl of the page that the guest may open without signing in; a VIEWER does not get it
 */
export function invoice(
  invoiced: InvoicedParties & { party: InvoiceParty },
  property: Property,
  caller: Pick<Caller, 'role'>,
  receiptUrl: string,
): AnswerOf<typeof invoiceAnswer> {
  const { reservation, party } = invoiced;
  const { creditNotes, ...shown } = shownOf(invoiced, property, party);
  const { paid, refunded, chargedBack, balance: balanceDue } = invoiceOfParty(reservation, party);
  return {
    invoiceNumber: shown.number,
    status: shown.issuedAt === undefined ? 'PRO_FORMA' : 'ISSUED',
    reservationId: reservation.id,
    confirmationNumber: reservation.confirmationNumber,
    issuedAt: shown.issuedAt ?? null,
    ...bodyOf(shown, caller, property.metadata.policies.taxes),
    creditNotes: creditNotes.map((document) => invoiceDocument(document, caller)),
    creditedAmount: creditedBy(creditNotes),
    documents: (reservation.documents ?? []).map(({ number, kind, issuedAt, total: totalAmount, issuedTo }) => ({
      number,
      kind,
      issuedAt,
      totalAmount,
      ...(invoicedParty(issuedTo) === 'SHARER' && { window: 'SHARER' as const }),
    })),
    paidAmount: paid,
    refundedAmount: refunded,
    chargedBackAmount: chargedBack,
    balanceDue,
    payments: (reservation.sharer ? paymentsOfParty(reservation, party) : reservation.payments).map(paymentOf),
    // The page behind it is of who has booked.
    receiptUrl: may(caller, 'contact.read') && party === 'REST' ? receiptUrl : null,
  };
}

const creditedBy = (notes: readonly InvoiceDocument[]): Minor => negated(sum(notes, ({ total }) => total));
