import { useComputed } from '@preact/signals';
import type { TargetedPointerEvent } from 'preact';

import { MoneyMark } from './folio/money-mark.tsx';
import type { FrontDesk } from './front-desk.ts';
import { TaskIcon } from './icons.tsx';
import type { Bar } from './lanes.ts';
import { barLabel } from './messages.ts';
import type { BoardStay } from './shapes.ts';

/** Smaller movements are not a drag. */
const DRAG_PIXELS = 6;

/** A stay: colour and icon show today's task, the label the guest. */
export function BarView({ desk, bar }: { desk: FrontDesk; bar: Bar }) {
  const { stay, task, from, to, goesBack, goesOn } = bar;
  const { reservationId } = stay;
  // Only the bars that change are drawn again: a chart may have thousands.
  const isOpened = useComputed(() => {
    const opened = desk.drawer.opened.value;
    return opened?.kind === 'stay' && opened.id === reservationId;
  });
  const isPicked = useComputed(() => desk.moving.picked.value?.stay.reservationId === reservationId);
  const label = barLabel(stay, task, desk.property.value?.timezone);
  return (
    <div role="gridcell" class="cell" style={{ gridColumn: `${from + 1} / ${to + 1}` }}>
      <button
        type="button"
        class="bar-button"
        data-item
        data-stay={reservationId}
        data-task={task}
        data-back={goesBack || undefined}
        data-on={goesOn || undefined}
        data-picked={isPicked.value || undefined}
        data-opened={isOpened.value || undefined}
        tabIndex={-1}
        aria-label={label}
        title={label}
      >
        <TaskIcon task={task} />
        <span>{stay.name}</span>
        <MoneyMark stay={stay} />
      </button>
    </div>
  );
}

/** Preview of a stay at its new place. */
export function Ghost({ desk, stay }: { desk: FrontDesk; stay: BoardStay }) {
  const bars = desk.groups.value.flatMap(({ lanes }) => lanes.flatMap((lane) => ('bars' in lane ? lane.bars : [])));
  const bar = bars.find((one) => one.stay.reservationId === stay.reservationId);
  if (!bar) return null;
  return <i class="ghost" style={{ gridColumn: `${bar.from + 1} / ${bar.to + 1}` }} />;
}

/** Handles a drag from a stay to a room. Touch scrolls the chart; touch users move stays by "Move room". */
export function dragging(desk: FrontDesk, event: TargetedPointerEvent<HTMLElement>): void {
  const id = (event.target as Element).closest<HTMLElement>('[data-stay]')?.dataset.stay;
  const stay = desk.screen.peek().stays.get(id ?? '');
  if (!stay || event.button !== 0 || event.pointerType === 'touch') return;
  if (desk.moving.picked.peek() || !desk.moving.canMove(stay)) return;
  const { clientX, clientY } = event;
  const ended = new AbortController();
  const { signal } = ended;
  const isDragged = (): boolean => desk.moving.picked.peek()?.stay.reservationId === stay.reservationId;
  addEventListener(
    'pointermove',
    (now) => {
      if (!isDragged() && Math.hypot(now.clientX - clientX, now.clientY - clientY) < DRAG_PIXELS) return;
      if (!isDragged()) desk.moving.pickUp(stay);
      desk.moving.over(roomAt(now) ?? stay.roomNumber);
    },
    { signal },
  );
  addEventListener(
    'pointerup',
    (up) => {
      ended.abort();
      if (!isDragged()) return;
      swallowClick();
      const roomNumber = roomAt(up);
      if (roomNumber === undefined) desk.moving.putBack();
      else desk.moving.drop(roomNumber);
    },
    { signal },
  );
  addEventListener('pointercancel', () => (ended.abort(), desk.moving.putBack()), { signal });
}

/** Ignores the click after a drag, which would open what lies under the pointer. */
function swallowClick(): void {
  const ended = new AbortController();
  addEventListener('click', (click) => click.stopPropagation(), { capture: true, signal: ended.signal });
  setTimeout(() => ended.abort());
}

function roomAt({ clientX, clientY }: PointerEvent): string | undefined {
  return document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-room]')?.dataset.room;
}
