import type { FrontDesk } from '../front-desk.ts';
import { closing as words } from './messages.ts';
import type { ClosedNights } from './what-follows.ts';

/** Opens the panel that takes a room out of order, for nights marked in the chart or for the coming one. */
export function openClosing(desk: FrontDesk, roomNumber: string, nights?: ClosedNights): Promise<void> {
  return desk.drawer.openPanel(async () => {
    const { NewClosing } = await import('./closing-panel.tsx');
    return {
      id: `closing ${roomNumber} ${nights?.from ?? ''} ${nights?.to ?? ''}`,
      title: words.title(roomNumber),
      view: (props) => <NewClosing {...props} roomNumber={roomNumber} {...(nights && { nights })} />,
    };
  });
}

/** The same for days marked in the chart, from the first to the one on which the room is back; none of them is past. */
export function closeMarked(desk: FrontDesk, marked: { roomNumber: string; from: number; to: number }): void {
  const days = desk.days.peek();
  const today = desk.today.peek();
  const [first, last] = [days[marked.from]?.date ?? today, days[Math.max(marked.from, marked.to - 1)]?.date ?? today];
  const from = first < today ? today : first;
  void openClosing(desk, marked.roomNumber, { from, to: last < from ? from : last });
}

/** Opens the panel of a maintenance. */
export function showMaintenance(desk: FrontDesk, maintenanceId: string, roomNumber: string): Promise<void> {
  return desk.drawer.openPanel(async () => {
    const { Closing } = await import('./closing-panel.tsx');
    return {
      id: `maintenance ${maintenanceId}`,
      title: words.title(roomNumber),
      view: (props) => <Closing {...props} maintenanceId={maintenanceId} />,
    };
  });
}
