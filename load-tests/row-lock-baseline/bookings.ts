import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

import { factOf } from '../../actors/property/facts.ts';
import type { GuestDirectory } from '../../src/guests/ports.ts';
import type { Caller } from '../../src/kernel/rules/caller.ts';
import { formatDay } from '../../src/kernel/rules/dates.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { percentOf } from '../../src/kernel/rules/money.ts';
import type { PaymentGateway } from '../../src/money/ports.ts';
import { type Night, totals } from '../../src/money/rules/night.ts';
import type { Payment } from '../../src/money/rules/payment.ts';
import { partyOfPersons } from '../../src/rates/rules/stay.ts';
import type { CreateBody } from '../../src/stay/contracts/reservations.ts';
import { confirmationNumber } from '../../src/stay/rules/confirmation-number.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';
import type { RowLocks } from './row-locks.ts';
import { bookingRows, holdRows } from './rows.ts';

type Key = { key: string; fingerprint: string };

export type Parts = {
  locks: RowLocks;
  guests: GuestDirectory;
  payments: PaymentGateway;
  /** In minor units, by night. */
  prices: ReadonlyMap<string, number>;
  taxPercent: number;
};

/** Hold, pay, confirm: the same two commits as a create of the service, without an actor. */
export async function book(
  parts: Parts,
  caller: Caller,
  body: CreateBody,
  { key, fingerprint }: Key,
): Promise<{ reservation: Reservation; seq: number }> {
  const { tenantId, subject, requestId } = caller;
  const place = { tenantId, propertyId: body.propertyId };
  const { guestId, wrappedKey, seal } = await parts.guests.identify(tenantId, body.guestInfo);
  const pending = pendingReservation(parts, body, guestId);
  const personal = { guestId, name: seal(`${body.guestInfo.firstName} ${body.guestInfo.lastName}`) };
  const attempt = attemptOf(pending);
  const claim = { subject, key, fingerprint, holdId: uuidv7() };
  const common = { stay: pending.stay, entity: pending.id, subject, requestId };
  await parts.locks.commit(place, {
    ...common,
    type: 'START_BOOKING',
    rows: holdRows(pending, attempt, claim, wrappedKey),
    facts: { bookings: [factOf('HELD', pending)] },
  });
  const payment = await charged(parts, pending, attempt, body.paymentDetails?.cardToken ?? '');
  const reservation = confirmed(pending, payment, subject);
  const seq = await parts.locks.commit(place, {
    ...common,
    type: 'CONFIRM_BOOKING',
    rows: bookingRows(reservation, payment, claim),
    facts: { bookings: [factOf('CREATED', reservation)], personal: personal.name },
  });
  return { reservation, seq };
}

async function charged(parts: Parts, pending: Reservation, attempt: Payment, cardToken: string): Promise<Payment> {
  const { amount, paymentId: attemptId } = attempt;
  const charge = await parts.payments.charge({ attemptId, amount, currency: pending.currency, cardToken });
  if (charge.outcome === 'DECLINED') throw new DomainError('PAYMENT_DECLINED', charge.reason);
  const { transactionId, processedAt } = charge;
  return { ...attempt, status: 'COMPLETED', transactionId, processedAt };
}

function pendingReservation({ prices, taxPercent }: Parts, body: CreateBody, guestId: string): Reservation {
  const { guestInfo, stayDetails, paymentDetails, specialRequests, source } = body;
  const { checkIn, checkOut, adults, children, roomType, rateCode } = stayDetails;
  const nights: Night[] = [];
  for (let day = checkIn; day < checkOut; day += 1) {
    const rate = prices.get(formatDay(day));
    if (rate === undefined) throw new DomainError('NO_RATE', `No rate is set for the night of ${formatDay(day)}.`);
    nights.push({ day, rate, taxes: percentOf(rate, taxPercent), fees: 0 });
  }
  const now = Date.now();
  return {
    id: uuidv7(),
    propertyId: body.propertyId,
    confirmationNumber: confirmationNumber(randomBytes(9)),
    status: 'PENDING',
    guest: { guestId, ...guestInfo },
    stay: { roomType, checkIn, checkOut, ...partyOfPersons(adults, children), rateCode },
    nights,
    currency: 'EUR',
    cancellationPolicy: 'STANDARD',
    paid: 0,
    payments: [],
    source,
    specialRequests,
    billing: paymentDetails && { method: paymentDetails.method, address: paymentDetails.billingAddress },
    timeline: [],
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

function attemptOf(pending: Reservation): Payment {
  const amount = totals(pending.nights).total;
  const method = pending.billing?.method ?? null;
  return { paymentId: uuidv7(), type: 'CHARGE', amount, method, status: 'PROCESSING', createdAt: Date.now() };
}

function confirmed(pending: Reservation, payment: Payment, by: string): Reservation {
  const now = Date.now();
  const created = { event: 'CREATED', timestamp: now, status: 'CONFIRMED' as const, by };
  const status = 'CONFIRMED';
  return { ...pending, status, paid: payment.amount, payments: [payment], timeline: [created], updatedAt: now };
}
