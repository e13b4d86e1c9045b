import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Cancellation, Reservation } from '../../stay/rules/reservation.ts';
import { isGivenUp } from './charges.ts';
import { billedCharges, folioTotals } from './folio.ts';
import type { Surcharge } from './night.ts';
import { penaltyParts } from './penalty.ts';
import { linesOfSurcharge, nightDescription, partsOfNight, upgradeDescription } from './surcharge.ts';
import { linesOfNight, shareOfTaxes, type TaxLine, taxLinesOf } from './taxes.ts';

/** One line: a night, the fees of the stay, something charged beside them, or the penalty of a stay that was not. */
export type InvoiceLine = {
  day: Day;
  description: string;
  amount: Minor;
  taxes: Minor;
  code?: string;
  /** Its taxes and fees by their codes. */
  taxLines?: TaxLine[];
};

/**
 * What a guest has to pay and has paid (docs/reference/reservations.md#balances). Until he has left it is an offer of
 * one.
 */
type Invoice = {
  number: string;
  status: 'ISSUED' | 'PRO_FORMA';
  issuedAt?: Instant;
  lines: InvoiceLine[];
  subtotal: Minor;
  taxes: Minor;
  /** Fees and everything charged beside the nights. */
  fees: Minor;
  total: Minor;
  /** What came and stayed. */
  paid: Minor;
  /** Of what came, what went back. */
  refunded: Minor;
  balance: Minor;
};

/** Recipient of an invoice, as tax law requires it to be stored. */
export type IssuedTo = { name: string; address: NonNullable<Reservation['billing']>['address'] | null };

/** Whether the end of a stay had a penalty, also if waived since: that is invoiced. */
function hasPenalty({ penalty, waived }: Cancellation): boolean {
  return penalty > 0 || waived !== undefined;
}

/** Recipient of the invoice of a reservation: its billing address, else the guest. */
export function issuedTo({ guest, billing }: Pick<Reservation, 'guest' | 'billing'>): IssuedTo {
  const { address } = billing ?? {};
  return { name: address?.name ?? `${guest.firstName} ${guest.lastName}`, address: address ?? null };
}

/**
 * When an invoice was issued: at the departure, or when a penalty came due; `undefined` while it is an offer of one.
 */
export function issuedAtOf(reservation: Reservation): Instant | undefined {
  const { checkOut, cancellation } = reservation;
  return checkOut?.at ?? (cancellation && hasPenalty(cancellation) ? cancellation.cancelledAt : undefined);
}

/**
 * What a reservation is to be invoiced for at this moment: lines add up to its totals to the cent. A no-show owes the
 * penalty and no night. The number is that of an offer, and of invoices of release 0.1.0; what is issued gets one of its
 * property (docs/reference/invoices.md#numbers).
 */
export function invoiceOf(reservation: Reservation): Invoice {
  const { confirmationNumber, payments, paid, cancellation } = reservation;
  const issuedAt = issuedAtOf(reservation);
  const refunds = payments.filter((payment) => payment.type === 'REFUND' && !isGivenUp(payment));
  const refunded = sum(refunds, ({ amount }) => amount);
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
  return billedCharges(reservation).map(({ code, day, description, amount, taxLines }) => ({
    day,
    description,
    amount,
    taxes: 0,
    ...(code !== undefined && { code }),
    ...(taxLines && { taxLines }),
  }));
}
