import type { Section } from '../section.ts';
import { ImportsView } from './imports-view.tsx';
import { imports as words } from './messages.ts';

/** Reservations of another system (docs/guide/import.md#with-the-mouse). */
export const importsSection: Section = { lead: words.lead, View: ImportsView };
