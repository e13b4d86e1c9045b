import { createHash } from 'node:crypto';

import { guestKeys } from '../../guests/rules/guest-keys.ts';
import { idFrom } from '../../kernel/operations/id-from.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { businessDate, type Instant } from '../../kernel/rules/property-time.ts';
import { isCard } from '../../money/rules/charges.ts';
import { totals } from '../../money/rules/night.ts';
import type { Payment } from '../../money/rules/payment.ts';
import { clockOf } from '../../properties/rules/property.ts';
import { confirmationNumber } from '../../stay/rules/confirmation-number.ts';
import type { ImportedStay } from '../../stay/rules/imported-stay.ts';
import type { GuestLine, PaymentLine, ReservationLine } from '../rules/reservation-line.ts';

/** A reservation of an import with what other files say of it. */
export type WholeLine = ReservationLine & { payments: PaymentLine[] };

/** The id of an imported reservation: the same line of the same property has the same, whichever import brings it. */
export const importedId = ({ tenantId, propertyId }: Address, externalId: string): string =>
  idFrom(['import', tenantId, propertyId, externalId]);

/**
 * Hash of what a line says of a stay and its money. Names and addresses have no part in it, since it is stored; nor have
 * moments, which are those of the import where a file leaves them out.
 */
export function fingerprintOf(line: WholeLine): string {
  const { status, checkIn, checkOut, roomType, rateCode, adults, children, nights, retained } = line;
  const { roomNumber, channel, collectedBy } = line;
  const payments = line.payments.map(({ externalId, amount, method, reference }) => [
    externalId,
    amount,
    method,
    reference,
  ]);
  const stay = [status, checkIn, checkOut, roomType, rateCode, adults, children, roomNumber, channel, collectedBy];
  const text = JSON.stringify([stay, nights, retained, payments]);
  return createHash('sha256').update(text).digest('base64url');
}

/** What a line costs and what was paid for it. */
export function figuresOfLine({ nights, status, retained, payments }: WholeLine): { charges: Minor; paid: Minor } {
  const isOver = status === 'CANCELLED' || status === 'NO_SHOW';
  return { charges: isOver ? retained : totals(nights).total, paid: sum(payments, ({ amount }) => amount) };
}

type Making = { to: Address; view: PropertyView; now: Instant; isFree: boolean; attempt: number };

/** Lines as their property stores them: guests are found or get a profile, payments are external ones. */
export async function importedStays(
  { guests }: Pick<Services, 'guests'>,
  lines: readonly { line: WholeLine; ifVersion?: number }[],
  making: Making,
): Promise<ImportedStay[]> {
  const { to } = making;
  const known = new Map<string, ReturnType<typeof guests.identify>>();
  const identityOf = (guest: GuestLine): ReturnType<typeof guests.identify> => {
    const name = Object.values(guestKeys(guest)).join(' ');
    const identity = known.get(name) ?? guests.identify(to.tenantId, guest);
    // Nobody knows whether two guests without an address are one.
    if (guest.email !== '') known.set(name, identity);
    return identity;
  };
  return Promise.all(
    lines.map(async ({ line, ifVersion }) => {
      const { guestId, wrappedKey } = await identityOf(line.guest);
      const stay = stayOfLine(line, making);
      return {
        ...stay,
        guest: { guestId, ...line.guest },
        ...(wrappedKey !== undefined && { wrappedKey }),
        ...(ifVersion !== undefined && { ifVersion }),
      };
    }),
  );
}

function stayOfLine(line: WholeLine, { to, view, now, isFree, attempt }: Making): Omit<ImportedStay, 'guest'> {
  const { externalId, roomType, rateCode, checkIn, checkOut, adults, children, channel, collectedBy } = line;
  const { status, nights, retained, bookedAt, arrivedAt, departedAt, endedAt, roomNumber, specialRequests } = line;
  const reservationId = importedId(to, externalId);
  const payments = line.payments.map((one, n) => paymentOf(one, n, { reservationId, line, now }));
  const clock = clockOf(view.setup.property);
  const days = payments.map(({ paymentId, createdAt }): [string, Day] => [paymentId, businessDate(createdAt, clock)]);
  return {
    reservationId,
    confirmationNumber: numberOf(reservationId, attempt),
    stay: { roomType, rateCode, checkIn, checkOut, adults, children },
    status,
    nights,
    retained,
    payments,
    paymentDays: Object.fromEntries(days),
    source: { channel, externalId, ...(collectedBy && { collectedBy }) },
    specialRequests,
    bookedAt,
    arrivedAt,
    departedAt,
    endedAt,
    ...(roomNumber !== undefined && { roomNumber }),
    isFree,
  };
}

/** Another number for another attempt: the one before may be taken. */
function numberOf(reservationId: string, attempt: number): string {
  return confirmationNumber(createHash('sha256').update(`${reservationId} ${attempt}`).digest());
}

type OfPayment = { reservationId: string; line: WholeLine; now: Instant };

/**
 * A payment that was made before. No provider knows it, so that a card payment is recorded as one of a terminal: it is
 * refunded by hand.
 */
function paymentOf(one: PaymentLine, n: number, { reservationId, line, now }: OfPayment): Payment {
  const { externalId, amount, method, at = line.arrivedAt, reference } = one;
  const paymentId = idFrom(['import', reservationId, externalId ?? n]);
  const moment = Math.min(at, now);
  const isByCard = isCard(method) || method === 'TERMINAL' || method === 'CARD_ON_FILE';
  return {
    paymentId,
    type: amount < 0 ? 'REFUND' : 'CHARGE',
    amount: Math.abs(amount),
    method: isByCard ? 'TERMINAL' : method,
    status: 'COMPLETED',
    transactionId: reference ?? `import-${paymentId}`,
    ...(isByCard && amount > 0 && { terminal: { reference: `import-${paymentId}` } }),
    processedAt: moment,
    createdAt: moment,
  };
}
