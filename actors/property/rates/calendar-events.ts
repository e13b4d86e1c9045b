import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { type CalendarEvent, eventVersion } from '../../../src/rates/rules/calendar-event.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { withRecord } from '../own-map.ts';

/** Calendar events of a property: all of them are in memory, those of past years too. */
const MAX_CALENDAR_EVENTS = 500;

/**
 * Adds an event to the calendar, or replaces one (docs/reference/rates.md#calendar-events).
 * @throws DomainError CALENDAR_EVENT_NOT_FOUND, STALE_VERSION, VALIDATION_FAILED when there are too many
 */
export function decidePutCalendarEvent(
  draft: Draft,
  { event: asked, mode, ifVersion }: CommandOf<'PUT_CALENDAR_EVENT'>,
  { now }: DecisionContext,
): Decision<'PUT_CALENDAR_EVENT'> {
  const before = mode === 'replace' ? eventOf(draft, asked.eventId, ifVersion) : undefined;
  if (!before && draft.calendarEvents.size >= MAX_CALENDAR_EVENTS)
    throw new DomainError('VALIDATION_FAILED', 'The calendar is full.', {
      errors: [
        { parameter: 'propertyId', code: 'TOO_MANY', detail: `has ${MAX_CALENDAR_EVENTS} events, which is the most` },
      ],
    });
  // Two changes of one moment are two versions.
  const updatedAt = before ? Math.max(now, before.updatedAt + 1) : now;
  const event = { ...asked, createdAt: before?.createdAt ?? now, updatedAt };
  store(draft, event.eventId, event);
  const fact = { kind: 'calendarEvent' as const, id: event.eventId, ...(before && { before }), after: event };
  return { result: event, entity: event.eventId, facts: { setup: [fact] } };
}

/** @throws DomainError CALENDAR_EVENT_NOT_FOUND, STALE_VERSION */
export function decideRemoveCalendarEvent(
  draft: Draft,
  { eventId, ifVersion }: CommandOf<'REMOVE_CALENDAR_EVENT'>,
): Decision<'REMOVE_CALENDAR_EVENT'> {
  const before = eventOf(draft, eventId, ifVersion);
  store(draft, eventId, false);
  const fact = { kind: 'calendarEvent' as const, id: eventId, before, after: null };
  return { result: null, entity: eventId, facts: { setup: [fact] } };
}

function eventOf(draft: Draft, eventId: string, ifVersion: number | undefined): CalendarEvent {
  const found = draft.calendarEvents.get(eventId);
  if (!found) throw new DomainError('CALENDAR_EVENT_NOT_FOUND', 'The property has no such calendar event.');
  if (ifVersion !== undefined && ifVersion !== eventVersion(found))
    throw new DomainError('STALE_VERSION', `The calendar event is at version ${eventVersion(found)}.`);
  return found;
}

function store(draft: Draft, eventId: string, event: CalendarEvent | false): void {
  draft.calendarEvents = withRecord(draft.calendarEvents, draft.base.calendarEvents, eventId, event);
  draft.calendarEventsPut.add(eventId);
}
