import { v7 as uuidv7 } from 'uuid';

import { oneAtATime } from '../../kernel/operations/one-at-a-time.ts';
import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId, ReservationId } from '../../kernel/rules/ids.ts';
import { NO_MONEY } from '../../kernel/rules/money.ts';
import type { PaymentBody } from '../contracts/payments.ts';
import { isCardWaitedFor, underWay } from '../rules/charges.ts';
import type { Payment, PaymentMethod } from '../rules/payment.ts';
import { chargeAttempt } from './charge-attempt.ts';
import { takeCard } from './take-card.ts';
import { tender } from './tender.ts';

type Paid = CommandResults['END_PAYMENT'];

/**
 * Takes a payment for a reservation (docs/concepts/money.md#payments): a card is charged, other methods are recorded as
 * received. A card without an amount for a reservation that waits for a card is taken as its guarantee, and nothing is
 * charged. After a 503, a request with the same key continues the same attempt.
 * @throws DomainError INVALID_STATE when nothing is due, PAYMENT_DECLINED, PAYMENT_METHOD_REQUIRED, CURRENCY_MISMATCH
 * for another currency that cannot be converted, TERMINAL_REFERENCE_TAKEN
 */
export async function takePayment(
  services: Services,
  caller: Caller,
  id: ReservationId,
  { method, cardToken, window, terminal, ...paid }: PaymentBody,
  options: { key?: ClientKey; ifVersion?: number } = {},
): Promise<Reply<Paid>> {
  const { key, ifVersion } = options;
  return oneAtATime(caller, key, async () => {
    const to = await addressOf(services, caller, id);
    const base = paid.currency === undefined ? '' : await currencyOf(services, to.tenantId, id);
    const foreign = await tender(services, to, { method, ...paid }, base);
    const mayBeGuarantee = cardToken !== undefined && paid.amount === undefined && window === undefined;
    if (mayBeGuarantee && (await waitsForCard(services, to, id)))
      return takeGuarantee(services, caller, to, { reservationId: id, method, cardToken, ...options });
    const card = method === 'CARD_ON_FILE' ? await cardOnFile(services, to.tenantId, id) : cardToken;
    const { amount, tendered, noRate } = foreign ?? { amount: paid.amount ?? NO_MONEY };
    const planned: Payment = {
      paymentId: uuidv7(),
      type: 'CHARGE',
      amount,
      ...(tendered && { tendered }),
      ...(terminal && { terminal }),
      method,
      status: 'PROCESSING',
      createdAt: services.clock.now(),
    };
    const command = {
      type: 'START_PAYMENT' as const,
      reservationId: id,
      attempt: planned,
      window,
      noRate,
      ifVersion,
    };
    // A repeated request gets the answer of the first one, or the payment attempt that the first one left open.
    const reply: Reply<CommandResults['START_PAYMENT'] | Paid> = await send(
      services,
      caller,
      to,
      command,
      claim(key, planned.paymentId),
    );
    const { result } = reply;
    if ('payment' in result) return { ...reply, result };
    return chargeAttempt(services, caller, to, { ...result, cardToken: card }, claim(key, result.attempt.paymentId));
  });
}

async function waitsForCard({ reservations }: Services, { tenantId }: Address, id: ReservationId): Promise<boolean> {
  const found = await reservations.get(tenantId, id);
  if (found === undefined || !isCardWaitedFor(found.reservation)) return false;
  // An attempt that was begun is continued.
  return underWay(found.reservation.payments) === 0;
}

type Guarantee = {
  reservationId: ReservationId;
  method: PaymentMethod;
  cardToken: string;
  key?: ClientKey;
  ifVersion?: number;
};

/** The provider takes the card, and the property confirms. @throws DomainError PAYMENT_DECLINED, PARTNER_UNAVAILABLE */
async function takeGuarantee(
  services: Services,
  caller: Caller,
  to: Address,
  { reservationId, method, cardToken, key, ifVersion }: Guarantee,
): Promise<Reply<Paid>> {
  const taken = await takeCard(services, to, cardToken);
  const paymentId = uuidv7();
  // The charge of a guarantee is yet to come, if ever.
  const payment: Payment = {
    paymentId,
    type: 'CHARGE',
    amount: NO_MONEY,
    method,
    status: 'PENDING',
    createdAt: services.clock.now(),
  };
  const card = services.sealed.seal(taken, reservationId);
  return send(
    services,
    caller,
    to,
    { type: 'TAKE_CARD', reservationId, payment, card, ifVersion },
    claim(key, paymentId),
  );
}

/** What a reservation is paid in. @throws DomainError RESERVATION_NOT_FOUND */
async function currencyOf(
  { reservations }: Services,
  tenantId: TenantId,
  reservationId: ReservationId,
): Promise<string> {
  const found = await reservations.get(tenantId, reservationId);
  if (!found) throw new DomainError('RESERVATION_NOT_FOUND', 'There is no such reservation.');
  return found.reservation.currency;
}

/** @throws DomainError PAYMENT_METHOD_REQUIRED */
async function cardOnFile(
  { sealed, reservations }: Services,
  tenantId: TenantId,
  reservationId: ReservationId,
): Promise<string> {
  const card = (await reservations.get(tenantId, reservationId))?.reservation.billing?.card;
  if (card === undefined) throw new DomainError('PAYMENT_METHOD_REQUIRED', 'There is no card on file.');
  return sealed.open(card, reservationId);
}
