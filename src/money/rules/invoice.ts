import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { GuestId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Cancellation, Reservation } from '../../stay/rules/reservation.ts';
import { isChargeback, isGivenUp } from './charges.ts';
import type { InvoicedCompany } from './company.ts';
import { type ChargeKind, type FolioWindow, sharerPercent } from './folio-window.ts';
import { billedCharges, folioTotals, received } from './folio.ts';
import type { Night, Surcharge } from './night.ts';
import type { Payment } from './payment.ts';
import { penaltyParts } from './penalty.ts';
import { kindOfCharge, windowsOf } from './postings.ts';
import { lineWithout, shareOfLine } from './shared-lines.ts';
import { isSharers } from './shared-money.ts';
import { linesOfSurcharge, nightDescription, partsOfNight, upgradeDescription } from './surcharge.ts';
import { linesOfNight, mergedLines, shareOfTaxes, type TaxLine } from './taxes.ts';

/** One line: a night, the fees of the stay, a charge beside them, or the penalty of a stay that did not take place. */
export type InvoiceLine = {
  day: Day;
  description: string;
  amount: Minor;
  taxes: Minor;
  code?: string;
  /** Taxes and fees of the line by code. */
  taxLines?: TaxLine[];
};

/** Amounts due and paid of a guest (docs/reference/reservations.md#balances). Until departure it is an offer. */
type Invoice = {
  number: string;
  status: 'ISSUED' | 'PRO_FORMA';
  issuedAt?: Instant;
  lines: InvoiceLine[];
  subtotal: Minor;
  taxes: Minor;
  /** Fees and all charges beside the nights. */
  fees: Minor;
  total: Minor;
  /** Captured payments less refunds. */
  paid: Minor;
  /** Refunded part of the captured payments. */
  refunded: Minor;
  /** What card issuers have taken back, less what they have returned. */
  chargedBack: Minor;
  balance: Minor;
};

/** Recipient of an invoice, as tax law requires it to be stored. */
export type IssuedTo = {
  name: string;
  address: NonNullable<Reservation['billing']>['address'] | null;
  /** Of a sharer, whose own invoice it is: it has what is in the SHARER window. */
  sharerId?: GuestId;
  /** Of a company. */
  companyId?: string;
  vatId?: string;
};

/**
 * Whose invoice: the sharer's, with what is in the SHARER window, or that of the rest of the stay
 * (docs/reference/invoices.md#two-invoices-of-a-shared-stay).
 */
export const INVOICE_PARTIES = ['REST', 'SHARER'] as const;
export type InvoiceParty = (typeof INVOICE_PARTIES)[number];

/** Whose invoice a document is, or corrects. */
export const invoicedParty = ({ sharerId }: Pick<IssuedTo, 'sharerId'>): InvoiceParty =>
  sharerId === undefined ? 'REST' : 'SHARER';

/** Code of the line that names the guest on an invoice to a company; erasure clears it like every other line. */
export const GUEST_NAME = 'GUEST_NAME';

/** Whether the end of a stay had a penalty, also one that was waived since: it is invoiced. */
function hasPenalty({ penalty, waived }: Cancellation): boolean {
  return penalty > 0 || waived !== undefined;
}

/** Recipient of the invoice of a reservation: its billing address, else the guest. */
export function issuedTo({ guest, billing }: Pick<Reservation, 'guest' | 'billing'>): IssuedTo {
  const { address } = billing ?? {};
  return { name: address?.name ?? `${guest.firstName} ${guest.lastName}`, address: address ?? null };
}

/**
 * Recipient of the invoice of a reservation with what it says of the guest: the company of the stay when its folio window
 * has something to pay, else the guest.
 * @param company of the stay, as it is now
 */
export function recipientOf(
  reservation: Reservation,
  company: InvoicedCompany | undefined,
): { issuedTo: IssuedTo; guestLines: InvoiceLine[] } {
  const windows = company ? windowsOf(reservation, reservation.stay.checkOut) : [];
  const isDue = windows.some(({ window, expectedTotal }) => window === 'COMPANY' && expectedTotal > 0);
  if (!company || !isDue) return { issuedTo: issuedTo(reservation), guestLines: [] };
  const { companyId, name, vatId, billingAddress = null } = company;
  const to = { name, address: billingAddress, companyId, ...(vatId !== undefined && { vatId }) };
  return { issuedTo: to, guestLines: guestLinesOf(reservation) };
}

