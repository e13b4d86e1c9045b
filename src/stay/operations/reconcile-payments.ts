import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { finish, giveMoneyBack } from '../../money/operations/pay-booking.ts';
import type { Hold } from '../rules/hold.ts';

/** A payment that runs longer than this was cut off, or its caller is gone. */
const CUT_OFF_AFTER_MS = 15_000;

/** A provider shows a charge this long after it was made at the latest. */
const SHOWN_AFTER_MS = 15_000;

/** Holds and refunds looked at in one round. */
const MOST_AT_ONCE = 100;

/**
 * The reconciler (docs/concepts/money.md#payments): queries the gateway for attempts without a result. A crash
 * at any point ends charged once and confirmed, or refunded. Also activates properties whose holds have run out
 * meanwhile.
 */
export async function reconcilePayments(
  services: Services,
  each: ItemRunner = ItemRunner.uncounted(services.log),
): Promise<void> {
  const { holds, clock, properties } = services;
  const now = clock.now();
  // Those that rest come first again: they must not fill the page.
  const most = MOST_AT_ONCE + each.resting;
  for (const to of await holds.expired(now, most))
    await each.one(`${nameOf(to)} holds`, () => properties.view(to).catch(unlessGone));
  for (const { to, holdId } of await holds.unsettled(now - CUT_OFF_AFTER_MS, most))
    await each.one(`${nameOf(to)} hold ${holdId}`, async () => {
      const hold = await holds.hold(to, holdId);
      if (hold) await reconcile(services, to, hold);
    });
}

const nameOf = ({ tenantId, propertyId }: Address): string => `${tenantId}/${propertyId}`;

/** Nobody is left to give rooms back to. */
function unlessGone(error: unknown): void {
  if (!(error instanceof DomainError) || error.code !== 'PROPERTY_NOT_FOUND') throw error;
}

async function reconcile(services: Services, to: Address, hold: Hold): Promise<void> {
  if (!hold.booking) return;
  const { attempt, reservation } = hold.booking;
  const { currency } = reservation;
  const by = { subject: hold.key?.subject ?? 'system', requestId: ownRequestId() };
  const charge = await services.payments.find(attempt.paymentId);
  const end = { holdId: hold.id, reservationId: reservation.id, attempt, currency, key: hold.key };
  if (charge?.outcome === 'CHARGED') {
    // Without a key the caller cannot have learned that the booking came to be, and may have booked again.
    if (hold.kind === 'PAYING' && hold.key) await finish(services, by, to, { ...end, charge });
    else await giveMoneyBack(services, by, to, end);
    return;
  }
  // The charge may still be on its way, or be there and not be shown yet: until a while after the hold, nothing is
  // known.
  if (!charge && (hold.kind === 'PAYING' || services.clock.now() < hold.expiresAt + SHOWN_AFTER_MS)) return;
  const payment = { ...attempt, status: 'FAILED' as const };
  await sendAlways(services, by, to, { type: 'ABANDON_BOOKING', holdId: hold.id, payment }, hold.key).catch(
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    },
  );
}
