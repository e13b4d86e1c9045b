import type { Section } from '../section.ts';
import { EventsView } from './events-view.tsx';
import { eventTexts as words } from './messages.ts';

/** Events of the property as consumers read them (docs/concepts/events.md#to-look-at). */
export const eventsSection: Section = {
  lead: words.lead,
  View: EventsView,
};
