import { v7 as uuidv7 } from 'uuid';

import { sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { paymentProcessed } from '../contracts/taken-events.ts';
import { InvalidRecord } from '../rules/invalid-record.ts';
import { asInvalidRecord, CONSUMER, fieldsOf, type Taken, type TakenEvent, tenantOfEvent } from './taken-event.ts';

/**
 * Consumes the result of a payment that a reservation waits for (`payment.processed`,
 * docs/concepts/events.md#payments-from-events): SUCCESS counts as paid, and confirms once the deposit is complete;
 * FAILED is recorded in the timeline; PENDING changes nothing; CHARGEBACK has the amount that the card issuer has taken
 * back of the payment in total, CHARGEBACK_WON what it has returned of that. The actor decides, once for each event; a
 * payment that arrives too late is refunded.
 * @throws InvalidRecord; DomainError of a retryable failure
 */
export async function takePaymentResult(
  services: Pick<Services, 'properties' | 'openPayments' | 'reservations'>,
  event: TakenEvent,
): Promise<Taken> {
  const tenantId = tenantOfEvent(event);
  const {
    eventId,
    timestamp: at,
    paymentId,
    amount,
    currency,
    status,
    reservationId,
  } = fieldsOf(paymentProcessed, event);
  const found = await services.openPayments.reservationOf(tenantId, paymentId);
  if (!found || (reservationId !== null && reservationId.toLowerCase() !== found.reservationId))
    throw new InvalidRecord('UNKNOWN_PAYMENT', 'the tenant has no such payment');
  // The attempt of a booking in progress is ended by the request that charges it.
  if (!(await services.reservations.propertyOf(tenantId, found.reservationId))) return { effect: 'none' };
  if (status === 'PENDING') return { effect: 'none' };
  if (status === 'CHARGEBACK' || status === 'CHARGEBACK_WON')
    return takeChargeback(services, found, { eventId, amount, currency, status }, event.topic);
  const result = { paymentId: found.paymentId, eventId, status, amount, currency, at, refundId: uuidv7() };
  const command = { type: 'TAKE_PAYMENT_RESULT' as const, reservationId: found.reservationId, ...result };
  const key = { key: eventId, fingerprint: event.topic, ref: '' };
  try {
    const reply = await sendAlways(services, { subject: CONSUMER, requestId: eventId }, found.to, command, key);
    return { effect: reply.result.taken && !reply.replayed ? 'taken' : 'none' };
  } catch (error) {
    throw asInvalidRecord(error);
  }
}

type Disputed = { eventId: string; amount: Minor; currency: string; status: 'CHARGEBACK' | 'CHARGEBACK_WON' };
type Found = NonNullable<Awaited<ReturnType<Services['openPayments']['reservationOf']>>>;

/**
 * Reported again, under whatever id, it changes nothing: the amount is that of all chargebacks, or all returns, of the
 * payment.
 */
async function takeChargeback(
  services: Pick<Services, 'properties'>,
  { to, reservationId, paymentId }: Found,
  { eventId, amount: inTotal, currency, status }: Disputed,
  fingerprint: string,
): Promise<Taken> {
  const said = { inTotal, currency, reason: 'Reported by the payment provider', by: CONSUMER };
  const which = { reservationId, paymentId, ...said };
  const command =
    status === 'CHARGEBACK'
      ? { type: 'CHARGE_BACK' as const, chargebackId: uuidv7(), ...which }
      : { type: 'WIN_CHARGEBACK' as const, returnId: uuidv7(), ...which };
  const by = { subject: CONSUMER, requestId: eventId };
  try {
    const reply = await sendAlways(services, by, to, command, { key: eventId, fingerprint, ref: '' });
    return { effect: reply.result.payment && !reply.replayed ? 'taken' : 'none' };
  } catch (error) {
    throw asInvalidRecord(error);
  }
}
