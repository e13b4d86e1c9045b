import { guestKeys } from '../../src/guests/rules/guest-keys.ts';
import { formatDay } from '../../src/kernel/rules/dates.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import { totals } from '../../src/money/rules/night.ts';
import type { Payment } from '../../src/money/rules/payment.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';

/** Identity of a repeated create, and the hold that its answer waits for. */
export type Claim = { subject: string; key: string; fingerprint: string; holdId: string };

/** Parameters of WRITE_HOLD after tenant and property. */
export function holdRows(
  pending: Reservation,
  attempt: Payment,
  claim: Claim,
  wrappedKey: string | undefined,
): unknown[] {
  const { guest, stay } = pending;
  const { emailKey, lastNameKey } = guestKeys(guest);
  const { subject, key, fingerprint, holdId } = claim;
  return [
    subject,
    key,
    fingerprint,
    holdId,
    new Date(pending.createdAt),
    guest.guestId,
    guest.email,
    emailKey,
    guest.firstName,
    guest.lastName,
    lastNameKey,
    guest.phone,
    guest.preferences,
    wrappedKey,
    attempt.paymentId,
    pending.id,
    decimal(attempt.amount),
    pending.currency,
    attempt.method,
    stay.roomType,
    formatDay(stay.checkIn),
    formatDay(stay.checkOut),
    { booking: { reservation: pending, attempt }, key: { subject, key, fingerprint, ref: holdId } },
  ];
}

/** Parameters of WRITE_BOOKING after tenant and property. */
export function bookingRows(reservation: Reservation, payment: Payment, claim: Claim): unknown[] {
  const { stay, guest, nights, source, specialRequests, billing, timeline } = reservation;
  const { base, taxes, fees, total } = totals(nights);
  return [
    reservation.id,
    reservation.confirmationNumber,
    guest.guestId,
    formatDay(stay.checkIn),
    formatDay(stay.checkOut),
    stay.checkOut - stay.checkIn,
    stay.adults,
    stay.children,
    stay.roomType,
    stay.rateCode,
    decimal(total),
    decimal(base),
    decimal(taxes),
    decimal(fees),
    reservation.currency,
    source.channel,
    reservation.cancellationPolicy,
    JSON.stringify(specialRequests),
    { guest, nights, source, billing, timeline },
    new Date(reservation.updatedAt),
    claim.subject,
    payment.transactionId,
    payment.paymentId,
    claim.holdId,
    { result: { reservation }, seq: 0 },
    claim.key,
  ];
}

function decimal(amount: Minor): number {
  return amount / 100;
}
