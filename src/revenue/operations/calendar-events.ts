import { v7 as uuidv7 } from 'uuid';

import { mustHaveCome } from '../../history/operations/rebuild-grid.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { AuditPosition } from '../../kernel/rules/audit.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { Reply } from '../../kernel/rules/commands.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { CalendarEventBody, CalendarEventsQuery } from '../../rates/contracts/calendar-events.ts';
import { byNight, type CalendarEvent, fallsWithin } from '../../rates/rules/calendar-event.ts';

const MAX_ROWS_AT_ONCE = 200;

const eventOf = (eventId: string, { from, to, ...body }: CalendarEventBody) => ({
  eventId,
  ...body,
  firstNight: from,
  lastNight: to,
});

/** Adds an event to the calendar of a property (docs/reference/rates.md#calendar-events). */
export function addCalendarEvent(
  services: Services,
  caller: Caller,
  to: Address,
  body: CalendarEventBody,
  key?: ClientKey,
): Promise<Reply<CalendarEvent>> {
  const event = eventOf(uuidv7(), body);
  return send(services, caller, to, { type: 'PUT_CALENDAR_EVENT', event, mode: 'create' }, claim(key));
}

/** Replaces an event. @throws DomainError CALENDAR_EVENT_NOT_FOUND, STALE_VERSION */
export function changeCalendarEvent(
  services: Services,
  caller: Caller,
  to: Address,
  { id, body, ifVersion }: { id: string; body: CalendarEventBody; ifVersion: number | undefined },
  key?: ClientKey,
): Promise<Reply<CalendarEvent>> {
  const event = eventOf(id, body);
  const command = { type: 'PUT_CALENDAR_EVENT' as const, event, mode: 'replace' as const, ifVersion };
  return send(services, caller, to, command, claim(key));
}

/** @throws DomainError CALENDAR_EVENT_NOT_FOUND, STALE_VERSION */
export function removeCalendarEvent(
  services: Services,
  caller: Caller,
  to: Address,
  { id: eventId, ifVersion }: { id: string; ifVersion: number | undefined },
  key?: ClientKey,
): Promise<Reply<null>> {
  return send(services, caller, to, { type: 'REMOVE_CALENDAR_EVENT', eventId, ifVersion }, claim(key));
}

/**
 * Events with a night of a period, in order of their nights: of now, or as they were known at an instant.
 * @throws DomainError VALIDATION_FAILED for an instant in the future
 */
export async function listCalendarEvents(
  services: Pick<Services, 'properties' | 'trail' | 'clock'>,
  to: Address,
  { start_date: start, end_date: end, asOf }: CalendarEventsQuery,
): Promise<{ items: CalendarEvent[]; seq: number }> {
  if (asOf !== undefined) mustHaveCome(services, asOf);
  const { calendarEvents, seq } = await services.properties.view(to);
  const known = asOf === undefined ? calendarEvents : await eventsAt(services, to, calendarEvents, asOf);
  return { items: known.filter((one) => fallsWithin(one, start, end)).sort(byNight), seq };
}

/** Takes back every change since: each event is what its first later change found. */
async function eventsAt(
  { trail, clock }: Pick<Services, 'trail' | 'clock'>,
  { tenantId, propertyId }: Address,
  current: readonly CalendarEvent[],
  asOf: Instant,
): Promise<CalendarEvent[]> {
  const events = new Map(current.map((event) => [event.eventId, event]));
  const filter = { entity: 'calendarEvent', from: asOf + 1 };
  const now = clock.now();
  let after: AuditPosition | undefined;
  do {
    const { rows, next } = await trail(tenantId, filter, MAX_ROWS_AT_ONCE, now, after);
    for (const row of rows) {
      if (row.source !== propertyId || !('facts' in row)) continue;
      for (const { kind, id, before } of row.facts.setup ?? []) {
        if (kind !== 'calendarEvent') continue;
        if (before === undefined) events.delete(id);
        else events.set(id, before as CalendarEvent);
      }
    }
    after = next;
  } while (after);
  return [...events.values()];
}
