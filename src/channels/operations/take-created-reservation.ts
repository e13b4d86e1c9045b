import type { Services } from '../../kernel/operations/services.ts';
import { reservationCreated } from '../contracts/taken-events.ts';
import { asInvalidRecord, fieldsOf, type Taken, type TakenEvent, tenantOfEvent } from './taken-event.ts';

/**
 * Recomputes the demand of a property after a booking (`reservation.created`, docs/concepts/forecast.md#signals). The
 * node that took the booking has requested that already when the record comes back: both are one run, and a run that
 * began after the booking has seen it. The record is for the nodes that price the property and did not sell it, and
 * for a process that died in between. A repeat finds nothing new, and signals that say nothing new write nothing.
 * @throws InvalidRecord; DomainError that is worth another try
 */
export async function takeCreatedReservation(
  services: Pick<Services, 'properties' | 'repricing'>,
  event: TakenEvent,
): Promise<Taken> {
  const tenantId = tenantOfEvent(event);
  const { propertyId, timestamp } = fieldsOf(reservationCreated, event);
  const to = { tenantId, propertyId };
  try {
    const { isDynamic } = await services.properties.view(to);
    if (!isDynamic) return { effect: 'none' };
    return { effect: 'taken', follows: services.repricing.ask(to, timestamp) };
  } catch (error) {
    throw asInvalidRecord(error);
  }
}
