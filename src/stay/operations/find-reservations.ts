import type { GuestPageQuery } from '../../guests/contracts/guests.ts';
import { getGuest } from '../../guests/operations/find-guests.ts';
import { tierOfGuest, tiersOf } from '../../guests/operations/loyalty.ts';
import type { LoyaltyTier } from '../../guests/rules/guest.ts';
import { nextCursor, positionOf } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { GuestId, ReservationId } from '../../kernel/rules/ids.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { ListQuery } from '../contracts/reservations.ts';
import type { Reservation } from '../rules/reservation.ts';

/** Reads one reservation. @throws DomainError RESERVATION_NOT_FOUND */
export async function getReservation(
  services: Services,
  caller: Pick<Caller, 'tenantId'>,
  id: ReservationId,
): Promise<{ reservation: Reservation; property: Property; tier: LoyaltyTier; seq: number }> {
  const found = await services.reservations.get(caller.tenantId, id);
  if (!found) throw new DomainError('RESERVATION_NOT_FOUND', 'The tenant has no such reservation.');
  return { ...found, tier: await tierOfGuest(services, caller.tenantId, found.reservation) };
}

/** A page of a list; `unreadable` names the reservations of the page that cannot be read. */
type ListedReservations = {
  items: Reservation[];
  unreadable: ReservationId[];
  tierOf: (reservation: Reservation) => LoyaltyTier;
  nextCursor?: string;
};

/**
 * Lists reservations of the tenant, newest first (docs/reference/reservations.md#search).
 * @throws DomainError VALIDATION_FAILED for a cursor of another list
 */
export async function listReservations(
  services: Services,
  caller: Caller,
  query: Pick<ListQuery, 'limit' | 'cursor'> & Partial<ListQuery>,
): Promise<ListedReservations> {
  const { limit, cursor, ...filter } = query;
  const {
    items,
    next,
    unreadable = [],
  } = await services.reservations.list(caller.tenantId, filter, limit, positionOf(services.signed, cursor));
  const tierOf = await tiersOf(services, caller.tenantId, items);
  return { items, unreadable, tierOf, nextCursor: nextCursor(services.signed, next) };
}

/** Lists the reservations of a guest, newest first. @throws DomainError GUEST_NOT_FOUND */
export async function listStays(
  services: Services,
  caller: Caller,
  id: GuestId,
  page: GuestPageQuery,
): Promise<ListedReservations> {
  await getGuest(services, caller, id);
  return listReservations(services, caller, { ...page, guestId: id });
}
