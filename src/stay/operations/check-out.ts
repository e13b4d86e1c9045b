import { v7 as uuidv7 } from 'uuid';

import { tierOfGuest } from '../../guests/operations/loyalty.ts';
import { oneAtATime } from '../../kernel/operations/one-at-a-time.ts';
import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { chargeAttempt } from '../../money/operations/charge-attempt.ts';
import { companyToInvoice } from '../../money/operations/find-companies.ts';
import { priceCharges } from '../../money/operations/price-charges.ts';
import { sendRefundsSoon } from '../../money/operations/send-refunds.ts';
import type { Payment } from '../../money/rules/payment.ts';
import type { Tax } from '../../properties/rules/tax.ts';
import type { CheckOutBody } from '../contracts/reservations.ts';
import type { Reservation } from '../rules/reservation.ts';

/**
 * `payment` is the charge made at check-out; `refunds` return what was overpaid; `taxes` are the taxes of the property,
 * which have the names for the final bill; `company` is the name of the company that is invoiced.
 */
export type CheckedOut = {
  reservation: Reservation;
  payment?: Payment;
  refunds: Payment[];
  taxes: readonly Tax[];
  company?: string;
};

/**
 * Checks a guest out (docs/reference/reservations.md#check-in-and-check-out). The amount due is first charged to the
 * card on file; after a decline the guest stays checked in. After a 503, a request with the same key continues the same
 * charge; without a key it is rejected while a check-out is in progress.
 * @throws DomainError PAYMENT_METHOD_REQUIRED, PAYMENT_DECLINED, INVALID_STATE, VALIDATION_FAILED for an unknown code
 */
export async function checkOut(
  services: Services,
  caller: Caller,
  id: ReservationId,
  body: CheckOutBody,
  options: { key?: ClientKey; ifVersion?: number; forced?: boolean; dryRun?: boolean } = {},
): Promise<Reply<CheckedOut>> {
  const { ifVersion, forced = false, dryRun = false } = options;
  const key = dryRun ? undefined : options.key;
  return oneAtATime(caller, key, async () => {
    const to = await addressOf(services, caller, id);
    const { finalCharges, checkOutTime, ...record } = body;
    const charges = await priceCharges(services, to, finalCharges);
    const found = await services.reservations.get(caller.tenantId, id);
    const tier = found ? await tierOfGuest(services, caller.tenantId, found.reservation) : 'NONE';
    const invoiceTo = await companyToInvoice(services, caller.tenantId, found?.reservation.companyId);
    const named = { taxes: found?.property.metadata.policies.taxes ?? [], company: invoiceTo?.name };
    const paymentId = uuidv7();
    // A repeated request gets the answer of the first one, or the payment attempt that the first one left open.
    const reply: Reply<CommandResults['CHECK_OUT'] | CommandResults['END_PAYMENT']> = await send(
      services,
      caller,
      to,
      {
        type: 'CHECK_OUT',
        reservationId: id,
        checkOutId: uuidv7(),
        paymentId,
        refundId: uuidv7(),
        ...record,
        at: checkOutTime,
        charges,
        forced,
        tier,
        invoiceTo,
        ifVersion,
        dryRun,
      },
      claim(key, paymentId),
    );
    const { result } = reply;
    const { reservation } = result;
    if ('attempt' in result && result.attempt) {
      const { attempt } = result;
      const cardToken = services.sealed.open(reservation.billing!.card!, reservation.id);
      const of = { reservation, attempt, cardToken };
      const charged = await chargeAttempt(services, caller, to, of, claim(key, attempt.paymentId));
      return { ...charged, result: { ...charged.result, refunds: [], ...named } };
    }
    if (!reply.replayed && !dryRun) sendRefundsSoon(services, to, reservation);
    const refunds = 'refunds' in result ? (result.refunds ?? []) : [];
    const payment = 'payment' in result ? result.payment : undefined;
    return { ...reply, result: { reservation, payment, refunds, ...named } };
  });
}
