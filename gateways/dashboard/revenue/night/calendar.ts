import { computed, signal } from '@preact/signals';

import { addDays } from '../../grid/days.ts';
import type { CalendarEventView } from './night-api.ts';

/** Calendar events of the shown nights. */
export class EventCalendar {
  readonly events = signal<readonly CalendarEventView[]>([]);
  /** Somebody wants to add an event to the night in detail; its form takes it. */
  readonly isAdding = signal(false);
  /** Events by each of their nights. */
  readonly byDate = computed(() => {
    const found = new Map<string, CalendarEventView[]>();
    for (const event of this.events.value)
      for (let date = event.from; date <= event.to; date = addDays(date, 1))
        found.set(date, [...(found.get(date) ?? []), event]);
    return found;
  });

  withId(eventId: string): CalendarEventView | undefined {
    return this.events.peek().find((event) => event.eventId === eventId);
  }

  take(events: readonly CalendarEventView[]): void {
    // Every cell reads them, so they are only set on a change.
    if (JSON.stringify(events) !== JSON.stringify(this.events.peek())) this.events.value = events;
  }
}
