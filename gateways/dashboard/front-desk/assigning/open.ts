import type { FrontDesk } from '../front-desk.ts';
import { assigning as words } from './messages.ts';

/** Opens the panel that gives rooms to all arrivals; its script is loaded then. */
export function openAssignAll(desk: FrontDesk): void {
  void desk.drawer.openPanel(async () => {
    const { AssignAllPanel } = await import('./assign-all-panel.tsx');
    return { id: 'assign-all', title: words.title, view: AssignAllPanel };
  });
}
