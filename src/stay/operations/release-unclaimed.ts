import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import { type Address } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { type ReservationId } from '../../kernel/rules/ids.ts';

/** Arrivals processed in one round of a tenant. */
const MAX_A_TENANT = 500;

/**
 * Releases rooms of guests who pay at the property and have not arrived by the release hour of their plan
 * (docs/reference/rates.md#guarantee-and-terms). The property's actor decides whether the hour has passed.
 */
export async function releaseUnclaimed(
  services: Services,
  each: ItemRunner = ItemRunner.uncounted(services.log),
): Promise<void> {
  const { openPayments, clock } = services;
  for (const tenantId of await openPayments.tenants())
    await each.one(tenantId, async () => {
      for (const { to, reservationId } of await openPayments.unclaimed(
        tenantId,
        clock.now(),
        MAX_A_TENANT + each.resting,
      ))
        await each.one(`${tenantId}/${to.propertyId} reservation ${reservationId}`, () =>
          release(services, to, reservationId),
        );
    });
}

async function release(services: Services, to: Address, reservationId: ReservationId): Promise<void> {
  const by = { subject: 'system', requestId: ownRequestId() };
  try {
    await sendAlways(services, by, to, { type: 'RELEASE_UNCLAIMED', reservationId });
  } catch (error) {
    // The guest has arrived or paid, or the release hour has changed.
    const isMovedOn = error instanceof DomainError && (error.code === 'TOO_EARLY' || error.code === 'INVALID_STATE');
    if (!isMovedOn) throw error;
  }
}
