import type { RefObject, TargetedKeyboardEvent } from 'preact';
import { useEffect } from 'preact/hooks';

const STEPS: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -1000],
  End: [0, 1000],
  PageUp: [0, -7],
  PageDown: [0, 7],
};

/**
 * Makes a table one tab stop with arrow keys inside: a thousand tab stops would make the page unusable by keyboard.
 */
export function useArrowKeys(
  table: RefObject<HTMLTableElement | null>,
): (event: TargetedKeyboardEvent<HTMLElement>) => void {
  useEffect(() => {
    const cells = rowsOf(table.current);
    if (!cells.flat().some((cell) => cell.tabIndex === 0)) enter(cells, cells[0]?.[0]);
  });
  return (event) => {
    const step = STEPS[event.key];
    const cells = rowsOf(table.current);
    const row = cells.findIndex((line) => line.includes(document.activeElement as HTMLElement));
    if (!step || row < 0) return;
    event.preventDefault();
    const column = cells[row]!.indexOf(document.activeElement as HTMLElement);
    const line = cells[clamp(row + step[0], cells.length)]!;
    const next = line[clamp(column + step[1], line.length)];
    enter(cells, next);
    next?.focus();
    next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
}

function rowsOf(table: HTMLTableElement | null): HTMLElement[][] {
  const rows = [...(table?.tBodies[0]?.rows ?? [])];
  return rows
    .map((row) => [...row.querySelectorAll<HTMLElement>('button[data-key]')])
    .filter(({ length }) => length > 0);
}

function enter(cells: HTMLElement[][], entrance: HTMLElement | undefined): void {
  for (const cell of cells.flat()) cell.tabIndex = cell === entrance ? 0 : -1;
}

export function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(length - 1, index));
}