/** Recipient of the sharer's own invoice. The billing address is that of who booked. */
export function sharerRecipient({ sharer }: Pick<Reservation, 'sharer'>): ReturnType<typeof recipientOf> {
  const { guestId, firstName, lastName } = sharer!;
  return { issuedTo: { name: `${firstName} ${lastName}`, address: null, sharerId: guestId }, guestLines: [] };
}

/** Line of an invoice to a company that names the guest; none of an erased guest. */
export function guestLinesOf({ guest, stay }: Pick<Reservation, 'guest' | 'stay'>): InvoiceLine[] {
  const description = `${guest.firstName} ${guest.lastName}`.trim();
  return description === '' ? [] : [{ day: stay.checkIn, description, amount: 0, taxes: 0, code: GUEST_NAME }];
}

/** Event of an import in the timeline of a reservation: notes go with an erased guest. */
export const IMPORTED = 'IMPORTED';

const OVER: ReadonlySet<string> = new Set<Reservation['status']>(['CHECKED_OUT', 'CANCELLED', 'NO_SHOW']);

/**
 * Whether a stay was over when it was imported: its invoice is that of the system before
 * (docs/reference/import.md#reservations). One that was reopened here since ends here.
 */
function endedBeforeImport({ timeline }: Pick<Reservation, 'timeline'>): boolean {
  const imported = timeline.findLastIndex(({ event }) => event === IMPORTED);
  return imported >= 0 && timeline.slice(imported).every(({ status }) => OVER.has(status));
}

/**
 * Time of issue: at departure, or when a penalty came due; `undefined` while it is an offer, and of a stay that was over
 * when it was imported.
 */
export function issuedAtOf(reservation: Reservation): Instant | undefined {
  const { checkOut, cancellation } = reservation;
  if ((checkOut || cancellation) && endedBeforeImport(reservation)) return undefined;
  return checkOut?.at ?? (cancellation && hasPenalty(cancellation) ? cancellation.cancelledAt : undefined);
}

/**
 * Current invoice of a reservation: its lines sum to its totals to the cent. A no-show owes the penalty and no night.
 * The number is that of an offer, or of an invoice of release 0.1.0; issued documents get a number of the property's
 * sequence (docs/reference/invoices.md#numbers).
 */
export function invoiceOf(reservation: Reservation): Invoice {
  const { base: subtotal, taxes, fees, total } = folioTotals(reservation);
  const lines = withOneLineOfFees(pricedLines(reservation).map(({ line }) => line));
  const { paid } = reservation;
  const money = { ...moneyOf(reservation, reservation.payments), paid };
  return { ...money, lines, subtotal, taxes, fees, total, balance: total - paid };
}

/** What one of the parties is invoiced: together they have all lines of the stay, and all of its payments. */
export function invoiceOfParty(reservation: Reservation, party: InvoiceParty): Invoice {
  if (!reservation.sharer && party === 'REST') return invoiceOf(reservation);
  const lines = pricedLines(reservation).flatMap((priced) => linesOfParty(reservation, priced, party));
  const amountOf = (isBase: boolean): Minor => sum(lines, (one) => (one.isBase === isBase ? one.line.amount : 0));
  const subtotal = amountOf(true);
  const fees = amountOf(false);
  const taxes = sum(lines, ({ line }) => line.taxes);
  const money = moneyOf(reservation, paymentsOfParty(reservation, party));
  const total = subtotal + taxes + fees;
  const own = withOneLineOfFees(lines.map(({ line }) => line));
  return { ...money, lines: own, subtotal, taxes, fees, total, balance: total - money.paid };
}

/** Payments of the window of the sharer, or of all others. */
export function paymentsOfParty(reservation: Reservation, party: InvoiceParty): Payment[] {
  return reservation.payments.filter((one) => isSharers(reservation, one) === (party === 'SHARER'));
}

type Money = Pick<Invoice, 'number' | 'status' | 'issuedAt' | 'paid' | 'refunded' | 'chargedBack'>;

function moneyOf(reservation: Reservation, payments: readonly Payment[]): Money {
  const issuedAt = issuedAtOf(reservation);
  const back = payments.filter((payment) => payment.type === 'REFUND' && !isGivenUp(payment));
  const returned = sum(payments, ({ regains, amount }) => (regains === undefined ? 0 : amount));
  return {
    number: `INV-${reservation.confirmationNumber}`,
    status: issuedAt === undefined ? 'PRO_FORMA' : 'ISSUED',
    ...(issuedAt !== undefined && { issuedAt }),
    paid: received(payments),
    refunded: sum(back, (one) => (isChargeback(one) ? 0 : one.amount)),
    chargedBack: sum(back, (one) => (isChargeback(one) ? one.amount : 0)) - returned,
  };
}

