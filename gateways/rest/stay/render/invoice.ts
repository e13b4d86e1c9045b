import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import { formatDay } from '../../../../src/kernel/rules/dates.ts';
import { sum } from '../../../../src/kernel/rules/figures.ts';
import { type Minor, negated } from '../../../../src/kernel/rules/money.ts';
import { departureOf } from '../../../../src/kernel/rules/stay-days.ts';
import type { InvoiceDocument } from '../../../../src/money/rules/invoice-document.ts';
import {
  GUEST_NAME,
  invoicedParty,
  invoiceOfParty,
  type InvoiceParty,
  paymentsOfParty,
} from '../../../../src/money/rules/invoice.ts';
import type { Payment } from '../../../../src/money/rules/payment.ts';
import { type InvoicedParties, shownOf } from '../../../../src/money/rules/shown-invoice.ts';
import type { Property } from '../../../../src/properties/rules/property.ts';
import type { invoiceAnswer } from '../../../../src/stay/contracts/stay-documents.ts';
import type { Reservation } from '../../../../src/stay/rules/reservation.ts';
import { may } from '../../../auth/permissions.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { bodyOf, invoiceDocument } from '../../money/render/invoice.ts';
import { pageText } from '../../page.ts';
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

/** What came in another currency, as the guest has handed it over. */
function tenderedRow({ tendered, status }: Payment): string {
  if (!tendered || status !== 'COMPLETED') return '';
  const { amount, currency, rate, rateDate } = tendered;
  const shown = new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount / 100);
  const words = `Of that in ${currency}, at ${rate} on ${formatDay(rateDate)}`;
  return `<tr><td>${pageText(words)}</td><td>${pageText(shown)}</td></tr>`;
}

/** The receipt as a page, for everyone with its address. */
export function receipt(reservation: Reservation, property: Property): string {
  const { paid, refunded, chargedBack, balance } = invoiceOfParty(reservation, 'REST');
  const { number, issuedAt, issuedTo: to, lines, taxes, total, creditNotes } = shownOf({ reservation }, property);
  const money = new Intl.NumberFormat('en', { style: 'currency', currency: reservation.currency });
  const amount = (minor: Minor): string => pageText(money.format(minor / 100));
  const row = (words: string, minor: Minor): string =>
    `<tr><td>${pageText(words)}</td><td>${amount(minor)}</td></tr>`;
  const charged = lines.filter(({ code }) => code !== GUEST_NAME);
  const rows = charged.map(({ day, description, amount: of }) => row(`${formatDay(day)} ${description}`, of));
  const notes = creditNotes.map((note) => row(`Credit note ${note.number}`, note.total));
  const { address } = property;
  const where = address ? `${address.addressLine1}, ${address.zipCode} ${address.city}, ${address.country}` : '';
  const { stay, confirmationNumber } = reservation;
  return `<h1>${pageText(property.name)}</h1><p>${pageText(where)}</p>
<h2>${issuedAt === undefined ? 'Not yet final' : 'Receipt'}: ${pageText(number)}</h2>
<p>${pageText(to.name)}, ${formatDay(stay.checkIn)} to ${formatDay(departureOf(stay))},
confirmation ${pageText(confirmationNumber)}</p>
<table>${rows.join('')}${row('Taxes', taxes)}${row('Total', total)}${notes.join('')}${row('Paid', paid + refunded + chargedBack)}
${paymentsOfParty(reservation, 'REST').map(tenderedRow).join('')}${chargedBack > 0 ? row('Charged back', negated(chargedBack)) : ''}
${refunded > 0 ? row('Refunded', negated(refunded)) : ''}${row('Balance', balance)}</table>`;
}
