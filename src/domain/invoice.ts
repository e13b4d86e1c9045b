import { isGivenUp } from './charges.ts';
import type { Day } from './dates.ts';
import { folioTotals } from './folio.ts';
import type { Minor } from './money.ts';
import type { Instant } from './property-time.ts';
import type { Cancellation, Reservation, ReservationStatus } from './reservation.ts';

/** One line: a night, the fees of the stay, something charged beside them, or the penalty of a stay that was not. */
export type InvoiceLine = { day: Day; description: string; amount: Minor; taxes: Minor; code?: string };

/** What a guest has to pay and has paid (specification 2.3, invoices). Until he has left it is an offer of one. */
export type Invoice = {
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

/** To whom an invoice was issued, as tax law wants it kept. */
export type IssuedTo = { name: string; address: NonNullable<Reservation['billing']>['address'] | null };

/** To whom the invoice of a reservation goes: by its billing address, else to the guest. */
export function issuedTo({ guest, billing }: Pick<Reservation, 'guest' | 'billing'>): IssuedTo {
  const { address } = billing ?? {};
  return { name: address?.name ?? `${guest.firstName} ${guest.lastName}`, address: address ?? null };
}

/**
 * A reservation has one invoice, numbered after it: lines add up to its totals to the cent. Who never came owes the
 * penalty and no night.
 */
export function invoiceOf(reservation: Reservation): Invoice {
  const { confirmationNumber, payments, paid, checkOut, cancellation } = reservation;
  const issuedAt = checkOut?.at ?? cancellation?.cancelledAt;
  const refunds = payments.filter((payment) => payment.type === 'REFUND' && !isGivenUp(payment));
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0);
  const what = cancellation ? ofPenalty(reservation.status, cancellation) : ofStay(reservation);
  return {
    ...{ number: `INV-${confirmationNumber}`, status: issuedAt === undefined ? 'PRO_FORMA' : 'ISSUED' },
    ...(issuedAt !== undefined && { issuedAt }),
    ...{ ...what, paid, refunded, balance: what.total - paid },
  };
}

type Billed = Pick<Invoice, 'lines' | 'subtotal' | 'taxes' | 'fees' | 'total'>;

function ofStay(reservation: Reservation): Billed {
  const { stay, nights, charges = [] } = reservation;
  const lines: InvoiceLine[] = nights.map(({ day, rate, taxes }) => ({
    ...{ day, description: `Night, ${stay.roomType}`, amount: rate, taxes, code: 'NIGHT' },
  }));
  const fees = nights.reduce((sum, night) => sum + night.fees, 0);
  if (fees !== 0) lines.push({ day: stay.checkIn, description: 'Fees', amount: fees, taxes: 0, code: 'FEES' });
  for (const { code, day, description, amount } of charges)
    lines.push({ day, description, amount, taxes: 0, ...(code !== undefined && { code }) });
  const { base, taxes, fees: others, total } = folioTotals(reservation);
  return { lines, subtotal: base, taxes, fees: others, total };
}

/** A penalty is one amount, gross, as it was taken. */
function ofPenalty(status: ReservationStatus, { penalty, policyName, day }: Cancellation): Billed {
  const what = status === 'NO_SHOW' ? 'No-show' : 'Cancellation';
  const line = { day, description: `${what}, ${policyName}`, amount: penalty, taxes: 0, code: 'PENALTY' };
  return { lines: penalty > 0 ? [line] : [], subtotal: 0, taxes: 0, fees: penalty, total: penalty };
}
