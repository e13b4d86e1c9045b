import { hash } from 'node:crypto';

import { paymentGatewayOf } from '../../../kernel/operations/payment-gateway-of.ts';
import type { Services } from '../../../kernel/operations/services.ts';
import type { Caller } from '../../../kernel/rules/caller.ts';
import type { Minor } from '../../../kernel/rules/money.ts';
import { businessDate } from '../../../kernel/rules/property-time.ts';
import { takeCard } from '../../../money/operations/take-card.ts';
import { takePayment } from '../../../money/operations/take-payment.ts';
import { totals } from '../../../money/rules/night.ts';
import { clockOf, type Property } from '../../../properties/rules/property.ts';
import { depositOf, guaranteeOf } from '../../rules/guarantee.ts';
import type { Reservation } from '../../rules/reservation.ts';
import { afterTwin, type OnlineBooking } from './online-booking.ts';

/** State of a booking for its guest. */
type OnlineState = 'WAITING' | 'BOOKED' | 'EXPIRED' | 'CANCELLED';

/** Whether a booking waits for its payment, stands, or is over. One room that stands makes it stand. */
export function bookingState({ reservations }: Pick<OnlineBooking, 'reservations'>, now: number): OnlineState {
  if (reservations.some((one) => isWaiting(one, now))) return 'WAITING';
  const open = reservations.filter(({ status }) => status !== 'CANCELLED' && status !== 'PENDING');
  if (open.length > 0) return 'BOOKED';
  const isExpired = reservations.some(
    ({ status, cancellation }) => status === 'PENDING' || cancellation?.reason === 'HOLD_EXPIRED',
  );
  return isExpired ? 'EXPIRED' : 'CANCELLED';
}

/** Whether a room is held for a payment that has not come. */
export function isWaiting({ status, holdExpiresAt }: Reservation, now: number): boolean {
  return status === 'PENDING' && holdExpiresAt !== undefined && now < holdExpiresAt;
}

/** What a room has to pay for its confirmation; nothing where a card as a guarantee is enough. */
export function amountDueNow(reservation: Reservation, property: Property, now: number): Minor {
  const { policies } = property.metadata;
  const today = businessDate(now, clockOf(property));
  if (guaranteeOf(reservation, policies).kind === 'CARD') return 0;
  return depositOf(reservation, totals(reservation.nights).total, policies, today) - reservation.paid;
}

/**
 * Pays for every room that waits, or gives the card that guarantees it. One attempt is charged once, however often it
 * is sent: its key is that of the reservation and of the declined attempts before it.
 * @throws DomainError PAYMENT_DECLINED: the rooms stay held; PARTNER_UNAVAILABLE
 */
export async function payOnline(
  services: Services,
  caller: Caller,
  { reservations, property }: OnlineBooking,
  cardToken: string,
): Promise<void> {
  const now = services.clock.now();
  const waiting = reservations.filter((one) => isWaiting(one, now));
  // A token of the provider is good for one charge; a card that it has taken, for several.
  const to = { tenantId: caller.tenantId, propertyId: property.propertyId };
  const isTakenFirst = waiting.length > 1 && paymentGatewayOf(services, to).hasRealCards;
  const card = isTakenFirst ? await takeCard(services, to, cardToken) : cardToken;
  for (const reservation of waiting) {
    const amount = amountDueNow(reservation, property, now);
    const declined = reservation.payments.filter(({ status }) => status === 'FAILED').length;
    const key = {
      key: `pay-${reservation.id}-${declined}`,
      fingerprint: hash('sha256', `${reservation.id} ${amount} ${cardToken}`, 'hex'),
    };
    const paid = { method: 'CREDIT_CARD' as const, cardToken: card, ...(amount > 0 && { amount }) };
    await afterTwin(() => takePayment(services, caller, reservation.id, paid, { key }));
  }
}
