import type { Day } from './dates.ts';
import { folioTotals } from './folio.ts';
import type { Minor } from './money.ts';
import type { Instant } from './property-time.ts';
import type { Reservation } from './reservation.ts';

/** One line: a night, the fees of the stay, or something charged beside them. */
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
  paid: Minor;
  balance: Minor;
};

/** A reservation has one invoice, numbered after it: lines add up to its totals to the cent. */
export function invoiceOf(reservation: Reservation): Invoice {
  const { confirmationNumber, stay, nights, charges = [], paid, checkOut } = reservation;
  const lines: InvoiceLine[] = nights.map(({ day, rate, taxes }) => ({
    ...{ day, description: `Night, ${stay.roomType}`, amount: rate, taxes, code: 'NIGHT' },
  }));
  const fees = nights.reduce((sum, night) => sum + night.fees, 0);
  if (fees !== 0) lines.push({ day: stay.checkIn, description: 'Fees', amount: fees, taxes: 0, code: 'FEES' });
  for (const { code, day, description, amount } of charges)
    lines.push({ day, description, amount, taxes: 0, ...(code !== undefined && { code }) });
  const { base, taxes, fees: others, total } = folioTotals(reservation);
  return {
    ...{ number: `INV-${confirmationNumber}`, status: checkOut ? 'ISSUED' : 'PRO_FORMA', lines },
    ...(checkOut && { issuedAt: checkOut.at }),
    ...{ subtotal: base, taxes, fees: others, total, paid, balance: total - paid },
  };
}