/** A line with what determines who pays it. */
type PricedLine = {
  line: InvoiceLine;
  kind: ChargeKind;
  /** Window that the posting names. */
  window?: FolioWindow;
  /** Of the nights, or of the penalty for them: its amount is no fee. */
  isBase: boolean;
};

/** The part of a line that a party pays, if there is any. */
function linesOfParty(reservation: Reservation, priced: PricedLine, party: InvoiceParty): PricedLine[] {
  const percent = sharerPercent(reservation, priced.kind, priced.window);
  if (percent === 0 || percent === 100) return (percent === 100) === (party === 'SHARER') ? [priced] : [];
  const part = shareOfLine(priced.line, percent, reservation.currency);
  const line = party === 'SHARER' ? part : lineWithout(priced.line, part);
  return line.amount === 0 && line.taxes === 0 ? [] : [{ ...priced, line }];
}

/** All lines of the price; fees by night. */
function pricedLines(reservation: Reservation): PricedLine[] {
  const { cancellation, nights, stay } = reservation;
  if (cancellation)
    return linesOfPenalty(reservation, cancellation).map((line) => ({ line, kind: 'PENALTY', isBase: true }));
  return [
    ...nights.flatMap((night) => linesOfNightOnly(stay.roomType, night)).map(ofRoom),
    ...nights.flatMap((night) => linesOfFees(stay.checkIn, night)),
    ...linesOfCharges(reservation),
  ];
}

const ofRoom = (line: InvoiceLine): PricedLine => ({ line, kind: 'ROOM', isBase: true });

function linesOfNightOnly(roomType: string, night: Night): InvoiceLine[] {
  const { room, surcharge } = partsOfNight(night);
  const { day } = night;
  const taxLines = linesOfNight(room).filter(({ fee }) => !fee);
  const description = nightDescription(roomType, night);
  const { rate: amount, taxes } = room;
  const line: InvoiceLine = { day, description, amount, taxes, code: 'NIGHT', taxLines };
  return surcharge ? [line, upgradeLine(day, roomType, surcharge)] : [line];
}

function linesOfFees(day: Day, night: Night): PricedLine[] {
  const { fees: amount } = night;
  const taxLines = linesOfNight(night).filter(({ fee }) => fee);
  const line = { day, description: 'Fees', amount, taxes: 0, code: FEES, taxLines };
  return amount === 0 ? [] : [{ line, kind: 'FEE', isBase: false }];
}

/** Code of the line of fees: one for all nights, in the place of the first. */
const FEES = 'FEES';

function withOneLineOfFees(lines: readonly InvoiceLine[]): InvoiceLine[] {
  const all = lines.filter(({ code }) => code === FEES);
  const [first] = all;
  if (!first) return [...lines];
  const amount = sum(all, (one) => one.amount);
  const taxLines = mergedLines(all.flatMap((one) => one.taxLines ?? []));
  return lines.flatMap((line) => {
    if (line === first) return [{ ...first, amount, taxLines }];
    return line.code === FEES ? [] : [line];
  });
}

function upgradeLine(day: Day, roomType: string, surcharge: Surcharge): InvoiceLine {
  const { rate: amount, taxes } = surcharge;
  const taxLines = linesOfSurcharge(surcharge);
  return { day, description: upgradeDescription(roomType), amount, taxes, code: 'UPGRADE', taxLines };
}

function linesOfPenalty(reservation: Reservation, { penalty, policyName, day }: Cancellation): InvoiceLine[] {
  const what = reservation.status === 'NO_SHOW' ? 'No-show' : 'Cancellation';
  const { nights, currency } = reservation;
  const { revenue: amount, taxes } = penaltyParts(penalty, nights, currency);
  const taxLines = shareOfTaxes(taxes, nights, currency);
  const line = { day, description: `${what}, ${policyName}`, amount, taxes, code: 'PENALTY', taxLines };
  return penalty > 0 ? [line] : [];
}

function linesOfCharges(reservation: Reservation): PricedLine[] {
  return billedCharges(reservation).map((charge) => {
    const { code, day, description, amount, taxes = 0, taxLines, window } = charge;
    const line = {
      day,
      description,
      amount: amount - taxes,
      taxes,
      ...(code !== undefined && { code }),
      ...(taxLines && { taxLines }),
    };
    return { line, kind: kindOfCharge(charge), ...(window && { window }), isBase: false };
  });
}
