import { noServiceReason } from '../access/messages.ts';
import type { PaletteCommand } from '../palette/commands.ts';
import { editor } from './editor-messages.ts';
import { events } from './night/event-messages.ts';
import type { RevenueStore } from './store.ts';

/** What the revenue workspace does from the command palette. */
export function revenueCommands(desk: RevenueStore): PaletteCommand[] {
  if (!desk.editor.isOpen) return [];
  const blocked = noServiceReason(desk.connection.value);
  return [
    { name: editor.setRate, words: 'price', blocked, run: focusRate },
    { name: events.add, words: 'calendar', blocked, run: () => (desk.revenue.calendar.isAdding.value = true) },
  ];
}

/** The field for the rate of the chosen nights. */
function focusRate(): void {
  const field = document.querySelector<HTMLInputElement>('.rate-editor .field input');
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}
