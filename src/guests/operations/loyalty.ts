import type { Services } from '../../kernel/operations/services.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { localTime } from '../../kernel/rules/property-time.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { LoyaltyTier } from '../rules/guest.ts';
import { LOYALTY_DAYS, tierOf } from '../rules/loyalty.ts';

/** First departure day that counts for loyalty now; the same for all properties of a tenant. */
export function loyaltySince({ clock }: Pick<Services, 'clock'>): Day {
  return localTime(clock.now(), 'UTC').day - LOYALTY_DAYS;
}

/** Loyalty tiers of the guests of these reservations, by guest (docs/reference/guests.md#loyalty). */
export async function tiersOf(
  services: Pick<Services, 'clock' | 'guestBook'>,
  tenantId: TenantId,
  reservations: readonly Reservation[],
): Promise<(reservation: Reservation) => LoyaltyTier> {
  const ids = reservations.map(({ guest }) => guest.guestId);
  const nights = await services.guestBook.nightsOf(tenantId, ids, loyaltySince(services));
  return ({ guest }) => tierOf(nights.get(guest.guestId) ?? 0);
}

/** Loyalty tier of a reservation's guest. */
export async function tierOfGuest(
  services: Pick<Services, 'clock' | 'guestBook'>,
  tenantId: TenantId,
  reservation: Reservation,
): Promise<LoyaltyTier> {
  return (await tiersOf(services, tenantId, [reservation]))(reservation);
}
