import type { Section } from '../section.ts';
import { ClientsView } from './clients-view.tsx';
import { clients as words } from './messages.ts';

/** How programs get access (docs/concepts/tenants-and-roles.md#tokens). */
export const apiAccessSection: Section = {
  lead: words.lead,
  View: ClientsView,
};
