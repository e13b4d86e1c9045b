import { formatDay } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { PropertyId, ReservationId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { type Instant, localTime } from '../../kernel/rules/property-time.ts';
import type { PostalAddress } from '../../properties/rules/property.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { type InvoiceLine, invoiceOf, type IssuedTo, issuedAtOf, issuedTo } from './invoice.ts';
import { MoneyFault } from './money-fault.ts';
import { mergedLines } from './taxes.ts';

/** What is issued under a number of its own, each kind with its own sequence (docs/reference/invoices.md#numbers). */
export const DOCUMENT_KINDS = ['INVOICE', 'CREDIT_NOTE'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** How the numbers of a kind begin. */
const PREFIXES = { INVOICE: 'INV', CREDIT_NOTE: 'CN' } as const satisfies Record<DocumentKind, string>;

/** A place in a sequence: kind and year, and how far it is counted. Numbers of a property have no gap in it. */
export type DocumentNumber = { kind: DocumentKind; year: number; serial: number };

type Amounts = { subtotal: Minor; taxes: Minor; fees: Minor; total: Minor };

/**
 * An invoice or a credit note as it was issued: written once, with all that it says (docs/reference/invoices.md#issue).
 * Amounts of a credit note are below zero. `year` and `serial` are absent where release 0.1.0 gave the number.
 */
export type InvoiceDocument = Amounts & {
  number: string;
  kind: DocumentKind;
  year?: number;
  serial?: number;
  propertyId: PropertyId;
  reservationId: ReservationId;
  confirmationNumber: string;
  /** The number of the invoice that it corrects. */
  corrects?: string;
  issuedAt: Instant;
  issuedBy: { name: string; address: PostalAddress | null };
  issuedTo: IssuedTo;
  currency: string;
  lines: InvoiceLine[];
};

/** Digits of a serial number; more where a year has more than 999,999. */
const SERIAL_DIGITS = 6;

/** A number as it is printed, such as `INV-2026-000001`. */
export function documentNumber({ kind, year, serial }: DocumentNumber): string {
  return `${PREFIXES[kind]}-${year}-${String(serial).padStart(SERIAL_DIGITS, '0')}`;
}

/** One text for the sequence of a kind in a year. */
export function sequenceOf({ kind, year }: Pick<DocumentNumber, 'kind' | 'year'>): string {
  return `${PREFIXES[kind]}-${year}`;
}

/** The year of a number: that of the calendar of the property when it is given. */
export function yearOfIssue(at: Instant, timezone: string): number {
  return Number(formatDay(localTime(at, timezone).day).slice(0, 4));
}

/** What documents come to in all: an invoice that was credited in full is nothing any more. */
export function sumOfDocuments(documents: readonly Amounts[] = []): Amounts {
  return {
    subtotal: sum(documents, ({ subtotal }) => subtotal),
    taxes: sum(documents, ({ taxes }) => taxes),
    fees: sum(documents, ({ fees }) => fees),
    total: sum(documents, ({ total }) => total),
  };
}

/** A document without number, time and issuer: what a reservation costs beyond what its documents say. */
export type DocumentDue = Amounts & Pick<InvoiceDocument, 'kind' | 'corrects' | 'lines'>;

/** An issued invoice and what corrects it. */
export type ShownInvoice = { invoice: InvoiceDocument; creditNotes: InvoiceDocument[] };

/** The newest invoice of a stay that is over; `undefined` while it is an offer of one. */
export function shownInvoice(
  reservation: Reservation,
  issuedBy: InvoiceDocument['issuedBy'],
): ShownInvoice | undefined {
  if (issuedAtOf(reservation) === undefined) return undefined;
  const documents = documentsOf(reservation, issuedBy);
  const invoice = documents.findLast(({ kind }) => kind === 'INVOICE')!;
  return { invoice, creditNotes: documents.filter(({ corrects }) => corrects === invoice.number) };
}

/**
 * Documents that a reservation has: those that were issued, else the invoice that release 0.1.0 wrote for a stay that is
 * over, under the number that it was handed out with.
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
 * What is to be issued so that the documents of a reservation say what it costs: its invoice at first, then only the
 * difference, as a credit note where it costs less and as a further invoice where it costs more. A stay that goes on
 * again costs nothing yet, so all of its invoice is credited.
 * @param documents issued before
 * @returns nothing where they say it
 */
export function documentDue(
  reservation: Reservation,
  documents: readonly InvoiceDocument[],
): DocumentDue | undefined {
  const isOver = issuedAtOf(reservation) !== undefined;
  if (documents.length === 0 && !isOver) return undefined;
  const { lines, ...costs } = isOver ? invoiceOf(reservation) : NOTHING;
  const said = sumOfDocuments(documents);
  const differences = {
    subtotal: costs.subtotal - said.subtotal,
    taxes: costs.taxes - said.taxes,
    fees: costs.fees - said.fees,
    total: costs.total - said.total,
  };
  if (documents.length > 0 && isNothing(differences)) return undefined;
  // After an invoice that was credited in full the next one is whole again, line by line.
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

/** What an open stay is to be invoiced for. */
const NOTHING = { subtotal: 0, taxes: 0, fees: 0, total: 0, lines: [] as InvoiceLine[] };

function isNothing({ subtotal, taxes, fees, total }: Amounts): boolean {
  return subtotal === 0 && taxes === 0 && fees === 0 && total === 0;
}

/** Lines that lead from those that were issued to those that hold: of each what is added, or below zero what goes. */
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
 * Asserted before a reservation is written: a command leaves documents that say what the reservation costs, unless a
 * release that knows none has changed it before.
 * @throws MoneyFault
 */
export function assertDocuments(before: Reservation | undefined, after: Reservation): void {
  const wasSettled = before === undefined || documentDue(before, before.documents ?? []) === undefined;
  if (!wasSettled || documentDue(after, after.documents ?? []) === undefined) return;
  throw new MoneyFault(`reservation ${after.id}: its invoices do not say what it costs`);
}
