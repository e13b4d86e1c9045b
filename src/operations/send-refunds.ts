import type { Address } from '../domain/caller.ts';
import type { Reservation } from '../domain/reservation.ts';
import { ownRequestId } from './create-reservation.ts';
import { sendAlways } from './send.ts';
import type { Services } from './services.ts';

/**
 * Tells the provider about refunds that were ordered with a commit and notes its answer. Runs after the commit and
 * again until it succeeds: the refund's id is the provider's key.
 */
export async function sendRefunds(services: Services, to: Address, reservationId: string): Promise<void> {
  const found = await services.reservations.get(to.tenantId, reservationId);
  if (found) await sendRefundsOf(services, to, found.reservation);
}

/** The same for a reservation at hand. */
export async function sendRefundsOf(services: Services, to: Address, reservation: Reservation): Promise<void> {
  const charge = reservation.payments.find(({ type, status }) => type === 'CHARGE' && status === 'COMPLETED');
  for (const payment of reservation.payments) {
    if (payment.type !== 'REFUND' || payment.status !== 'PROCESSING' || !charge) continue;
    const { paymentId, amount } = payment;
    const { currency } = reservation;
    const done = await services.payments.refund({
      refundId: paymentId,
      attemptId: charge.paymentId,
      amount,
      currency,
    });
    const by = { subject: 'system', requestId: ownRequestId() };
    const settled = { ...payment, status: 'COMPLETED' as const, ...done };
    await sendAlways(services, by, to, { type: 'SETTLE_REFUND', reservationId: reservation.id, payment: settled });
  }
}

/** An order younger than this may still be on its way to the gateway. */
const OPEN_AFTER_MS = 30_000;
const MOST_A_TENANT = 100;

/** Repeats what a crash or a gateway without an answer left open: each refund is a durable row until it is confirmed. */
export async function repeatRefunds(services: Services): Promise<void> {
  for (const { to, reservationId } of await services.openPayments.refunds(
    services.clock.now() - OPEN_AFTER_MS,
    MOST_A_TENANT,
  ))
    await sendRefunds(services, to, reservationId).catch((error: unknown) =>
      services.log.warn({ reservationId, error: String(error) }, 'refund not confirmed yet'),
    );
}
