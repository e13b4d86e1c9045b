import { formatDay } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { PropertyId, ReservationId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { type Instant, localTime } from '../../kernel/rules/property-time.ts';
import type { PostalAddress } from '../../properties/rules/property.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import {
  INVOICE_PARTIES,
  type InvoiceLine,
  invoiceOf,
  invoiceOfParty,
  type InvoiceParty,
  type IssuedTo,
  issuedAtOf,
  issuedTo,
  invoicedParty,
} from './invoice.ts';
import { MoneyFault } from './money-fault.ts';
import { mergedLines } from './taxes.ts';

/** Kinds of numbered documents, each with its own sequence (docs/reference/invoices.md#numbers). */
export const DOCUMENT_KINDS = ['INVOICE', 'CREDIT_NOTE'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

const PREFIXES = { INVOICE: 'INV', CREDIT_NOTE: 'CN' } as const satisfies Record<DocumentKind, string>;

/** A position in a sequence of kind and year. The numbers of a property have no gaps. */
export type DocumentNumber = { kind: DocumentKind; year: number; serial: number };

type Amounts = { subtotal: Minor; taxes: Minor; fees: Minor; total: Minor };

/**
 * An issued invoice or credit note: written once, complete, and never changed (docs/reference/invoices.md#issue).
 * Amounts of a credit note are negative. `year` and `serial` are absent when release 0.1.0 assigned the number.
 */
export type InvoiceDocument = Amounts & {
  number: string;
  kind: DocumentKind;
  year?: number;
  serial?: number;
  propertyId: PropertyId;
  reservationId: ReservationId;
  confirmationNumber: string;
  /** Number of the corrected invoice. */
  corrects?: string;
  issuedAt: Instant;
  issuedBy: { name: string; address: PostalAddress | null };
  issuedTo: IssuedTo;
  currency: string;
  lines: InvoiceLine[];
};

/** Minimum digits of a serial number; numbers above 999,999 have more. */
const SERIAL_DIGITS = 6;

/** Printed number, such as `INV-2026-000001`. */
export function documentNumber({ kind, year, serial }: DocumentNumber): string {
  return `${PREFIXES[kind]}-${year}-${String(serial).padStart(SERIAL_DIGITS, '0')}`;
}

/** Key of the sequence of a kind and year. */
export function sequenceOf({ kind, year }: Pick<DocumentNumber, 'kind' | 'year'>): string {
  return `${PREFIXES[kind]}-${year}`;
}

/** Year of a number: the calendar year of the property at the time of issue. */
export function yearOfIssue(at: Instant, timezone: string): number {
  return Number(formatDay(localTime(at, timezone).day).slice(0, 4));
}

/** Sum of documents: an invoice that was credited in full sums to 0. */
export function sumOfDocuments(documents: readonly Amounts[] = []): Amounts {
  return {
    subtotal: sum(documents, ({ subtotal }) => subtotal),
    taxes: sum(documents, ({ taxes }) => taxes),
    fees: sum(documents, ({ fees }) => fees),
    total: sum(documents, ({ total }) => total),
  };
}

/** A document still without number, time and issuer: the difference between the price and the documents so far. */
export type DocumentDue = Amounts & Pick<InvoiceDocument, 'kind' | 'corrects' | 'lines'> & { party: InvoiceParty };

/** An issued invoice and its corrections. */
type ShownInvoice = { invoice: InvoiceDocument; creditNotes: InvoiceDocument[] };

/** Newest invoice of a party of a stay that is over; `undefined` while there is only an offer, or for a party without. */
export function shownInvoice(
  reservation: Reservation,
  issuedBy: InvoiceDocument['issuedBy'],
  party: InvoiceParty = 'REST',
): ShownInvoice | undefined {
  if (issuedAtOf(reservation) === undefined) return undefined;
  const documents = documentsOf(reservation, issuedBy);
  const invoice = documentsOfParty(documents, party).findLast(({ kind }) => kind === 'INVOICE');
  return invoice && { invoice, creditNotes: documents.filter(({ corrects }) => corrects === invoice.number) };
}

/** Documents of one of the two parties of a stay. */
export function documentsOfParty(documents: readonly InvoiceDocument[], party: InvoiceParty): InvoiceDocument[] {
  return documents.filter((document) => invoicedParty(document.issuedTo) === party);
}

/**
 * Documents of a reservation: the issued ones, else the invoice of a stay that ended under release 0.1.0, with the
 * number printed then.
 */
export function documentsOf(reservation: Reservation, issuedBy: InvoiceDocument['issuedBy']): InvoiceDocument[] {
  const { documents = [], propertyId, id: reservationId, confirmationNumber, currency } = reservation;
  const issuedAt = issuedAtOf(reservation);
  if (documents.length > 0 || issuedAt === undefined) return documents;
  const { number, lines, subtotal, taxes, fees, total } = invoiceOf(reservation);
  const whose = {
    propertyId,
    reservationId,
    confirmationNumber,
    issuedBy,
    issuedTo: issuedTo(reservation),
    currency,
  };
  return [{ ...whose, number, kind: 'INVOICE', issuedAt, lines, subtotal, taxes, fees, total }];
}

/**
 * Documents to issue so that the documents of a reservation sum to its price, for the sharer and for the rest of the stay
 * (docs/reference/invoices.md#two-invoices-of-a-shared-stay): first the invoice, then only differences, as a credit note
 * when the price fell and as a further invoice when it rose. A stay that continues costs nothing yet, so its invoices
 * are credited in full.
 * @param documents issued before
 * @returns none when they already sum to it
 */
export function documentsDue(reservation: Reservation, documents: readonly InvoiceDocument[]): DocumentDue[] {
  return INVOICE_PARTIES.flatMap((party) => {
    const due = documentDue(reservation, documentsOfParty(documents, party), party);
    return due ? [{ ...due, party }] : [];
  });
}

/** @param documents of the party */
function documentDue(
  reservation: Reservation,
  documents: readonly InvoiceDocument[],
  party: InvoiceParty,
): Omit<DocumentDue, 'party'> | undefined {
  const isOver = issuedAtOf(reservation) !== undefined;
  if (documents.length === 0 && !isOver) return undefined;
  const { lines, ...costs } = isOver ? invoiceOfParty(reservation, party) : NOTHING;
  // A sharer who has nothing to pay has no invoice.
  if (documents.length === 0 && party === 'SHARER' && costs.total === 0) return undefined;
  const said = sumOfDocuments(documents);
  const differences = {
    subtotal: costs.subtotal - said.subtotal,
    taxes: costs.taxes - said.taxes,
    fees: costs.fees - said.fees,
    total: costs.total - said.total,
  };
  if (documents.length > 0 && isNothing(differences)) return undefined;
  // After an invoice was credited in full, the next one has all lines again.
  const due = isNothing(said)
    ? lines
    : linesBetween(
        documents.flatMap((one) => one.lines),
        lines,
      );
  if (documents.length === 0 || differences.total > 0) return { ...differences, kind: 'INVOICE', lines: due };
  const corrects = documents.findLast(({ kind }) => kind === 'INVOICE')!.number;
  return { ...differences, kind: 'CREDIT_NOTE', corrects, lines: due };
}

/** Invoice content of a stay that is not over. */
const NOTHING = { subtotal: 0, taxes: 0, fees: 0, total: 0, lines: [] as InvoiceLine[] };

function isNothing({ subtotal, taxes, fees, total }: Amounts): boolean {
  return subtotal === 0 && taxes === 0 && fees === 0 && total === 0;
}

/** Lines that turn the issued ones into the current ones: additions, and removals as negative lines. */
function linesBetween(said: readonly InvoiceLine[], now: readonly InvoiceLine[]): InvoiceLine[] {
  const lines = new Map<string, InvoiceLine>();
  const add = (line: InvoiceLine, sign: 1 | -1): void => {
    const { day, description, code } = line;
    const key = JSON.stringify([day, description, code]);
    const { amount = 0, taxes = 0, taxLines = [] } = lines.get(key) ?? {};
    const more = (line.taxLines ?? []).map((one) => ({ ...one, amount: sign * one.amount }));
    lines.set(key, {
      ...line,
      amount: amount + sign * line.amount,
      taxes: taxes + sign * line.taxes,
      taxLines: mergedLines([...taxLines, ...more]),
    });
  };
  for (const line of now) add(line, 1);
  for (const line of said) add(line, -1);
  return [...lines.values()].filter(({ amount, taxes }) => amount !== 0 || taxes !== 0);
}

/**
 * Asserts before a reservation is written that its documents sum to its price, unless a release without documents has
 * changed it before.
 * @throws MoneyFault
 */
export function assertDocuments(before: Reservation | undefined, after: Reservation): void {
  const isSettled = (one: Reservation): boolean => documentsDue(one, one.documents ?? []).length === 0;
  if ((before !== undefined && !isSettled(before)) || isSettled(after)) return;
  throw new MoneyFault(`reservation ${after.id}: its invoices do not say what it costs`);
}
