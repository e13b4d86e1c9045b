import { clamp } from '../grid/arrow-keys.ts';

/**
 * The tape chart is one tab stop with arrow keys inside. Rows have different numbers of stays: up and down go to the
 * stay nearest to the day of the previous one.
 */
export function enterGrid(grid: HTMLElement | null): void {
  const items = [...(grid?.querySelectorAll<HTMLElement>('[data-item]') ?? [])];
  if (items.some((item) => item.tabIndex === 0)) return;
  const entrance = items.find((item) => item.dataset.stay !== undefined) ?? items[0];
  if (entrance) entrance.tabIndex = 0;
}

/** Rows that PageUp and PageDown skip. */
const PAGE = 8;

/** @returns whether the key moves the focus */
export function moveInGrid(grid: HTMLElement, from: HTMLElement, key: string): boolean {
  const rows = [...grid.querySelectorAll<HTMLElement>('.lane')].map(itemsOf).filter(({ length }) => length > 0);
  const row = rows.findIndex((items) => items.includes(from));
  if (row < 0) return false;
  const items = rows[row]!;
  const column = items.indexOf(from);
  const next = target(key, rows, row, column);
  if (next === undefined) return false;
  for (const item of rows.flat()) item.tabIndex = item === next ? 0 : -1;
  next.focus();
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  return true;
}

function target(key: string, rows: HTMLElement[][], row: number, column: number): HTMLElement | undefined {
  const items = rows[row]!;
  const beside = (by: number): HTMLElement => items[clamp(column + by, items.length)]!;
  const across = (by: number): HTMLElement => nearest(rows[clamp(row + by, rows.length)]!, items[column]!);
  switch (key) {
    case 'ArrowLeft':
      return beside(-1);
    case 'ArrowRight':
      return beside(1);
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    case 'ArrowUp':
      return across(-1);
    case 'ArrowDown':
      return across(1);
    case 'PageUp':
      return across(-PAGE);
    case 'PageDown':
      return across(PAGE);
    default:
      return undefined;
  }
}

function itemsOf(row: HTMLElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('[data-item]')].sort((a, b) => left(a) - left(b));
}

function nearest(items: readonly HTMLElement[], from: HTMLElement): HTMLElement {
  return items.toSorted((a, b) => Math.abs(left(a) - left(from)) - Math.abs(left(b) - left(from)))[0]!;
}

const left = (item: HTMLElement): number => item.getBoundingClientRect().left;
