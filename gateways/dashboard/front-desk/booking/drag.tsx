import type { TargetedPointerEvent } from 'preact';

import { closeMarked } from '../closing/open-closing.tsx';
import type { FrontDesk } from '../front-desk.ts';

/** Smaller movements are a click. */
const DRAG_PIXELS = 6;

/**
 * Marks nights by a drag over free cells of a room's row, from the arrival to the departure, and opens the form with
 * them; with Shift it takes the room out of order. A stay that is in the way ends the nights. Touch scrolls the chart; touch users have the button.
 */
export function marking(desk: FrontDesk, event: TargetedPointerEvent<HTMLElement>): void {
  const target = event.target as Element;
  const track = target.closest<HTMLElement>('.track');
  const roomNumber = track?.closest<HTMLElement>('[data-room]')?.dataset.room;
  if (!track || roomNumber === undefined || target.closest('[data-stay], .closure')) return;
  if (event.button !== 0 || event.pointerType === 'touch' || !desk.mayAct || desk.moving.picked.peek()) return;
  const { clientX } = event;
  const start = dayAt(desk, track, clientX);
  const ended = new AbortController();
  const { signal } = ended;
  const { marked } = desk.booking;
  addEventListener(
    'pointermove',
    (now) => {
      if (!marked.peek() && Math.abs(now.clientX - clientX) < DRAG_PIXELS) return;
      // Selected text would be dragged instead of nights.
      getSelection()?.removeAllRanges();
      marked.value = { roomNumber, ...free(desk, roomNumber, start, dayAt(desk, track, now.clientX)) };
    },
    { signal },
  );
  addEventListener(
    'pointerup',
    (up) => {
      ended.abort();
      const nights = marked.peek();
      marked.value = undefined;
      if (!nights) return;
      if (up.shiftKey) closeMarked(desk, nights);
      else desk.booking.openMarked(nights);
    },
    { signal },
  );
  addEventListener('pointercancel', () => (ended.abort(), (marked.value = undefined)), { signal });
}

/** Index of the day under the pointer. */
function dayAt(desk: FrontDesk, track: HTMLElement, clientX: number): number {
  const { left, width } = track.getBoundingClientRect();
  const days = desk.days.peek().length;
  return Math.max(0, Math.min(days - 1, Math.floor(((clientX - left) / width) * days)));
}

/** The nights between two days that no stay and no maintenance of the room has, seen from the first of them. */
function free(desk: FrontDesk, roomNumber: string, anchor: number, other: number): { from: number; to: number } {
  const lanes = desk.groups.peek().flatMap((group) => group.lanes);
  const lane = lanes.find((one) => one.kind === 'room' && one.room.roomNumber === roomNumber);
  const taken = lane?.kind === 'room' ? [...lane.bars, ...lane.closures] : [];
  // Halves of days: a night lasts from the second half of its day to the first half of the next.
  const before = taken.filter((one) => one.to <= 2 * anchor + 1).map((one) => Math.floor(one.to / 2));
  const behind = taken.filter((one) => one.from >= 2 * anchor + 1).map((one) => Math.floor(one.from / 2));
  const from = other < anchor ? Math.max(other, ...before) : anchor;
  const to = Math.min(Math.max(other, anchor, from + 1), ...behind);
  return { from: Math.min(from, to), to };
}

/** The marked nights, from the afternoon of the arrival to the morning of the departure. */
export function MarkedNights({ desk, roomNumber }: { desk: FrontDesk; roomNumber: string | undefined }) {
  const nights = desk.booking.marked.value;
  if (!nights || nights.roomNumber !== roomNumber) return null;
  return <i class="ghost" style={{ gridColumn: `${2 * nights.from + 2} / ${2 * nights.to + 2}` }} />;
}
