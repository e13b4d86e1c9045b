import type { Section } from '../section.ts';
import { ClientsView } from './clients-view.tsx';
import { clients as words } from './messages.ts';

/** How programs get access (docs/concepts/tenants-and-roles.md#tokens). */
export const apiAccessSection: Section = {
  id: 'api-access',
  name: words.name,
  lead: words.lead,
  of: 'tenant',
  View: ClientsView,
};
