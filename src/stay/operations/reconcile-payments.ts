import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { paymentGatewayOf } from '../../kernel/operations/payment-gateway-of.ts';
import { ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { finish, giveMoneyBack } from '../../money/operations/pay-booking.ts';
import { chargeSaid } from '../../money/rules/payment.ts';
import type { Hold } from '../rules/hold.ts';

/** A payment older than this was interrupted, or its caller has gone. */
const CUT_OFF_AFTER_MS = 15_000;

/** Longest time until a provider lists a charge that it has made. */
const SHOWN_AFTER_MS = 15_000;

/** Holds and refunds processed in one round. */
const MAX_AT_ONCE = 100;

/**
 * Reconciles payments (docs/concepts/money.md#payments): queries the gateway for attempts without a result. After a
 * crash at any point the card ends charged once and the booking confirmed, or the money refunded. Also activates
 * properties whose holds have expired meanwhile.
 */
export async function reconcilePayments(
  services: Services,
  each: ItemRunner = ItemRunner.uncounted(services.log),
): Promise<void> {
  const { holds, clock, properties } = services;
  const now = clock.now();
  // Resting holds are listed first again; the limit grows by their number so that they do not fill the page.
  const most = MAX_AT_ONCE + each.resting;
  for (const to of await holds.expired(now, most))
    await each.one(`${nameOf(to)} holds`, () => properties.view(to).catch(unlessDeleted));
  for (const { to, holdId } of await holds.unsettled(now - CUT_OFF_AFTER_MS, most))
    await each.one(`${nameOf(to)} hold ${holdId}`, async () => {
      const hold = await holds.hold(to, holdId);
      if (hold) await reconcile(services, to, hold);
    });
}

const nameOf = ({ tenantId, propertyId }: Address): string => `${tenantId}/${propertyId}`;

/** A deleted property has no rooms to give back. */
function unlessDeleted(error: unknown): void {
  if (!(error instanceof DomainError) || error.code !== 'PROPERTY_NOT_FOUND') throw error;
}

async function reconcile(services: Services, to: Address, hold: Hold): Promise<void> {
  // The other rooms of a booking end with its first one.
  if (!hold.booking || hold.booking.first !== undefined) return;
  const { attempt, reservation } = hold.booking;
  const { currency } = reservation;
  const by = { subject: hold.key?.subject ?? 'system', requestId: ownRequestId() };
  const charge = await paymentGatewayOf(services, to).find(attempt.paymentId);
  const end = { holdId: hold.id, reservationId: reservation.id, attempt, currency, key: hold.key };
  if (charge?.outcome === 'CHARGED') {
    // Without a name for the request the caller cannot learn of the booking, and may have booked again.
    if (hold.kind === 'PAYING' && canBeRepeated(hold)) await finish(services, by, to, { ...end, charge });
    else await giveMoneyBack(services, by, to, end);
    return;
  }
  // The charge may still be in progress, or made and not listed yet: its outcome is unknown until a while after the
  // hold.
  if (!charge && (hold.kind === 'PAYING' || services.clock.now() < hold.expiresAt + SHOWN_AFTER_MS)) return;
  const payment = charge
    ? chargeSaid(attempt, paymentGatewayOf(services, to).name, charge)
    : { ...attempt, status: 'FAILED' as const };
  await sendAlways(services, by, to, { type: 'ABANDON_BOOKING', holdId: hold.id, payment }, hold.key).catch(
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    },
  );
}

/** Whether a repeat of the request finds the booking: under its key, or the id of the channel. */
function canBeRepeated({ key, booking }: Hold): boolean {
  return key !== undefined || booking?.reservation.source.externalId !== undefined;
}
