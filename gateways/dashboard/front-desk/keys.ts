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

/**
 * Only the rows of the step are measured: a property may have 400.
 * @returns whether the key moves the focus
 */
export function moveInGrid(grid: HTMLElement, from: HTMLElement, key: string): boolean {
  const rows = [...grid.querySelectorAll<HTMLElement>('.lane')].filter((row) => row.querySelector('[data-item]'));
  const row = rows.findIndex((one) => one.contains(from));
  const next = row < 0 || from.dataset.item === undefined ? undefined : target(key, rows, row, from);
  if (next === undefined) return false;
  for (const item of grid.querySelectorAll<HTMLElement>('[data-item][tabindex="0"]')) item.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  return true;
}

function target(key: string, rows: HTMLElement[], row: number, from: HTMLElement): HTMLElement | undefined {
  const items = itemsOf(rows[row]!);
  const beside = (by: number): HTMLElement => items[clamp(items.indexOf(from) + by, items.length)]!;
  const across = (by: number): HTMLElement => nearest(itemsOf(rows[clamp(row + by, rows.length)]!), from);
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
