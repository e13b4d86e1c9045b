import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { businessDate, type Instant } from '../../kernel/rules/property-time.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { folioOf, type FolioWindowView } from '../rules/postings.ts';

type Folio = { reservation: Reservation; windows: FolioWindowView[]; seq: number };

/**
 * The folio of a reservation (`GET /reservations/{id}/folio`).
 * @param routed shows it as it would be routed
 * @throws DomainError RESERVATION_NOT_FOUND
 */
export async function readFolio(
  services: Services,
  caller: Caller,
  id: ReservationId,
  routed?: Pick<Reservation, 'routing' | 'companyId'>,
): Promise<Folio> {
  const found = await services.reservations.get(caller.tenantId, id);
  if (!found) throw new DomainError('RESERVATION_NOT_FOUND', 'The tenant has no such reservation.');
  const { property, seq } = found;
  const reservation = { ...found.reservation, ...routed };
  const { timezone, policies } = property.metadata;
  const clock = { timezone, nightAuditHour: policies.nightAuditHour };
  const dayAt = (at: Instant): Day => businessDate(at, clock);
  return { reservation, windows: folioOf(reservation, dayAt(services.clock.now()), dayAt), seq };
}
