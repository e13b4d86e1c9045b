import type { Address, Caller } from '../rules/caller.ts';
import { DomainError } from '../rules/domain-error.ts';
import type { ReservationId } from '../rules/ids.ts';
import type { Services } from './services.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The property that a reservation of the tenant belongs to. @throws DomainError RESERVATION_NOT_FOUND */
export async function addressOf(services: Services, { tenantId }: Caller, id: ReservationId): Promise<Address> {
  const propertyId = UUID.test(id) ? await services.reservations.propertyOf(tenantId, id) : undefined;
  if (propertyId === undefined) throw new DomainError('RESERVATION_NOT_FOUND', 'The tenant has no such reservation.');
  return { tenantId, propertyId };
}
