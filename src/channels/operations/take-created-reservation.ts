import type { Services } from '../../kernel/operations/services.ts';
import { reservationCreated } from '../contracts/taken-events.ts';
import { asInvalidRecord, fieldsOf, type Taken, type TakenEvent, tenantOfEvent } from './taken-event.ts';

/**
 * Recomputes the demand of a property after a booking (`reservation.created`, docs/concepts/forecast.md#signals). The
 * node of the booking has already requested this when the record arrives: both share one run, and a run that began
 * after the booking includes it. The record serves nodes that price the property without having sold it, and a process
 * that died in between. A repeat changes nothing.
 * @throws InvalidRecord; DomainError of a retryable failure
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
