import type { RefObject, TargetedKeyboardEvent } from 'preact';
import { useRef } from 'preact/hooks';

import type { RevenueStore } from '../revenue/store.ts';
import { useArrowKeys } from './arrow-keys.ts';

/** What the grid listens to: a cell is inspected, chosen alone, or with all up to the one chosen before. */
export function useChoosing(desk: RevenueStore, table: RefObject<HTMLTableElement | null>) {
  /** The click that ends a drag chooses nothing; one of the keyboard has a detail of 0. */
  const wasDrag = useRef(false);
  const onKeyDown = useArrowKeys(table);
  const inspect = (event: Event): void => {
    const key = keyAt(event);
    if (key) desk.inspected.value = key;
  };
  const { editor } = desk;
  const select = (event: MouseEvent): void => {
    const key = keyAt(event);
    if (!key) return;
    if (editor.isOpen && event.shiftKey) editor.extend(key);
    else if (!wasDrag.current || event.detail === 0) editor.pick(key);
  };
  // Touch scrolls the table instead.
  const press = (event: PointerEvent): void => {
    wasDrag.current = false;
    const key = keyAt(event);
    if (key && event.pointerType === 'mouse' && !event.shiftKey) editor.pick(key);
  };
  const drag = (event: PointerEvent): void => {
    inspect(event);
    const key = keyAt(event);
    const isDragged = editor.isOpen && event.pointerType === 'mouse' && event.buttons === 1;
    if (!key || !isDragged || key === desk.selected.peek()) return;
    wasDrag.current = true;
    editor.extend(key);
  };
  const onKeys = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const from = keyOf(document.activeElement);
    onKeyDown(event);
    const to = keyOf(document.activeElement);
    if (!editor.isOpen || !event.shiftKey || !from || !to || from === to) return;
    if (editor.reach.peek() !== from) editor.pick(from);
    editor.extend(to);
  };
  return { onKeyDown: onKeys, onPointerDown: press, onPointerOver: drag, onFocusIn: inspect, onClick: select };
}

/** The key of the cell of an event. */
const keyAt = ({ target }: Event): string | null | undefined => keyOf(target);

function keyOf(target: EventTarget | null): string | null | undefined {
  return target instanceof Element
    ? target.closest('td')?.querySelector('[data-key]')?.getAttribute('data-key')
    : null;
}
