import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import type { PropertyId } from '../../../../src/kernel/rules/ids.ts';
import type { documentAnswer } from '../../../../src/money/contracts/invoices.ts';
import type { InvoiceDocument } from '../../../../src/money/rules/invoice-document.ts';
import { GUEST_NAME, type InvoiceLine, type IssuedTo } from '../../../../src/money/rules/invoice.ts';
import { mergedLines, namedLines } from '../../../../src/money/rules/taxes.ts';
import type { Tax } from '../../../../src/properties/rules/tax.ts';
import { may } from '../../../auth/permissions.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { contactFor, maskName } from '../../../http/masks.ts';
import { billingAddressOf } from '../../stay/render/reservation.ts';

type Viewed = Pick<Caller, 'role'>;
type DocumentAnswer = AnswerOf<typeof documentAnswer>;

/** A document as issued (docs/reference/invoices.md#members). */
export function invoiceDocument(document: InvoiceDocument, caller: Viewed): DocumentAnswer {
  const { number, kind, corrects = null, reservationId, confirmationNumber, issuedAt } = document;
  const which = { number, kind, corrects, reservationId, confirmationNumber, issuedAt };
  return { ...which, ...bodyOf(document, caller) };
}

type Said = Pick<InvoiceDocument, 'issuedBy' | 'issuedTo' | 'currency' | 'lines'> &
  Pick<InvoiceDocument, 'propertyId' | 'subtotal' | 'taxes' | 'fees' | 'total'>;
type Body = Pick<
  DocumentAnswer,
  'issuedBy' | 'issuedTo' | 'guestName' | 'currency' | 'items' | 'subtotal' | 'taxes' | 'taxLines'
> &
  Pick<DocumentAnswer, 'fees' | 'totalAmount'>;

/** The content of a document, issued or offered. @param known taxes of the property, for lines without a name */
export function bodyOf(of: Said, caller: Viewed, known: readonly Tax[] = []): Body {
  const { propertyId, issuedBy, issuedTo, currency, lines, subtotal, taxes, fees, total: totalAmount } = of;
  return {
    issuedBy: issuerOf(propertyId, issuedBy),
    issuedTo: recipientOf(issuedTo, caller),
    guestName: guestNameOf(lines, caller),
    currency,
    items: lines.filter(({ code }) => code !== GUEST_NAME).map((line) => itemOf(line, caller, known)),
    subtotal,
    taxes,
    taxLines: namedLines(mergedLines(lines.flatMap(({ taxLines = [] }) => taxLines)), known),
    fees,
    totalAmount,
  };
}

const issuerOf = (propertyId: PropertyId, { name, address }: Said['issuedBy']): Body['issuedBy'] => ({
  propertyId,
  propertyName: name,
  address,
});

function recipientOf({ name, address, sharerId, companyId, vatId }: IssuedTo, caller: Viewed): Body['issuedTo'] {
  const isShown = may(caller, 'contact.read');
  return {
    name: isShown ? name : maskName(name),
    address: billingAddressOf({ billing: { address: address ?? undefined } }, caller),
    ...(sharerId !== undefined && { sharerId }),
    ...(companyId !== undefined && { companyId }),
    ...(isShown && vatId !== undefined && { vatId }),
  };
}

/** Guest of an invoice that is issued to a company; the guest is the recipient of any other. */
function guestNameOf(lines: readonly InvoiceLine[], caller: Viewed): string | null {
  const name = lines.find(({ code }) => code === GUEST_NAME)?.description ?? null;
  return name === null || may(caller, 'contact.read') ? name : maskName(name);
}

/** What somebody typed has no code, and may name a person: it is shortened as in the folio. */
const itemOf = (
  { day, description, amount, taxes, code, taxLines = [] }: InvoiceLine,
  caller: Viewed,
  known: readonly Tax[],
): Body['items'][0] => ({
  date: day,
  description: code === undefined ? contactFor(caller)(description) : description,
  amount,
  taxes,
  code: code ?? null,
  taxLines: namedLines(taxLines, known),
});
