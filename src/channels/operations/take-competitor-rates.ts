import { noteMarket } from '../../competitors/operations/note-market.ts';
import type { Services } from '../../kernel/operations/services.ts';
import { businessDate } from '../../kernel/rules/property-time.ts';
import { EVENT_SOURCE, type RowFault, filterQuotes, WATCHED_NIGHTS } from '../../rates/rules/competitor-rate.ts';
import { competitorRatesUpdated } from '../contracts/taken-events.ts';
import { InvalidRecord, type InvalidRecordReason } from '../rules/invalid-record.ts';
import { asInvalidRecord, fieldsOf, type Taken, type TakenEvent, tenantOfEvent } from './taken-event.ts';

const REASONS: Record<RowFault, InvalidRecordReason> = {
  MALFORMED: 'MALFORMED',
  CURRENCY: 'CURRENCY_MISMATCH',
  ROOM_TYPE: 'UNKNOWN_ROOM_TYPE',
  DATE: 'DATE_OUTSIDE_HORIZON',
  OBSERVED_AT: 'TIMESTAMP_AHEAD',
  DOUBLE: 'MALFORMED',
};

/**
 * Consumes a pushed rate (`competitor.rates.updated`, docs/concepts/events.md#consumers). It is validated like those of
 * a feed; an older observation than the stored one changes nothing, so records may arrive repeatedly and in any order.
 * Prices follow soon after: rates that arrive close together cause one read of the market.
 * @throws InvalidRecord; DomainError of a retryable failure
 */
export async function takeCompetitorRates(
  services: Pick<Services, 'competitors' | 'properties' | 'repricing' | 'clock' | 'log'>,
  event: TakenEvent,
): Promise<Taken> {
  const { competitors, properties, repricing, clock } = services;
  const tenantId = tenantOfEvent(event);
  const {
    propertyId,
    date: day,
    roomType,
    competitorId,
    rate,
    currency,
    observedAt,
  } = fieldsOf(competitorRatesUpdated, event);
  const to = { tenantId, propertyId };
  try {
    const { setup, isDynamic } = await properties.view(to);
    const { currency: own, timezone, policies } = setup.property.metadata;
    const now = clock.now();
    const start = businessDate(now, { timezone, nightAuditHour: policies.nightAuditHour });
    const roomTypes = setup.roomTypes.map((type) => type.roomType);
    const { comparable, leftOut } = filterQuotes([{ competitorId, roomType, day, rate, currency, observedAt }], {
      currency: own,
      roomTypes,
      start,
      end: start + WATCHED_NIGHTS - 1,
      now,
    });
    const [fault] = Object.keys(leftOut) as RowFault[];
    if (fault !== undefined) throw new InvalidRecord(REASONS[fault], `the rate does not fit the house: ${fault}`);
    await noteMarket(services, to, { start: day, end: day }, () => competitors.add(to, EVENT_SOURCE, comparable));
    return { effect: 'taken', ...(isDynamic && { follows: repricing.ask(to) }) };
  } catch (error) {
    throw asInvalidRecord(error);
  }
}
