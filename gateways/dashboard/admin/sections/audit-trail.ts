import type { Section } from '../section.ts';
import { trail as words } from '../trail/messages.ts';
import { TrailView } from '../trail/trail-view.tsx';

/** Who changed what, and when (docs/concepts/audit-trail.md#query-it). */
export const auditTrailSection: Section = {
  lead: words.lead,
  View: TrailView,
};
