import { noServiceReason } from '../access/messages.ts';
import type { PaletteCommand } from '../palette/commands.ts';
import { assigning } from './assigning/messages.ts';
import { openAssignAll } from './assigning/open.ts';
import { BOOKING_NAMES } from './booking/open.tsx';
import type { FrontDesk } from './front-desk.ts';

/** What the front desk does from the command palette. */
export function deskCommands(desk: FrontDesk): PaletteCommand[] {
  if (!desk.mayAct) return [];
  const blocked = noServiceReason(desk.connection.value);
  return [
    {
      name: BOOKING_NAMES.reservation,
      words: 'book',
      blocked,
      run: () => desk.booking.open({ kind: 'reservation' }),
    },
    { name: BOOKING_NAMES['walk-in'], words: 'book', blocked, run: () => desk.booking.open({ kind: 'walk-in' }) },
    { name: assigning.button, words: 'rooms', blocked, run: () => openAssignAll(desk) },
  ];
}
