import type { propertyEventsAnswer } from '../../../../src/events/contracts/dev-events.ts';
import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import { pageUrl } from '../../address.ts';
import type { AdminStore } from '../admin.ts';
import { NarrowedList } from '../narrowed-list.ts';

export type PropertyEvent = WireOf<typeof propertyEventsAnswer>['items'][number];

/** Filters by the names of their parameters in the address, and what the service calls them. */
const FILTERS = { topic: 'topic', text: 'q' } as const;
type EventFilter = keyof typeof FILTERS;

/** Events of the property. */
export class EventList extends NarrowedList<PropertyEvent, EventFilter> {
  constructor(admin: AdminStore) {
    super(admin, { filters: FILTERS, path: () => `${admin.place().propertyPath}/events` });
  }
}

/** A member of an event that is a text. */
function textOf({ value }: PropertyEvent, name: string): string | undefined {
  const member = (value as Record<string, unknown> | null)?.[name];
  return typeof member === 'string' && member !== '' ? member : undefined;
}

/** What an event is about, with the page of it where there is one. */
export function aboutOf(event: PropertyEvent, property: string | undefined): { text: string; href?: string } {
  const stay = textOf(event, 'reservationId');
  if (stay !== undefined) return { text: stay, href: pageUrl('/desk', { property, stay }) };
  const text = ['roomType', 'date', 'effectiveDate', 'promoCode']
    .flatMap((name) => textOf(event, name) ?? [])
    .join(' ');
  return { text };
}

/** When it happened, in milliseconds, as the event says. */
export function sentMomentOf({ value }: PropertyEvent): number | undefined {
  const at = (value as Record<string, unknown> | null)?.['timestamp'];
  return typeof at === 'number' ? at : undefined;
}
