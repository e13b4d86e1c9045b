import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { departureOf } from '../../kernel/rules/stay-days.ts';
import { GUEST_NAME, invoiceOfParty, type InvoiceParty } from '../../money/rules/invoice.ts';
import { type InvoicedParties, shownOf } from '../../money/rules/shown-invoice.ts';
import type { Property } from '../../properties/rules/property.ts';
import { type BillRows, billRows } from './bill-lines.ts';
import type { LetterTexts } from './letter-texts.ts';
import { type Letter, letterOfKind } from './letter.ts';
import { priceText } from './notified-booking.ts';

/** A stay with the party whose invoice is mailed, and the page of its receipt. */
type MailedInvoice = InvoicedParties & {
  property: Property;
  party: InvoiceParty;
  receiptUrl?: string;
  /** Names of room types by their codes. */
  rooms?: ReadonlyMap<string, string>;
};

/** What a letter says of an invoice, or of the offer of one. */
export type InvoiceContent = {
  property: Pick<Property, 'name'>;
  isIssued: boolean;
  number: string;
  issuedTo: { name: string; vatId?: string };
  /** Where somebody else is invoiced for the guest. */
  guestName?: string;
  confirmationNumber: string;
  arrival: Day;
  departure: Day;
  currency: string;
  rows: BillRows;
  total: Minor;
  creditNotes: { number: string; total: Minor }[];
  paid: Minor;
  balance: Minor;
  receiptUrl?: string;
};

/** The invoice of a stay as it is when it is mailed (docs/reference/invoices.md#by-mail). */
export function invoiceLetter(
  { property, party, receiptUrl, rooms = new Map(), ...invoiced }: MailedInvoice,
  texts: LetterTexts,
): Letter {
  const { reservation } = invoiced;
  const { stay, confirmationNumber, currency } = reservation;
  const { issuedAt, lines: all, taxes, ...shown } = shownOf(invoiced, property, party);
  const { paid, balance } = invoiceOfParty(reservation, party);
  const lines = all.filter(({ code }) => code !== GUEST_NAME);
  return letterOfInvoice(
    {
      ...shown,
      property,
      receiptUrl,
      confirmationNumber,
      currency,
      paid,
      balance,
      isIssued: issuedAt !== undefined,
      guestName: all.find(({ code }) => code === GUEST_NAME)?.description,
      arrival: stay.checkIn,
      departure: departureOf(stay),
      rows: billRows(texts, { lines, taxes }, { known: property.metadata.policies.taxes, rooms }),
    },
    texts,
  );
}

/** The letter about an invoice. */
export function letterOfInvoice(invoice: InvoiceContent, texts: LetterTexts): Letter {
  const {
    property,
    isIssued,
    number,
    issuedTo,
    guestName,
    confirmationNumber,
    arrival,
    departure,
    receiptUrl,
    rows,
  } = invoice;
  const amount = (minor: Minor): string => priceText(texts, minor, { reservation: invoice });
  const [total, paid, balance] = [amount(invoice.total), amount(invoice.paid), amount(invoice.balance)];
  const values = {
    guest: issuedTo.name,
    property: property.name,
    confirmationNumber,
    number,
    arrival: texts.day(arrival),
    departure: texts.day(departure),
    amount: total,
    paid,
    due: balance,
  };
  const dates = { arrival: texts.shortDay(arrival), departure: texts.shortDay(departure) };
  return letterOfKind(isIssued ? 'INVOICE' : 'PRO_FORMA_INVOICE', values, {
    details: [
      [texts.text(isIssued ? 'invoice' : 'proForma'), number],
      [texts.text('issuedTo'), issuedTo.name],
      ...(issuedTo.vatId === undefined ? [] : [[texts.text('vatId'), issuedTo.vatId] as [string, string]]),
      ...(guestName === undefined ? [] : [[texts.text('guest'), guestName] as [string, string]]),
      [texts.text('stay'), texts.text('dates', dates)],
      [texts.text('confirmationNumber'), confirmationNumber],
    ],
    amounts: [
      ...rows.lines.map((line): [string, string] => [
        `${texts.shortDay(line.day)} ${line.name}`,
        amount(line.amount),
      ]),
      ...rows.taxes.map((tax): [string, string] => [tax.name, amount(tax.amount)]),
      [texts.text('total'), total],
      ...rows.within.map((tax): [string, string] => [
        texts.text('taxWithin', { name: tax.name }),
        amount(tax.amount),
      ]),
      ...invoice.creditNotes.map((note): [string, string] => [
        texts.text('creditNote', { number: note.number }),
        amount(note.total),
      ]),
      [texts.text('paid'), paid],
      [texts.text('balance'), balance],
    ],
    ...(receiptUrl !== undefined && { link: { label: texts.text('receipt'), url: receiptUrl } }),
  });
}
