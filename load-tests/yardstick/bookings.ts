import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { CreateBody } from '../../src/contracts/reservations.ts';
import type { Caller } from '../../src/domain/caller.ts';
import { confirmationNumber } from '../../src/domain/confirmation-number.ts';
import { formatDay } from '../../src/domain/dates.ts';
import { percentOf } from '../../src/domain/money.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { type Night, type Payment, type Reservation, totals } from '../../src/domain/reservation.ts';
import type { GuestDirectory } from '../../src/ports/guest-directory.ts';
import type { PaymentGateway } from '../../src/ports/payments.ts';
import type { Changes } from '../../src/ports/property-store.ts';
import type { RowLocks } from './row-locks.ts';

type Key = { key: string; fingerprint: string };

export type Parts = {
  locks: RowLocks;
  guests: GuestDirectory;
  payments: PaymentGateway;
  /** In minor units, by night. */
  prices: ReadonlyMap<string, number>;
  taxPercent: number;
};

const PAYING_MS = 120_000;

/** Hold, pay, confirm: what our create does, in the same two commits, without an actor. */
export async function book(parts: Parts, caller: Caller, body: CreateBody, key: Key | undefined) {
  const { tenantId, subject, requestId } = caller;
  const place = { tenantId, propertyId: body.propertyId };
  const identity = await parts.guests.identify(tenantId, body.guestInfo);
  const pending = pendingReservation(parts, body, identity.guestId);
  const personal = {
    guestId: identity.guestId,
    name: identity.seal(`${body.guestInfo.firstName} ${body.guestInfo.lastName}`),
  };
  const attempt = attemptOf(pending);
  const holdId = uuidv7();
  const { wrappedKey } = identity;
  const common = { stay: pending.stay, entity: pending.id, subject, requestId };
  await parts.locks.commit(place, {
    ...common,
    type: 'START_BOOKING',
    held: 1,
    booked: 0,
    keys: key ? [{ ...key, subject, ref: holdId, phase: 'claim' }] : [],
    facts: { bookings: [factOf('HELD', pending)], personal },
    changes: {
      ...noChanges(pending.currency),
      guests: [{ guest: pending.guest, wrappedKey }],
      payments: [{ reservationId: pending.id, payment: attempt }],
      holds: [
        {
          id: holdId,
          kind: 'PAYING',
          roomType: pending.stay.roomType,
          checkIn: pending.stay.checkIn,
          checkOut: pending.stay.checkOut,
          rooms: 1,
          expiresAt: Date.now() + PAYING_MS,
          createdAt: Date.now(),
          reservationId: pending.id,
          booking: { reservation: pending, attempt, personal },
          key: key && { ...key, subject, ref: holdId },
        },
      ],
    },
  });
  const { amount, paymentId: attemptId } = attempt;
  const { currency } = pending;
  const cardToken = body.paymentDetails?.cardToken ?? '';
  const charge = await parts.payments.charge({ attemptId, amount, currency, cardToken });
  if (charge.outcome === 'DECLINED') throw new Refusal('PAYMENT_DECLINED', charge.reason);
  const { transactionId, processedAt } = charge;
  const payment: Payment = { ...attempt, status: 'COMPLETED', transactionId, processedAt };
  const reservation = confirmed(pending, payment, subject);
  const seq = await parts.locks.commit(place, {
    ...common,
    type: 'CONFIRM_BOOKING',
    held: -1,
    booked: 1,
    keys: key ? [{ ...key, subject, ref: holdId, phase: 'end', answer: { result: { reservation }, seq: 0 } }] : [],
    facts: { bookings: [factOf('CREATED', reservation)], personal },
    changes: {
      ...noChanges(currency),
      reservations: [reservation],
      payments: [{ reservationId: reservation.id, payment }],
      history: [{ reservationId: reservation.id, from: null, to: 'CONFIRMED', at: Date.now(), by: subject }],
      holdsRemoved: [holdId],
    },
  });
  return { reservation, seq };
}

function pendingReservation({ prices, taxPercent }: Parts, body: CreateBody, guestId: string): Reservation {
  const { guestInfo, stayDetails, paymentDetails, specialRequests, source } = body;
  const { checkIn, checkOut, adults, children, roomType, rateCode } = stayDetails;
  const nights: Night[] = [];
  for (let day = checkIn; day < checkOut; day += 1) {
    const rate = prices.get(formatDay(day));
    if (rate === undefined) throw new Refusal('NO_RATE', `No rate is set for the night of ${formatDay(day)}.`);
    nights.push({ day, rate, taxes: percentOf(rate, taxPercent), fees: 0 });
  }
  const now = Date.now();
  return {
    id: uuidv7(),
    propertyId: body.propertyId,
    confirmationNumber: confirmationNumber(randomBytes(9)),
    status: 'PENDING',
    guest: { guestId, ...guestInfo },
    stay: { roomType, checkIn, checkOut, adults, children, rateCode },
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

function factOf(event: 'HELD' | 'CREATED', { stay, ...reservation }: Reservation) {
  return {
    event,
    reservationId: reservation.id,
    confirmationNumber: reservation.confirmationNumber,
    guestId: reservation.guest.guestId,
    roomType: stay.roomType,
    checkIn: stay.checkIn,
    checkOut: stay.checkOut,
    guests: stay.adults + stay.children,
    total: totals(reservation.nights).total,
    paid: reservation.paid,
    status: reservation.status,
    channel: reservation.source.channel,
  };
}

function noChanges(currency: string): Changes {
  const setUp = { roomTypes: [], roomTypesRemoved: [], rooms: [], roomsRemoved: [], plans: [], rates: [] };
  const bookings = {
    cells: [],
    reservations: [],
    payments: [],
    history: [],
    guests: [],
    holds: [],
    holdsRemoved: [],
  };
  return { ...setUp, ...bookings, currency };
}
