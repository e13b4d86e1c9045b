import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { paymentGatewayOf } from '../../kernel/operations/payment-gateway-of.ts';
import { ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { Payment } from '../rules/payment.ts';

/** Sends the open refunds of a reservation. */
export async function sendRefunds(
  services: Services,
  to: Address,
  reservationId: ReservationId,
  each?: ItemRunner,
): Promise<void> {
  const found = await services.reservations.get(to.tenantId, reservationId);
  if (found) await sendRefundsOf(services, to, found.reservation, each);
}

/** Sends refunds in the background, after the answer; `repeatRefunds` sends them again after a failure. */
export function sendRefundsSoon(services: Services, to: Address, reservation: Reservation): void {
  void sendRefundsOf(services, to, reservation).catch((error: unknown) =>
    services.log.warn({ reservationId: reservation.id, error: String(error) }, 'refunds will be sent again'),
  );
}

/**
 * Sends committed refunds to the provider and stores the results. Runs after the commit and again until it succeeds:
 * the refund's id is the provider's key. Refunds that are paid out by hand are skipped.
 */
async function sendRefundsOf(
  services: Services,
  to: Address,
  reservation: Reservation,
  each = ItemRunner.uncounted(services.log),
): Promise<void> {
  for (const refund of reservation.payments)
    if (refund.type === 'REFUND' && refund.status === 'PROCESSING')
      await each.one(`${to.tenantId}/${to.propertyId} refund ${refund.paymentId}`, () =>
        sendRefund(services, to, reservation, refund),
      );
}

async function sendRefund(
  services: Services,
  to: Address,
  { id: reservationId, currency, payments }: Reservation,
  refund: Payment,
): Promise<void> {
  const { paymentId: refundId, chargeId, amount } = refund;
  if (chargeId === undefined) throw new Error('the refund belongs to no charge');
  // The provider knows the charge that has paid for several rooms, not the part of one of them.
  const charge = payments.find(({ paymentId }) => paymentId === chargeId);
  const order = { refundId, attemptId: charge?.partOf ?? chargeId, amount, currency };
  const end = await paymentGatewayOf(services, to)
    .refund(order)
    .then(
      (done) => ({ ...done, status: 'COMPLETED' as const, response: { outcome: 'REFUNDED' as const, ...done } }),
      (error: unknown) => byHand(services, refundId, error),
    );
  const by = { subject: 'system', requestId: ownRequestId() };
  const { response, ...said } = end;
  const payment: Payment = { ...refund, ...said, gateway: { name: paymentGatewayOf(services, to).name, response } };
  await sendAlways(services, by, to, { type: 'SETTLE_REFUND', reservationId, payment });
}

/** A refund that the provider rejects, such as one to a closed card, has to be paid out by hand. */
function byHand({ log }: Services, refundId: string, error: unknown) {
  if (!(error instanceof DomainError) || error.code !== 'INTERNAL') throw error;
  log.error({ refundId, error: error.message }, 'the payment provider does not give the money back; pay it by hand');
  return { status: 'PENDING' as const, response: { outcome: 'REJECTED' as const } };
}

/** A younger refund may still be in progress. */
const OPEN_AFTER_MS = 30_000;
const MAX_A_TENANT = 100;

/** Repeats refunds that a crash or a silent gateway left open: each one is a durable row until it is confirmed. */
export async function repeatRefunds(
  services: Services,
  each: ItemRunner = ItemRunner.uncounted(services.log),
): Promise<void> {
  const { openPayments, clock } = services;
  const before = clock.now() - OPEN_AFTER_MS;
  for (const tenantId of await openPayments.tenants())
    await each.one(tenantId, async () => {
      for (const { to, reservationId } of await openPayments.refunds(tenantId, before, MAX_A_TENANT + each.resting))
        await each.one(`${tenantId}/${to.propertyId} reservation ${reservationId}`, () =>
          sendRefunds(services, to, reservationId, each),
        );
    });
}
