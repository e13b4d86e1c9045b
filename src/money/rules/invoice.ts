import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Cancellation, Reservation } from '../../stay/rules/reservation.ts';
import { isChargeback, isGivenUp } from './charges.ts';
import type { InvoicedCompany } from './company.ts';
import { billedCharges, folioTotals } from './folio.ts';
import type { Surcharge } from './night.ts';
import { penaltyParts } from './penalty.ts';
import { windowsOf } from './postings.ts';
import { linesOfSurcharge, nightDescription, partsOfNight, upgradeDescription } from './surcharge.ts';
import { linesOfNight, shareOfTaxes, type TaxLine, taxLinesOf } from './taxes.ts';

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
  /** Of a company. */
  companyId?: string;
  vatId?: string;
};

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

/** Line of an invoice to a company that names the guest; none of an erased guest. */
export function guestLinesOf({ guest, stay }: Pick<Reservation, 'guest' | 'stay'>): InvoiceLine[] {
  const description = `${guest.firstName} ${guest.lastName}`.trim();
  return description === '' ? [] : [{ day: stay.checkIn, description, amount: 0, taxes: 0, code: GUEST_NAME }];
}

/** Time of issue: at departure, or when a penalty came due; `undefined` while it is an offer. */
export function issuedAtOf(reservation: Reservation): Instant | undefined {
  const { checkOut, cancellation } = reservation;
  return checkOut?.at ?? (cancellation && hasPenalty(cancellation) ? cancellation.cancelledAt : undefined);
}

/**
 * Current invoice of a reservation: its lines sum to its totals to the cent. A no-show owes the penalty and no night.
 * The number is that of an offer, or of an invoice of release 0.1.0; issued documents get a number of the property's
 * sequence (docs/reference/invoices.md#numbers).
 */
export function invoiceOf(reservation: Reservation): Invoice {
  const { confirmationNumber, payments, paid, cancellation } = reservation;
  const issuedAt = issuedAtOf(reservation);
  const back = payments.filter((payment) => payment.type === 'REFUND' && !isGivenUp(payment));
  const refunded = sum(back, (one) => (isChargeback(one) ? 0 : one.amount));
  const returned = sum(payments, ({ regains, amount }) => (regains === undefined ? 0 : amount));
  const chargedBack = sum(back, (one) => (isChargeback(one) ? one.amount : 0)) - returned;
  const { base: subtotal, taxes, fees, total } = folioTotals(reservation);
  const lines = cancellation ? linesOfPenalty(reservation, cancellation) : linesOfStay(reservation);
  return {
    number: `INV-${confirmationNumber}`,
    status: issuedAt === undefined ? 'PRO_FORMA' : 'ISSUED',
    ...(issuedAt !== undefined && { issuedAt }),
    lines,
    subtotal,
    taxes,
    fees,
    total,
    paid,
    refunded,
    chargedBack,
    balance: total - paid,
  };
}

function linesOfStay(reservation: Reservation): InvoiceLine[] {
  const { stay, nights } = reservation;
  const lines: InvoiceLine[] = nights.flatMap((night) => {
    const { room, surcharge } = partsOfNight(night);
    const { day } = night;
    const { rate, taxes } = room;
    const taxLines = linesOfNight(room).filter(({ fee }) => !fee);
    const description = nightDescription(stay.roomType, night);
    const ofRoom = { day, description, amount: rate, taxes, code: 'NIGHT', taxLines };
    return surcharge ? [ofRoom, upgradeLine(day, stay.roomType, surcharge)] : ofRoom;
  });
  const amount = sum(nights, (night) => night.fees);
  const taxLines = taxLinesOf(nights).filter(({ fee }) => fee);
  if (amount !== 0) lines.push({ day: stay.checkIn, description: 'Fees', amount, taxes: 0, code: 'FEES', taxLines });
  return [...lines, ...linesOfCharges(reservation)];
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

function linesOfCharges(reservation: Reservation): InvoiceLine[] {
  return billedCharges(reservation).map(({ code, day, description, amount, taxes = 0, taxLines }) => ({
    day,
    description,
    amount: amount - taxes,
    taxes,
    ...(code !== undefined && { code }),
    ...(taxLines && { taxLines }),
  }));
}
